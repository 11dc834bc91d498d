// thiserror before, after, and its attributes above and below.
#![deny(warnings)]

use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
pub enum Before {
    #[error(transparent)]
    #[class(delegate)]
    Io(#[from] std::io::Error),
}

#[derive(Classify, Debug)]
#[derive(thiserror::Error)]
pub enum After {
    #[class(delegate)]
    #[error("at {path}")]
    Io { #[source] inner: std::io::Error, path: String },
}

fn main() {}
