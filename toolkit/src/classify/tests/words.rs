//! Whose words the model reads, and how a chain is told.

use std::io::{self, ErrorKind};

use super::*;

#[test]
fn the_insides_of_a_program_are_hidden_and_the_rest_is_told() {
    let told = |error: &(dyn Error + 'static)| (classify(error).is_hidden(), classify(error).message().to_owned());
    let addresses = io::Error::other("db at 10.1.2.3:5432 said \"no\"\nat src/db.rs:42");
    assert_eq!(told(&addresses), (true, "db at 10.1.2.3:5432 said \"no\" at src/db.rs:42".to_owned()));
    assert_eq!(told(&"x".parse::<u8>().unwrap_err()), (true, "invalid digit found in string".to_owned()));
    let missing = io::Error::new(ErrorKind::NotFound, "no order 7");
    assert_eq!(told(&missing), (false, "no order 7".to_owned()));
}

#[test]
fn an_authors_text_is_told_in_any_class_and_left_as_it_stands() {
    let classifier = ErrorClassifier::standard();
    let judged = classifier.opaque("sold out,\n  \"again\" \\o/".into(), true);
    assert_eq!((judged.class(), judged.is_hidden()), (ErrorClass::Unknown, false));
    assert_eq!(judged.message(), "sold out,\n  \"again\" \\o/");
    assert!(!judged.is_stated());
    assert_eq!(classifier.opaque("the shop timed out".into(), true).class(), ErrorClass::Timeout);
    assert!(classifier.opaque("sold out".into(), false).is_hidden(), "the same text of somebody else");
}

#[test]
fn an_opaque_error_keeps_what_it_was_made_of() {
    let classifier = ErrorClassifier::standard();
    let judged = classifier.opaque(io::Error::from(ErrorKind::TimedOut).into(), false);
    assert_eq!(judged.class(), ErrorClass::Timeout);
    let source = Error::source(&judged).and_then(|source| source.downcast_ref::<io::Error>());
    assert_eq!(source.map(io::Error::kind), Some(ErrorKind::TimedOut));

    let own = ToolError::new(ErrorClass::Conflict, "x").detail("shop", 4).source(Layer::new("cause"));
    let judged = classifier.opaque(own.into(), false);
    assert_eq!(Error::source(&judged).map(ToString::to_string).as_deref(), Some("cause"), "not wrapped once more");
    assert_eq!(judged.details().count(), 1);
}

#[test]
fn the_hosts_verdict_may_hide_and_may_speak() {
    let judged = |verdict: Classification| {
        ErrorClassifier::standard().on::<Layer>(move |_| verdict.clone()).classify(&Layer::new("raw"))
    };
    let hidden = |class| judged(Classification::new(class)).is_hidden();
    assert!(hidden(ErrorClass::Internal) && hidden(ErrorClass::Unknown) && !hidden(ErrorClass::Conflict));
    assert!(judged(Classification::new(ErrorClass::Conflict).hidden()).is_hidden());
    let spoken = judged(Classification::new(ErrorClass::Internal).message("the shop is closed"));
    assert_eq!((spoken.is_hidden(), spoken.message()), (false, "the shop is closed"));
}

#[test]
fn a_derived_error_is_its_authors_word() {
    let classifier = ErrorClassifier::standard().knows::<Judged>();
    let own = |verdict| classifier.judge(&Judged::new("bad reply", verdict)).is_hidden();
    assert!(!own(Classification::new(ErrorClass::Internal)));
    assert!(own(Classification::new(ErrorClass::Internal).hidden()));
    let inside = Layer::over("context", Judged::new("bad reply", Classification::new(ErrorClass::Internal)));
    assert!(!classifier.classify(&inside).is_hidden());
}

#[test]
fn what_was_said_is_not_said_again() {
    let io = io::Error::other(Layer::over("a", Layer::new("b")));
    assert_eq!(classify(&Layer::over("outer", io)).message(), "outer: a: b");
    assert_eq!(classify(&Layer::over("outer: b", Layer::new("b"))).message(), "outer: b");
    assert_eq!(classify(&Layer::over("", Layer::new("b"))).message(), "b");
}

const REPORT: &str = "Error: Failed to call the search service

Caused by:
    0: request to shard 3
    1: error sending request for url (http://10.0.0.7:5003/q?page=404)
    2: operation timed out

Stack backtrace:
   0: core::result::unwrap_failed
             at /rustc/503abc/library/core/src/result.rs:429:5";

#[test]
fn the_debug_form_of_a_chain_becomes_one_line() {
    let expected = "Failed to call the search service: request to shard 3: operation timed out";
    let classifier = ErrorClassifier::standard();
    for authored in [true, false] {
        let judged = classifier.opaque(REPORT.into(), authored);
        assert_eq!((judged.class(), judged.message()), (ErrorClass::Timeout, expected));
    }
    let chain = "a\n\nCaused by:\n    order 5: gone\n";
    assert_eq!(classifier.opaque(chain.into(), true).message(), "a: order 5: gone");
    let traced = "order gone\n\nStack backtrace:\n   0: timed out";
    let judged = classifier.opaque(traced.into(), true);
    assert_eq!((judged.class(), judged.message()), (ErrorClass::Unknown, "order gone"));
}

#[test]
fn a_real_report_with_a_backtrace_is_read_the_same() {
    let error =
        anyhow::Error::from(io::Error::new(ErrorKind::TimedOut, "too slow")).context("asking").context("order 3");
    let judged = ErrorClassifier::standard().opaque(format!("{error:?}").into(), true);
    assert_eq!(judged.message(), "order 3: asking: too slow");
}

#[test]
fn the_address_of_a_request_gives_way_to_the_reason() {
    let url = "error sending request for url (http://127.0.0.1:1/search?q=hello&api_key=SUPERSECRETKEY123&page=2)";
    let alone = classify(&Layer::new(url));
    assert!(alone.message().ends_with("/search?q=hello&api_key=[redacted]&page=2)"), "{alone}");
    let told = classify(&Layer::over(url, Layer::over("tcp connect error", io::Error::from_raw_os_error(111))));
    assert!(told.message().starts_with("tcp connect error: "), "{told}");
}

#[test]
fn no_secret_is_left_in_any_view_of_the_error() {
    let text =
        "HTTP status client error (404 Not Found) for url (https://user:pw@api.example.test/x?apikey=K1&token=T1#k=K2)";
    let judged = ErrorClassifier::standard().opaque(Layer::new(text).into(), false);
    assert_eq!(judged.class(), ErrorClass::NotFound);
    for view in [judged.message().to_owned(), format!("{judged:?}"), serde_json::to_string(&judged).unwrap()] {
        assert!(view.contains("api.example.test"), "{view}");
        for secret in ["user:pw", "K1", "T1", "K2"] {
            assert!(!view.contains(secret), "{secret} in {view}");
        }
    }
    let worded = Judged::new("x", Classification::new(ErrorClass::Conflict).message("see https://a:b@h/"));
    assert_eq!(ErrorClassifier::standard().judge(&worded).message(), "see https://[redacted]@h/");
}
