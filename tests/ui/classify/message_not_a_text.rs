use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(conflict, message = 5)]
    Taken,
}

fn main() {}
