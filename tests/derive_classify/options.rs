//! What stands beside the class.

use std::collections::BTreeMap;
use std::time::Duration;

use toolkit::{Classification, Classify, ErrorClass};

use super::verdict;

const SECOND: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error, Classify)]
#[error("slow down")]
enum Slow {
    #[class(rate_limit, retry_after = wait)]
    Exact { wait: Duration },
    #[class(rate_limit, retry_after = 1)]
    Maybe(u8, Option<Duration>),
    #[class(rate_limit, retry_after(secs) = 0)]
    Secs(u32),
    #[class(rate_limit, retry_after(millis) = left)]
    Millis { left: Option<u64> },
    #[class(rate_limit, retry_after(secs) = 0)]
    Signed(i64),
    #[class(rate_limit, retry_after(secs) = 0)]
    Float(f64),
    #[class(rate_limit, retry_after(millis) = 0)]
    Wide(u128),
    #[class(rate_limit, retry_after(secs) = 0)]
    MaybeFloat(Option<f32>),
}

fn hint(error: &Slow) -> Option<Duration> {
    error.classify().retry_after_hint()
}

#[test]
fn the_wait_is_read_by_its_type_and_unit() {
    assert_eq!(hint(&Slow::Exact { wait: SECOND }), Some(SECOND));
    assert_eq!(hint(&Slow::Maybe(0, Some(SECOND))), Some(SECOND));
    assert_eq!(hint(&Slow::Maybe(0, None)), None);
    assert_eq!(hint(&Slow::Secs(7)), Some(7 * SECOND));
    assert_eq!(hint(&Slow::Millis { left: Some(1250) }), Some(Duration::from_millis(1250)));
    assert_eq!(hint(&Slow::Millis { left: None }), None);
    assert_eq!(hint(&Slow::Signed(7)), Some(7 * SECOND));
    assert_eq!(hint(&Slow::Float(0.25)), Some(SECOND / 4));
    assert_eq!(hint(&Slow::Wide(1250)), Some(Duration::from_millis(1250)));
    assert_eq!(hint(&Slow::MaybeFloat(Some(0.5))), Some(SECOND / 2));
}

#[test]
fn a_number_that_is_no_length_is_no_hint() {
    for error in [Slow::Signed(-1), Slow::Float(-0.5), Slow::Float(f64::NAN), Slow::Float(f64::INFINITY)] {
        assert_eq!(hint(&error), None, "{error:?}");
    }
    for error in [Slow::Float(f64::MAX), Slow::Wide(u128::MAX)] {
        assert_eq!(hint(&error), Some(Duration::MAX), "{error:?}");
    }
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("the text of the error")]
enum Told {
    #[class(conflict, message = "the seat is taken")]
    Fixed,
    #[class(conflict, message = "{{seat}} {{}} \"is\" taken\n")]
    Braces,
    #[class(conflict, message = "row {row:>3}, seat {seat:?}, again {row}")]
    Named { seat: char, row: u8 },
    #[class(conflict, message = "only {1:.1} of {2}")]
    Indexed(NoText, f64, &'static str),
    #[class(rate_limit, retry_after = wait, message = "wait {wait:?}", no_effect)]
    Wait { wait: Duration },
}

#[derive(Debug)]
struct NoText;

#[test]
fn the_message_is_a_format_string() {
    let taken = |text: &str| Classification::new(ErrorClass::Conflict).message(text.to_owned());
    assert_eq!(Told::Fixed.classify(), taken("the seat is taken"));
    assert_eq!(Told::Braces.classify(), taken("{seat} {} \"is\" taken\n"));
    assert_eq!(Told::Named { seat: 'b', row: 7 }.classify(), taken("row   7, seat 'b', again 7"));
    assert_eq!(Told::Indexed(NoText, 2.55, "3").classify(), taken("only 2.5 of 3"));
    assert_eq!(
        Told::Wait { wait: SECOND }.classify(),
        verdict(ErrorClass::RateLimit).retry_after(SECOND).no_effect().message("wait 1s")
    );
}

#[derive(Debug, thiserror::Error, Classify)]
#[error("no")]
enum Detailed {
    #[class(not_found, detail = order, detail("near") = others)]
    Fields { order: u32, others: Vec<String>, _more: NoText },
    #[class(not_found, detail("code") = 1)]
    Indexed(u8, Option<i32>),
    #[class(not_found, detail = map)]
    NotJson { map: BTreeMap<Option<u8>, u8> },
}

#[test]
fn details_keep_their_order_and_keys() {
    let fields = Detailed::Fields { order: 5, others: vec!["a".to_owned()], _more: NoText };
    let expected = verdict(ErrorClass::NotFound).detail("order", 5).detail("near", vec!["a"]);
    assert_eq!(fields.classify(), expected);
    assert_eq!(Detailed::Indexed(0, Some(-3)).classify(), verdict(ErrorClass::NotFound).detail("code", -3));
}

#[test]
fn a_detail_that_json_cannot_hold_is_null() {
    let map = BTreeMap::from([(None, 1)]);
    let expected = verdict(ErrorClass::NotFound).detail("map", serde_json::Value::Null);
    assert_eq!(Detailed::NotJson { map }.classify(), expected);
}

#[test]
fn several_attributes_add_up() {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    #[class(hidden)]
    #[class(timeout, no_effect)]
    struct Split;
    assert_eq!(Split.classify(), verdict(ErrorClass::Timeout).hidden().no_effect());
}

#[test]
fn the_class_may_come_last() {
    #[derive(Debug, thiserror::Error, Classify)]
    #[error("-")]
    #[class(hidden, no_effect, timeout)]
    struct Last;
    assert_eq!(Last.classify(), verdict(ErrorClass::Timeout).hidden().no_effect());
}
