use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(not_found, detail = 0)]
    Missing(u8),
}

fn main() {}
