use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
#[class(hidden)]
enum OrderError {
    #[class(timeout)]
    Slow,
}

fn main() {}
