use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
#[class(not_found)]
struct Missing<'a>(&'a str);

fn main() {}
