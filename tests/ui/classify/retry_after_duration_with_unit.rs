use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(rate_limit, retry_after(secs) = wait)]
    Busy { wait: std::time::Duration },
}

fn main() {}
