use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(crate = ::toolkit, timeout)]
    Slow,
}

fn main() {}
