use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(delegate)]
    Io { cause: std::io::Error, path: String },
}

fn main() {}
