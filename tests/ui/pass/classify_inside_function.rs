// Types of a function body, two of the same name.
#![deny(warnings)]

use toolkit::{Classify, ErrorClass};

fn one() -> ErrorClass {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    #[class(timeout)]
    struct Local;
    Local.classify().class()
}

fn two() -> ErrorClass {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    #[class(network)]
    struct Local;
    Local.classify().class()
}

fn main() {
    assert_eq!((one(), two()), (ErrorClass::Timeout, ErrorClass::Network));
}
