use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(not_found, detail(key) = order)]
    Missing { order: u8 },
}

fn main() {}
