use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(not_found, detail = order)]
    Missing { order: Order },
}

#[derive(Debug)]
struct Order;

fn main() {}
