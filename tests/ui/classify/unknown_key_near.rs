use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout, mesage = "late")]
    Slow,
}

fn main() {}
