use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(not_found, detail = order, detail("order") = near)]
    Missing { order: u8, near: u8 },
}

fn main() {}
