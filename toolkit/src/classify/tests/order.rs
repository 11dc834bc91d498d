//! Who decides where several know something, and what of a verdict counts.

use std::io::{self, ErrorKind};
use std::num::ParseIntError;
use std::time::Duration;

use super::*;

fn verdict(class: ErrorClass) -> Classification {
    Classification::new(class)
}

fn number() -> ParseIntError {
    "x".parse::<u8>().unwrap_err()
}

#[test]
fn the_outermost_known_error_wins() {
    let classifier = ErrorClassifier::standard().knows::<Judged>();
    let inner = Judged::new("inner", verdict(ErrorClass::Timeout));
    let outer = Judged::over("outer", verdict(ErrorClass::Conflict), inner);
    let judged = classifier.classify(&Layer::over("context", io::Error::new(ErrorKind::TimedOut, outer)));
    assert_eq!(judged.class(), ErrorClass::Conflict);
    assert_eq!(judged.message(), "context: outer", "what stands behind the author's words is not told");
}

#[test]
fn a_known_error_wins_over_every_type_and_text() {
    let known = || Judged::over("timed out", verdict(ErrorClass::Conflict), io::Error::from(ErrorKind::TimedOut));
    let error = Layer::over("HTTP 503", io::Error::other(known()));
    assert_eq!(class(&error), ErrorClass::Timeout, "unknown: the innermost type decides");
    let classifier = ErrorClassifier::standard().on::<Layer>(|_| verdict(ErrorClass::Network)).knows::<Judged>();
    assert_eq!(classifier.classify(&error).class(), ErrorClass::Conflict);
}

#[test]
fn a_known_error_is_found_in_boxes_and_arcs() {
    let classifier = ErrorClassifier::standard().knows::<Judged>();
    let known = || Judged::new("x", verdict(ErrorClass::Conflict).retry_after(Duration::from_secs(7)));
    let shared: std::sync::Arc<dyn Error + Send + Sync> = std::sync::Arc::new(known());
    let errors: Vec<Box<dyn Error + Send + Sync>> = vec![
        Box::new(Box::new(known())),
        Box::new(std::sync::Arc::new(known())),
        Box::new(shared),
        io::Error::other(known()).into(),
        anyhow::Error::from(known()).context("a").context("b").into(),
    ];
    for error in errors {
        let judged = classifier.classify(&*error);
        assert_eq!(judged.class(), ErrorClass::Conflict, "{error:?}");
        assert_eq!(judged.retry_after_hint(), Some(Duration::from_secs(7)));
    }
}

#[test]
fn a_tool_error_is_always_known() {
    let own = ToolError::new(ErrorClass::RateLimit, "slow").retry_after(Duration::from_secs(3));
    let judged = classify(&Layer::over("context", own));
    assert_eq!(judged.class(), ErrorClass::RateLimit);
    assert_eq!(judged.retry_after_hint(), Some(Duration::from_secs(3)));
}

#[test]
fn the_hosts_type_wins_over_the_built_in_one_and_the_text() {
    let error = Layer::over("timed out", Layer::over("x", number()));
    let classifier = ErrorClassifier::standard();
    assert_eq!(classifier.classify(&error).class(), ErrorClass::Internal);
    let classifier = classifier
        .on::<Layer>(|layer| verdict(if layer.text == "x" { ErrorClass::NotFound } else { ErrorClass::Conflict }));
    assert_eq!(classifier.classify(&error).class(), ErrorClass::Conflict, "the outermost");
    let classifier = ErrorClassifier::standard().on::<ParseIntError>(|_| verdict(ErrorClass::InvalidArgument));
    assert_eq!(classifier.classify(&error).class(), ErrorClass::InvalidArgument);
}

#[test]
fn the_innermost_built_in_type_decides() {
    let error = io::Error::new(ErrorKind::ConnectionReset, io::Error::new(ErrorKind::PermissionDenied, "x"));
    assert_eq!(class(&error), ErrorClass::PermissionDenied);
    let error = io::Error::new(ErrorKind::PermissionDenied, io::Error::other("x"));
    assert_eq!(class(&error), ErrorClass::PermissionDenied, "a kind that says nothing does not decide");
}

