use std::time::Duration;

use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(conflict, message = "wait {wait}")]
    Taken { wait: Duration },
}

fn main() {}
