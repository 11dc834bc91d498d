use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(rate_limit, retry_after(minutes) = wait)]
    Busy { wait: u64 },
}

fn main() {}