#[test]
fn no_text_lifts_a_permanent_type() {
    let classifier = ErrorClassifier::standard().pattern("(?i)teapot", ErrorClass::Timeout).unwrap();
    let error = Layer::over("HTTP 503: teapot timed out", number());
    assert_eq!(classifier.classify(&error).class(), ErrorClass::Internal);
    assert_eq!(classifier.classify(&Layer::new("Teapot")).class(), ErrorClass::Timeout);
}

#[test]
fn a_permanent_pattern_wins_over_a_transient_one_in_any_order() {
    let both = [("quota", ErrorClass::RateLimit), ("spent", ErrorClass::PermissionDenied)];
    let build = |order: [usize; 2]| {
        order.into_iter().fold(ErrorClassifier::standard(), |all, at| all.pattern(both[at].0, both[at].1).unwrap())
    };
    for order in [[0, 1], [1, 0]] {
        let class = |text| build(order).classify(&Layer::new(text)).class();
        assert_eq!(class("quota spent"), ErrorClass::PermissionDenied);
        assert_eq!(class("quota"), ErrorClass::RateLimit);
        assert_eq!(class("quota gone, order not found"), ErrorClass::NotFound, "a common permanent wording counts too");
    }
}

#[test]
fn the_order_of_registration_never_matters() {
    let known = |c: ErrorClassifier| c.knows::<Judged>();
    let layer = |c: ErrorClassifier| c.on::<Layer>(|_| verdict(ErrorClass::Conflict));
    let number_type = |c: ErrorClassifier| c.on::<ParseIntError>(|_| verdict(ErrorClass::NotFound));
    let network = |c: ErrorClassifier| c.pattern("pat", ErrorClass::Network).unwrap();
    let timeout = |c: ErrorClassifier| c.pattern("pat+", ErrorClass::Timeout).unwrap();
    let steps: [&dyn Fn(ErrorClassifier) -> ErrorClassifier; 5] = [&known, &layer, &number_type, &network, &timeout];
    let orders = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1], [1, 0, 4, 2, 3], [3, 2, 1, 4, 0]];
    for order in orders {
        let all = order.into_iter().fold(ErrorClassifier::standard(), |all, at| steps[at](all));
        assert_eq!(all.classify(&Layer::over("pat", number())).class(), ErrorClass::Conflict);
        assert_eq!(all.classify(&number()).class(), ErrorClass::NotFound);
        assert_eq!(all.classify(&Text("pat")).class(), ErrorClass::Timeout, "the first of the classes");
        let known = Judged::new("pat", verdict(ErrorClass::RateLimit));
        assert_eq!(all.classify(&Layer::over("x", known)).class(), ErrorClass::RateLimit);
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Text(&'static str);

#[cfg(feature = "discover")]
#[test]
fn what_is_linked_in_is_known_without_being_named() {
    #[derive(Debug, thiserror::Error)]
    #[error("found")]
    struct Linked;

    impl Classify for Linked {
        fn classify(&self) -> Classification {
            Classification::new(ErrorClass::Conflict)
        }
    }

    crate::__private::inventory::submit! { crate::__private::Known::of::<Linked>() }

    assert_eq!(class(&io::Error::other(Linked)), ErrorClass::Conflict);
}

#[test]
fn a_type_given_twice_is_reported_and_counts_for_nothing() {
    let once = ErrorClassifier::standard().on::<ParseIntError>(|_| verdict(ErrorClass::Timeout)).knows::<Judged>();
    assert_eq!(once.clone().knows::<Judged>().problems(), [] as [String; 0]);
    let twice = once.clone().on::<Layer>(|_| verdict(ErrorClass::Timeout));
    assert!(twice.problems().is_empty());
    let twice =
        twice.on::<ParseIntError>(|_| verdict(ErrorClass::Network)).on::<Layer>(|_| verdict(ErrorClass::Network));
    let problems = twice.problems();
    assert_eq!(problems.len(), 2);
    assert!(problems[0].contains("`core::num::") && problems[0].contains("ParseIntError`"), "{problems:?}");
    assert!(problems[1].contains("Layer`"), "{problems:?}");
    assert_eq!(twice.classify(&number()).class(), ErrorClass::Internal, "neither");
    assert!(once.problems().is_empty(), "a clone is a classifier of its own");
}

#[test]
fn a_bad_pattern_is_refused_with_its_text() {
    let error = ErrorClassifier::standard().pattern("(quota", ErrorClass::RateLimit).unwrap_err();
    assert!(error.to_string().contains("`(quota`"), "{error}");
}

#[test]
fn patterns_know_ascii_words_and_chinese_characters() {
    let class = |pattern: &str, text: &'static str| {
        let classifier = ErrorClassifier::standard().pattern(pattern, ErrorClass::RateLimit).unwrap();
        classifier.classify(&Layer::new(text)).class()
    };
    assert_eq!(class(r"(?i)\bquota exhausted\b", "QUOTA exhausted."), ErrorClass::RateLimit);
    assert_eq!(class(r"(?i)\bquota exhausted\b", "quota exhaustedly"), ErrorClass::Unknown);
    assert_eq!(class(r"^E\d{2}\s", "E42 slow"), ErrorClass::RateLimit);
    assert_eq!(class("额度.用完", "额度已用完"), ErrorClass::RateLimit);
    assert_eq!(class("[额限]度", "限度"), ErrorClass::RateLimit);
    assert_eq!(class("q=secret", "see http://h/?q=secret now"), ErrorClass::Unknown, "not in a URL");
}

#[test]
fn only_the_tool_itself_says_that_nothing_happened() {
    let no_effect = || verdict(ErrorClass::Network).no_effect();
    let classifier = ErrorClassifier::standard().knows::<Judged>().on::<Layer>(move |_| no_effect());
    let own = Judged::new("x", no_effect());
    let judged = classifier.judge(&own);
    assert!(judged.has_no_effect() && judged.is_stated());

    let part = |judged: ToolError| {
        assert_eq!(judged.class(), ErrorClass::Network);
        assert!(!judged.has_no_effect() && !judged.is_stated(), "{judged:?}");
    };
    part(classifier.judge(&Handing::to("outer", Judged::new("x", no_effect()))));
    part(classifier.judge(&Handing::to("outer", ToolError::judged(no_effect(), "x".into()))));
    part(classifier.judge(&Handing::to("outer", Layer::new("x"))));
    part(classifier.judge(&Handing::to("outer", io::Error::from(ErrorKind::ConnectionRefused))));
    part(classifier.classify(&Judged::new("x", no_effect())));
    part(classifier.classify(&Layer::new("x")));
    part(classifier.classify(&io::Error::other(ToolError::judged(no_effect(), "x".into()))));

    let boxed = ToolError::judged(no_effect(), "x".into());
    let judged = classifier.opaque(boxed.clone().into(), false);
    assert!(judged.has_no_effect() && judged.is_stated(), "what the tool returned is its own word, in a box too");
    assert!(classifier.classify(&boxed).has_no_effect());
}

#[test]
fn handing_over_keeps_the_words_and_takes_the_verdict() {
    let classifier = ErrorClassifier::standard().knows::<Judged>().knows::<Handing>();
    let judged = classifier.judge(&Handing::to("the order is not on disk", io::Error::from(ErrorKind::NotFound)));
    assert_eq!((judged.class(), judged.message()), (ErrorClass::NotFound, "the order is not on disk"));
    assert!(!judged.is_hidden());

    let stated = Judged::new("x", verdict(ErrorClass::RateLimit).retry_after(Duration::from_secs(9)).detail("shop", 4));
    let twice = Handing::to("outer", Layer::over("between", Handing::to("inner", stated)));
    let judged = classifier.judge(&twice);
    assert_eq!((judged.class(), judged.message()), (ErrorClass::RateLimit, "outer"));
    assert_eq!(judged.retry_after_hint(), Some(Duration::from_secs(9)));
    assert_eq!(judged.details().collect::<Vec<_>>(), [("shop", &4.into())]);

    let found = classifier.classify(&Layer::over("context", Handing::to("outer", number())));
    assert_eq!((found.class(), found.message()), (ErrorClass::Internal, "context: outer"));
    assert!(found.is_hidden());
}
