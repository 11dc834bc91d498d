use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(timeout)]
    #[class(network)]
    Slow,
}

fn main() {}
