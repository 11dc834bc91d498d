use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(conflict, hidden, message = "taken")]
    Taken,
}

fn main() {}
