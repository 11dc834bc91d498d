use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout, hidden, hidden)]
    Slow,
}

fn main() {}
