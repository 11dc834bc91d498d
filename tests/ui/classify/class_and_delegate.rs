use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout, delegate)]
    Io(std::io::Error),
}

fn main() {}
