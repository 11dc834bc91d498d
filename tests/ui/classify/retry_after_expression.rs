use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(rate_limit, retry_after = Duration::from_secs(2))]
    Busy,
}

fn main() {}
