//! `delegate`: whose verdict it is.

use std::error::Error;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use toolkit::{Classify, ErrorClass, ToolError};

use super::{OrderError, verdict};

/// Says everything that a verdict can say.
#[derive(Debug, Clone, Copy, thiserror::Error, Classify)]
#[error("busy")]
#[class(rate_limit, retry_after = 0, no_effect, hidden, detail("a") = 1)]
struct Busy(Duration, u8);

const BUSY: Busy = Busy(Duration::from_secs(2), 1);

fn io(error: &dyn Classify) -> Option<io::ErrorKind> {
    error.delegate()?.downcast_ref::<io::Error>().map(io::Error::kind)
}

#[test]
fn an_error_that_is_not_classified_goes_to_the_classifier() {
    let error = OrderError::Http(io::ErrorKind::TimedOut.into());
    assert_eq!(error.classify(), verdict(ErrorClass::Unknown));
    assert_eq!(io(&error), Some(io::ErrorKind::TimedOut));
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("outer")]
enum Outer {
    #[class(delegate)]
    Plain(Busy),
    #[class(delegate, no_effect, message = "come back", detail("b") = 1)]
    With(#[source] Busy, u8),
    #[class(delegate, retry_after = wait)]
    Wait { source: Busy, wait: Option<Duration> },
    #[class(delegate, hidden, no_effect)]
    Io(io::Error),
}

#[test]
fn an_inner_verdict_is_taken_over_but_for_its_effect() {
    let inner = BUSY.classify();
    assert!(inner.has_no_effect());
    let expected = verdict(ErrorClass::RateLimit).retry_after(BUSY.0).hidden().detail("a", 1);
    assert_eq!(Outer::Plain(BUSY).classify(), expected);
    assert!(Outer::Plain(BUSY).delegate().is_none());
}

#[test]
fn the_outer_options_come_on_top() {
    let inner = verdict(ErrorClass::RateLimit).retry_after(BUSY.0).hidden().detail("a", 1);
    let expected = inner.clone().no_effect().message("come back").detail("b", 9);
    assert_eq!(Outer::With(BUSY, 9).classify(), expected);

    let longer = Duration::from_secs(61);
    assert_eq!(Outer::Wait { source: BUSY, wait: Some(longer) }.classify(), inner.clone().retry_after(longer));
    assert_eq!(Outer::Wait { source: BUSY, wait: None }.classify(), inner);

    let error = Outer::Io(io::ErrorKind::NotFound.into());
    assert_eq!(error.classify(), verdict(ErrorClass::Unknown).hidden().no_effect());
    assert_eq!(io(&error), Some(io::ErrorKind::NotFound));
}

type Alias = Option<Arc<Box<Busy>>>;

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum Wrapped {
    #[class(delegate)]
    Boxed(Box<Busy>),
    #[class(delegate)]
    Shared(Arc<Busy>),
    #[class(delegate)]
    Local(Rc<Busy>),
    #[class(delegate)]
    Borrowed(&'static Busy),
    #[class(delegate)]
    Maybe(Option<Busy>),
    #[class(delegate)]
    Alias(Alias),
    #[class(delegate)]
    Object(Box<dyn Classify>),
    #[class(delegate)]
    ObjectSend(Option<Arc<dyn Classify + Send + Sync>>),
    #[class(delegate)]
    Tool(ToolError),
}

#[test]
fn wrappers_around_a_classified_error_are_opened() {
    for error in [
        Wrapped::Boxed(Box::new(BUSY)),
        Wrapped::Shared(Arc::new(BUSY)),
        Wrapped::Local(Rc::new(BUSY)),
        Wrapped::Borrowed(&BUSY),
        Wrapped::Maybe(Some(BUSY)),
        Wrapped::Alias(Some(Arc::new(Box::new(BUSY)))),
        Wrapped::Object(Box::new(BUSY)),
        Wrapped::ObjectSend(Some(Arc::new(BUSY))),
        Wrapped::Tool(
            ToolError::new(ErrorClass::RateLimit, "-").retry_after(BUSY.0).no_effect().hidden().detail("a", 1),
        ),
    ] {
        let verdict = error.classify();
        assert_eq!(verdict.class(), ErrorClass::RateLimit, "{error:?}");
        assert_eq!(verdict.retry_after_hint(), Some(BUSY.0), "{error:?}");
        assert!(!verdict.has_no_effect(), "{error:?}");
        assert!(error.delegate().is_none(), "{error:?}");
    }
}

#[test]
fn nothing_inside_is_unknown() {
    for error in [Wrapped::Maybe(None), Wrapped::Alias(None)] {
        assert_eq!(error.classify(), verdict(ErrorClass::Unknown));
        assert!(error.delegate().is_none());
    }
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
enum Opaque {
    #[class(delegate)]
    Boxed(Box<io::Error>),
    #[class(delegate)]
    Maybe(Option<Arc<io::Error>>),
    #[class(delegate)]
    Object(Box<dyn Error>),
    #[class(delegate)]
    ObjectSend(Box<dyn Error + Send>),
    #[class(delegate)]
    ObjectSync(Arc<dyn Error + Send + Sync>),
    #[class(delegate)]
    Report(anyhow::Error),
    #[class(delegate)]
    Reports(Option<Box<anyhow::Error>>),
    #[class(delegate)]
    Through(OrderError),
}

#[test]
fn wrappers_around_any_other_error_are_opened_for_the_classifier() {
    let inner = || io::Error::from(io::ErrorKind::ConnectionReset);
    for error in [
        Opaque::Boxed(Box::new(inner())),
        Opaque::Maybe(Some(Arc::new(inner()))),
        Opaque::Object(Box::new(inner())),
        Opaque::ObjectSend(Box::new(inner())),
        Opaque::ObjectSync(Arc::new(inner())),
        Opaque::Report(inner().into()),
        Opaque::Reports(Some(Box::new(inner().into()))),
        Opaque::Through(OrderError::Http(inner())),
    ] {
        assert_eq!(error.classify(), verdict(ErrorClass::Unknown), "{error:?}");
        assert_eq!(io(&error), Some(io::ErrorKind::ConnectionReset), "{error:?}");
    }
}

#[test]
fn of_several_fields_the_marked_one_is_asked() {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    enum Several {
        #[class(delegate)]
        Marked(io::Error, #[source] Busy),
        #[class(delegate)]
        Called { other: Option<io::Error>, source: Busy },
        #[class(delegate = 0)]
        Named(Busy, #[source] io::Error),
    }
    let inner = || io::Error::from(io::ErrorKind::NotFound);
    for error in [
        Several::Marked(inner(), BUSY),
        Several::Called { other: Some(inner()), source: BUSY },
        Several::Named(BUSY, inner()),
    ] {
        assert_eq!(error.classify().class(), ErrorClass::RateLimit, "{error:?}");
    }
}

#[test]
fn a_type_parameter_is_asked_by_its_bound() {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    #[class(delegate)]
    struct Any<T>(#[source] T);

    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    #[class(delegate)]
    struct Own<T>(#[source] T)
    where
        T: Classify;

    let error = Any(io::Error::from(io::ErrorKind::NotFound));
    assert_eq!(io(&error), Some(io::ErrorKind::NotFound));
    assert_eq!(Own(BUSY).classify().class(), ErrorClass::RateLimit);
}
