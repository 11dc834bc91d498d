// What is not there is not looked at, whatever its type or its class.
#![deny(warnings)]

use toolkit::Classify;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
pub enum Cfg {
    #[cfg(any())]
    Gone(NotAType),
    #[cfg_attr(all(), class(timeout))]
    Conditional,
    #[cfg(all())]
    #[class(delegate)]
    One {
        #[cfg(any())]
        gone: NotAType,
        #[cfg(all())]
        inner: std::io::Error,
    },
    #[class(rate_limit, retry_after(secs) = 0)]
    Second(#[cfg(any())] NotAType, u8),
}

fn main() {
    assert_eq!(Cfg::Second(2).classify().retry_after_hint(), Some(std::time::Duration::from_secs(2)));
}
