use std::collections::HashSet as StdHashSet;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn ids(given: &[&str]) -> Vec<String> {
    let written =
        |id: &&str| Written { id: (*id).to_owned(), name: String::new(), arguments: arguments(None), place: 0 };
    Reply::new(given.iter().map(written).collect(), false).calls.into_iter().map(|call| call.id).collect()
}

#[test]
fn ids_that_were_given_stay() {
    assert_eq!(ids(&["call_b", "call_a", "FG5wT9xQz"]), ["call_b", "call_a", "FG5wT9xQz"]);
}

#[test]
fn missing_ids_are_filled_in_by_place() {
    assert_eq!(ids(&["", "x", " "]), ["call_0", "x", "call_2"]);
}

#[test]
fn an_id_for_several_calls_stays_with_the_first() {
    assert_eq!(ids(&["edit:22", "edit:22", "edit:22"]), ["edit:22", "edit:22_1", "edit:22_2"]);
}

#[test]
fn what_is_filled_in_never_meets_what_was_given() {
    assert_eq!(ids(&["", "call_0", "call_0"]), ["call_0_1", "call_0", "call_0_2"]);
    assert_eq!(ids(&["a", "a", "a_1", "a_1"]), ["a", "a_2", "a_1", "a_1_1"]);
}

#[test]
fn many_equal_ids_take_no_longer_than_others() {
    let many = vec!["same"; 20_000];
    assert_eq!(ids(&many).last().map(String::as_str), Some("same_19999"));
}

#[test]
fn arguments_come_in_many_forms() {
    let text = |value: Value| arguments(Some(&value)).text().into_owned();
    assert_eq!(arguments(None).text(), "{}");
    assert_eq!(text(json!(null)), "{}");
    assert_eq!(text(json!("")), "{}");
    assert_eq!(text(json!({"a": 1})), r#"{"a":1}"#);
    assert_eq!(text(json!("{\"a\": 1}")), "{\"a\": 1}");
    assert_eq!(text(json!(5)), "5");
}

#[test]
fn the_history_holds_objects_only() {
    let back = |text: &str| object_text(&Arguments::raw(text));
    assert_eq!(back("{\"a\": 1}"), "{\"a\": 1}");
    assert_eq!(back("\"{\\\"a\\\":1}\""), "{\"a\":1}");
    assert_eq!(back("[]"), "{}");
    assert_eq!(back("null"), "{}");
    assert_eq!(back("{\"t\":\"ab"), r#"{"invalid":"{\"t\":\"ab"}"#);
    assert_eq!(back("5"), r#"{"invalid":"5"}"#);
    assert_eq!(back("\"text\""), r#"{"invalid":"\"text\""}"#);
}

proptest! {
    #[test]
    fn ids_are_each_there_once(given in vec("[a_1]{0,3}|call_[0-3]", 0..12)) {
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let filled = ids(&given);
        prop_assert_eq!(filled.len(), given.len());
        prop_assert_eq!(filled.iter().collect::<StdHashSet<_>>().len(), filled.len());
        prop_assert!(filled.iter().all(|id| !id.trim().is_empty()));
        // The first call with an id keeps it.
        for (place, id) in given.iter().enumerate() {
            if !id.is_empty() && !given[..place].contains(id) {
                prop_assert_eq!(&filled[place], id);
            }
        }
        prop_assert_eq!(ids(&given), filled);
    }

    #[test]
    fn what_goes_back_is_an_object(text in ".{0,40}|[{}\\[\\]\",:a1]{0,12}") {
        let back = object_text(&Arguments::raw(text));
        prop_assert!(serde_json::from_str::<Map<String, Value>>(&back).is_ok());
    }
}
