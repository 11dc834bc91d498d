use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(delegate)]
    Slow,
}

fn main() {}
