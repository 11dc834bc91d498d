use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
struct Busy;

fn main() {}
