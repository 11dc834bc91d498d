use toolkit::Classify;

#[derive(Debug, Classify)]
#[class(timeout)]
struct Slow;

fn main() {}
