use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout, colour = "red")]
    Slow,
}

fn main() {}
