use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(delegate)]
    Code(Option<Vec<u8>>),
}

fn main() {}
