use std::time::Duration;

use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(rate_limit, retry_after = 1)]
    Busy(Duration),
}

fn main() {}
