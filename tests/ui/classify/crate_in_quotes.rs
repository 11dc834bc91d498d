use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
#[class(crate = "toolkit")]
enum OrderError {
    #[class(timeout)]
    Slow,
}

fn main() {}
