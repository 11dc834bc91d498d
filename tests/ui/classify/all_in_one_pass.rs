use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    Busy,
    #[class(time_out, no_efect, colour = 1)]
    Slow,
    #[class(delegate, retry_after = wait)]
    Io,
}

// No error about a missing impl here.
fn judge(error: &OrderError) -> toolkit::Classification {
    error.classify()
}

fn main() {}
