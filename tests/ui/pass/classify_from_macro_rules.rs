// Names, types, classes and texts that come out of another macro.
#![deny(warnings)]

use std::time::Duration;

use toolkit::{Classification, Classify, ErrorClass};

macro_rules! error {
    ($name:ident, $class:ident, $field:ident: $ty:ty, $text:literal, $inner:ty) => {
        #[derive(Debug, thiserror::Error, Classify)]
        #[error("-")]
        pub enum $name {
            #[class($class, retry_after = $field, message = $text, detail("key") = own)]
            Busy { $field: $ty, own: u8 },
            #[class(delegate)]
            Inner($inner),
            #[class(rate_limit, retry_after(millis) = wait)]
            Own { wait: u64 },
        }
    };
}

error!(Made, rate_limit, wait: Option<Duration>, "wait {wait:?}", Box<std::io::Error>);

fn main() {
    let expected = Classification::new(ErrorClass::RateLimit).message("wait None").detail("key", 3);
    assert_eq!(Made::Busy { wait: None, own: 3 }.classify(), expected);
    assert!(Made::Inner(Box::new(std::io::ErrorKind::NotFound.into())).delegate().is_some());
    assert_eq!(Made::Own { wait: 1000 }.classify().retry_after_hint(), Some(Duration::from_secs(1)));
}
