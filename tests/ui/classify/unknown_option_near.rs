use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout, no_efect)]
    Slow,
}

fn main() {}
