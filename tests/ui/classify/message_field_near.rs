use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum OrderError {
    #[class(conflict, message = "seat {saet} is taken")]
    Taken { seat: u8 },
}

fn main() {}
