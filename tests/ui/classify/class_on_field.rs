use std::time::Duration;

use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(rate_limit)]
    Busy {
        #[class(retry_after)]
        wait: Duration,
    },
}

fn main() {}
