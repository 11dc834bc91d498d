//! Keys: known, misspelt, by another name, of the model's own.

use super::{Refused, Repaired, Row, Runs, check};

pub(super) const KEYS: &[Row] = &[
    Row("keys", r#"{"max_depth":1,"city":"Rome"}"#, Runs("1 Rome")),
    Row("keys", r#"{"city":"Rome","max_depth":1}"#, Runs("1 Rome")),
    Row("keys", r#"{"max\u005fdepth":1,"city":"Rome"}"#, Runs("1 Rome")),
    Row("keys", r#"{"maxDepth":1,"city":"Rome"}"#, Repaired("1 Rome")),
    Row("keys", r#"{"MaxDepth":1,"CITY":"Rome"}"#, Repaired("1 Rome")),
    Row("keys", r#"{"max-depth":1,"city":"Rome"}"#, Repaired("1 Rome")),
    Row("keys", r#"{"max depth":"1","city":"Rome"}"#, Repaired("1 Rome")),
    Row(
        "keys",
        r#"{"max_depth":1,"citty":"Rome"}"#,
        Refused(&["`city` is missing", "no parameter `citty`; did you mean `city`?"]),
    ),
    Row("keys", r#"{"max_depth":1,"maxDepth":2,"city":"Rome"}"#, Refused(&["no parameter `maxDepth`"])),
    Row(
        "keys",
        r#"{"MaxDepth":1,"maxDepth":1,"city":"Rome"}"#,
        Refused(&["`max_depth` is missing", "no parameter `maxDepth`"]),
    ),
    Row("keys", r#"{"depth":1,"city":"Rome"}"#, Refused(&["no parameter `depth`; did you mean `max_depth`?"])),
    Row(
        "keys",
        r#"{"max_depth":1,"city":"Rome","ctx":{},"zzz":1}"#,
        Refused(&["no parameter `ctx`", "no parameter `zzz`; the parameters are `max_depth`, `city`"]),
    ),
    Row(
        "guest",
        r#"{"guest":{"email":"a@b","seat":2}}"#,
        Refused(&["no parameter `guest.seat`; did you mean `seats`?"]),
    ),
    Row("guest", r#"{"guest":{"Email":"a@b"}}"#, Repaired(r#"Guest { email: "a@b", seats: 0, note: None }"#)),
    Row(
        "guests",
        r#"{"guests":[{"email":"a"},{"mail":"b"}]}"#,
        Refused(&["`guests[1].email` is missing", "`guests[1].mail`; did you mean `email`?"]),
    ),
    Row(
        "plant",
        r#"{"tree":{"label":"a","children":[{"label":"b","kids":[]}]}}"#,
        Refused(&["no parameter `tree.children[0].kids`"]),
    ),
];

pub(super) const ALIASES: &[Row] = &[
    Row(
        "guest",
        r#"{"guest":{"email":"a@b","remark":"x"}}"#,
        Runs(r#"Guest { email: "a@b", seats: 0, note: Some("x") }"#),
    ),
    Row(
        "guest",
        r#"{"guest":{"email":"a@b","remark":"x","seats":"1"}}"#,
        Repaired(r#"Guest { email: "a@b", seats: 1, note: Some("x") }"#),
    ),
    Row("guest", r#"{"guest":{"email":"a@b","remark":"x","note":"y"}}"#, Refused(&["no parameter `guest.remark`"])),
    Row(
        "guests",
        r#"{"guests":[{"email":"a","remark":"x"},{"email":"b","seats":"1","remark":"y"}]}"#,
        Repaired(
            r#"[Guest { email: "a", seats: 0, note: Some("x") }, Guest { email: "b", seats: 1, note: Some("y") }]"#,
        ),
    ),
    Row(
        "guests",
        r#"{"guests":[{"email":"a","remark":"x"},{"email":"b","zzz":"y"}]}"#,
        Refused(&["no parameter `guests[1].zzz`"]),
    ),
    Row("rate", r#"{"rating":{"rating":5,"tag":"abc"}}"#, Runs(r#"Limited { stars: 5, tag: "abc" }"#)),
    Row("rate", r#"{"rating":{"rating":9,"tag":"abc"}}"#, Refused(&["`rating.stars` must be from 1 to 5; 9 came"])),
    Row("rate", r#"{"rating":{"rating":"5","tag":"abc"}}"#, Repaired(r#"Limited { stars: 5, tag: "abc" }"#)),
    Row("closed", r#"{"closed":{"b":1}}"#, Runs("Closed { a: 1 }")),
    Row("closed", r#"{"closed":{"b":1,"a":1}}"#, Refused(&["no parameter `closed.b`"])),
    Row("closed", r#"{"closed":{"b":[1]}}"#, Refused(&["`closed.a` must be an integer"])),
    Row("closed", r#"{"closed":{"c":1}}"#, Refused(&["`closed.a` is missing", "no parameter `closed.c`"])),
];

pub(super) const MAPS: &[Row] = &[
    Row("map", r#"{"entries":{"a":1,"b c":2}}"#, Runs(r#"{"a": 1, "b c": 2} None"#)),
    Row("map", r#"{"entries":{"a":"1"}}"#, Repaired(r#"{"a": 1} None"#)),
    Row("map", r#"{"entries":{},"numbers":{"1":2}}"#, Runs("{} Some({1: 2})")),
    Row("map", r#"{"entries":{},"numbers":{"1":"2"}}"#, Repaired("{} Some({1: 2})")),
    Row("map", r#"{"entries":{},"numbers":{"x":2}}"#, Refused(&["the keys of `numbers` must match", "`x` does not"])),
    Row("map", r#"{"entries":{"a":"x"}}"#, Refused(&["`entries.a` must be an integer"])),
    Row("anything", r#"{"value":{"a":[1,2.5,null]}}"#, Runs(r#"{"a":[1,2.5,null]}"#)),
    Row("anything", r#"{"value":null}"#, Runs("null")),
    Row(
        "flat",
        r#"{"flat":{"name":"a","Circle":{"radius":1}}}"#,
        Runs(r#"Flat { name: "a", shape: Circle { radius: 1.0 } }"#),
    ),
    Row(
        "flat",
        r#"{"flat":{"name":"a","circle":{"radius":"1"}}}"#,
        Repaired(r#"Flat { name: "a", shape: Circle { radius: 1.0 } }"#),
    ),
    Row("flat", r#"{"flat":{"name":"a","Circle":{"radius":1},"zzz":1}}"#, Refused(&["`flat`"])),
    Row("flat", r#"{"flat":{"Circle":{"radius":1}}}"#, Refused(&["`flat.name` is missing"])),
    Row("loose", r#"{"loose":{"max_depth":1,"a":2}}"#, Runs(r#"Loose { max_depth: Some(1), more: {"a": 2} }"#)),
    Row("loose", r#"{"loose":{"maxDepth":1}}"#, Runs(r#"Loose { max_depth: None, more: {"maxDepth": 1} }"#)),
    Row("loose", r#"{"loose":{"a":"x"}}"#, Refused(&["`loose.a` must be an integer"])),
];

#[tokio::test]
async fn keys_forgive_spelling_and_name_the_nearest() {
    check(KEYS).await;
}

#[tokio::test]
async fn other_names_of_a_type_stay_accepted_and_are_checked() {
    check(ALIASES).await;
}

#[tokio::test]
async fn keys_of_the_models_own_are_left_alone() {
    check(MAPS).await;
}
