// A `toolkit` of another name.
#![deny(warnings)]

mod vendored {
    pub mod deep {
        pub use ::toolkit as tk;
    }
}

#[derive(Debug, thiserror::Error, vendored::deep::tk::Classify)]
#[error("-")]
#[class(crate = crate::vendored::deep::tk)]
pub enum Renamed {
    #[class(rate_limit, retry_after = 0, detail("x") = 1, message = "{1}")]
    Busy(std::time::Duration, u8),
    #[class(delegate)]
    Io(std::io::Error),
}

#[derive(Debug, thiserror::Error, vendored::deep::tk::Classify)]
#[error("-")]
#[class(crate = vendored::deep::tk, timeout)]
pub struct Relative;

fn main() {}
