//! `#[derive(Classify)]`: the verdicts of derived types.

mod delegate;
mod options;

use std::time::Duration;

use toolkit::{Classification, Classify, ErrorClass};

/// The error of the guide.
#[derive(Debug, thiserror::Error, Classify)]
enum OrderError {
    #[error("the order service did not answer in time")]
    #[class(timeout)]
    Timeout,
    #[error("too many requests")]
    #[class(rate_limit, retry_after = wait, no_effect)]
    Throttled { wait: Duration },
    #[error("there is no order {0}")]
    #[class(not_found)]
    Missing(String),
    #[error("bad reply")]
    #[class(internal, hidden)]
    BadReply(#[source] serde_json::Error),
    #[error(transparent)]
    #[class(delegate)]
    Http(#[from] std::io::Error),
}

fn verdict(class: ErrorClass) -> Classification {
    Classification::new(class)
}

#[test]
fn each_variant_has_its_own_verdict() {
    let wait = Duration::from_millis(1500);
    let broken = serde_json::from_str::<u8>("x").unwrap_err();
    assert_eq!(OrderError::Timeout.classify(), verdict(ErrorClass::Timeout));
    assert_eq!(OrderError::Throttled { wait }.classify(), verdict(ErrorClass::RateLimit).retry_after(wait).no_effect());
    assert_eq!(OrderError::Missing("ORD1".to_owned()).classify(), verdict(ErrorClass::NotFound));
    assert_eq!(OrderError::BadReply(broken).classify(), verdict(ErrorClass::Internal).hidden());
    assert!(OrderError::Timeout.delegate().is_none());
}

#[test]
fn every_class_has_its_name() {
    macro_rules! all {
        ($($name:ident)*) => {
            #[derive(Debug, Clone, Copy, thiserror::Error, Classify)]
            #[allow(non_camel_case_types)]
            enum All {
                $(#[error("-")] #[class($name)] $name,)*
            }
            const NAMED: &[(&str, All)] = &[$((stringify!($name), All::$name)),*];
        };
    }
    all!(timeout network rate_limit service_unavailable invalid_argument permission_denied not_found conflict internal unknown);

    let names: Vec<&str> = ErrorClass::ALL.into_iter().map(ErrorClass::as_str).collect();
    assert_eq!(NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    for (name, error) in NAMED {
        assert_eq!(error.classify().class().as_str(), *name);
    }
}

#[test]
fn the_shorthands_stand_for_a_class() {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    enum Short {
        #[class(transient)]
        Later,
        #[class(permanent)]
        Never,
    }
    assert_eq!(Short::Later.classify(), verdict(ErrorClass::ServiceUnavailable));
    assert_eq!(Short::Never.classify(), verdict(ErrorClass::Internal));
}

#[test]
fn a_struct_has_one_verdict() {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("overloaded")]
    #[class(service_unavailable, retry_after = 0)]
    struct Overloaded(Duration);

    #[derive(Debug, thiserror::Error, Classify)]
    #[error("gone")]
    #[class(not_found)]
    struct Gone;

    let wait = Duration::from_secs(3);
    assert_eq!(Overloaded(wait).classify(), verdict(ErrorClass::ServiceUnavailable).retry_after(wait));
    assert_eq!(Gone.classify(), verdict(ErrorClass::NotFound));
}

// Bounds, recursion through a box, raw names, and a variant that is not there.
mod odd_shapes {
    use std::fmt;

    use toolkit::{Classify, ErrorClass};

    #[derive(Debug, Classify)]
    #[expect(dead_code, reason = "read by `Debug` alone")]
    enum StoreError<T: fmt::Debug + Send + Sync + 'static> {
        #[class(rate_limit, retry_after = after)]
        Busy { after: std::time::Duration },
        #[class(not_found)]
        Missing(String),
        #[class(delegate)]
        Io(std::io::Error),
        #[class(delegate)]
        Nested(Box<StoreError<u8>>),
        #[class(invalid_argument)]
        Tuple(u8, T),
        #[class(internal)]
        Unit,
        #[class(conflict, retry_after(secs) = r#fn, detail = r#fn, message = "after {fn}")]
        r#Type { r#fn: u8 },
        #[cfg(any())]
        Gone(NotAType),
    }

    impl<T: fmt::Debug + Send + Sync + 'static> fmt::Display for StoreError<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    impl<T: fmt::Debug + Send + Sync + 'static> std::error::Error for StoreError<T> {}

    type Store = StoreError<&'static str>;

    #[test]
    fn every_variant_is_judged() {
        let wait = std::time::Duration::from_secs(4);
        let busy = Store::Busy { after: wait }.classify();
        assert_eq!((busy.class(), busy.retry_after_hint()), (ErrorClass::RateLimit, Some(wait)));
        assert_eq!(Store::Missing("a".to_owned()).classify().class(), ErrorClass::NotFound);
        assert_eq!(Store::Tuple(1, "x").classify().class(), ErrorClass::InvalidArgument);
        assert_eq!(Store::Unit.classify().class(), ErrorClass::Internal);
        let raw = Store::r#Type { r#fn: 4 }.classify();
        let expected = super::verdict(ErrorClass::Conflict).retry_after(wait).detail("fn", 4).message("after 4");
        assert_eq!(raw, expected);
    }

    #[test]
    fn a_box_of_itself_speaks_for_itself() {
        let nested = Store::Nested(Box::new(StoreError::Missing("a".to_owned())));
        assert_eq!(nested.classify().class(), ErrorClass::NotFound);
        assert!(nested.delegate().is_none());
        let deep = Store::Nested(Box::new(StoreError::Io(std::io::ErrorKind::TimedOut.into())));
        let io = deep.delegate().and_then(|inner| inner.downcast_ref::<std::io::Error>());
        assert_eq!(io.map(std::io::Error::kind), Some(std::io::ErrorKind::TimedOut));
    }
}

#[test]
fn derived_types_are_known() {
    let known = toolkit::__private::inventory::iter::<toolkit::__private::Known>.into_iter().count();
    assert!(known > 10, "{known}");
}
