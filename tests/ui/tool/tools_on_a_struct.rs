use toolkit::tools;

#[tools]
struct Weather;

fn main() {}
