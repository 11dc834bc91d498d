use toolkit::tools;

struct Weather;

#[tools]
impl Weather {
    fn weather(&self) {}
}

fn main() {}
