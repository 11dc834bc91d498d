use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(conflict, message = "seat {1} is taken")]
    Taken(u8),
}

fn main() {}
