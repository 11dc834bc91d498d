use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout = "2s")]
    Slow,
}

fn main() {}
