//! From the text to one object.

use toolkit::RepairMode;

use super::{Refused, Repaired, Row, Runs, check, executor, run};

pub(super) const NOTHING: &[Row] = &[
    Row("nothing", "", Runs("ran")),
    Row("nothing", "   ", Runs("ran")),
    Row("nothing", "\n", Runs("ran")),
    Row("nothing", "null", Runs("ran")),
    Row("nothing", "{}", Runs("ran")),
    Row("nothing", " {} ", Runs("ran")),
    Row("nothing", "[]", Runs("ran")),
    Row("nothing", r#""{}""#, Repaired("ran")),
    Row("nothing", r#""""#, Repaired("ran")),
    Row("nothing", r#"{"input":{}}"#, Repaired("ran")),
    Row("nothing", r#"{"reason":"none"}"#, Refused(&["no parameter `reason`; none is taken here"])),
    Row("optional", "null", Runs("None None 7")),
    Row("optional", "", Runs("None None 7")),
    Row(
        "keys",
        "",
        Refused(&["`max_depth` is missing: it must be an integer from 0 to 4294967295", "`city` is missing"]),
    ),
    Row("keys", "null", Refused(&["`max_depth` is missing", "`city` is missing: it must be a string"])),
    Row("keys", "[]", Refused(&["`max_depth` is missing", "`city` is missing"])),
    Row("keys", r#""{}""#, Refused(&["`max_depth` is missing", "`city` is missing"])),
];

pub(super) const AROUND: &[Row] = &[
    Row("count", r#"{"n":2}"#, Runs("2")),
    Row("count", r#""{\"n\": 2}""#, Repaired("2")),
    Row("count", r#""\"{\\\"n\\\": 2}\"""#, Repaired("2")),
    Row("count", r#""\"\\\"{\\\\\\\"n\\\\\\\": 2}\\\"\"""#, Refused(&["one JSON object, and a string came"])),
    Row("count", r#"{"input":{"n":2}}"#, Repaired("2")),
    Row("count", r#"{"arguments":{"n":2}}"#, Repaired("2")),
    Row("count", r#"{"parameters":{"args":{"kwargs":{"n":2}}}}"#, Repaired("2")),
    Row("count", r#"{"input":{"input":{"input":{"input":{"n":2}}}}}"#, Refused(&["`n` is missing"])),
    Row("count", r#"{"properties":{"n":2}}"#, Repaired("2")),
    Row("count", r#"{"params":"{\"n\": 2}"}"#, Repaired("2")),
    Row("count", r#"{"input":{"n":2},"id":1}"#, Refused(&["`n` is missing", "no parameter `input`"])),
    Row("count", r#"{"input":[2]}"#, Refused(&["`n` is missing"])),
    Row("count", r#"{"wrong":{"n":2}}"#, Refused(&["`n` is missing", "no parameter `wrong`"])),
    Row("count", r#"{"name":"count","arguments":{"n":2}}"#, Repaired("2")),
    Row("count", r#"{"arguments":"{\"n\":2}","name":"count"}"#, Repaired("2")),
    Row("count", r#"{"name":"other","arguments":{"n":2}}"#, Refused(&["`n` is missing"])),
    Row("count", "{\"n\": 2}</tool_call>", Repaired("2")),
    Row("count", "{\"n\": 2}}", Repaired("2")),
    Row("count", "{\"n\": 2}}}", Refused(&["text follows the object"])),
    Row("count", "{\"n\": 2};", Repaired("2")),
    Row("count", "{\"n\": 2} and that is all", Refused(&["text follows the object"])),
    Row("count", "here: {\"n\": 2}", Refused(&["no JSON value"])),
    Row("count", "```json\n{\"n\": 2}\n```", Repaired("2")),
    Row("count", "\u{feff}{\"n\": 2}", Repaired("2")),
    Row("count", "{\"n\":\u{a0}2}", Repaired("2")),
    Row("count", "{\"n\": 2} // two", Repaired("2")),
    Row("count", "{/* the number */ \"n\": 2}", Repaired("2")),
    Row("count", "{\"n\": 2,}", Repaired("2")),
    Row("count", "{,\"n\": 2}", Refused(&["expected a key in quotes"])),
    Row("count", "{'n': 2}", Repaired("2")),
    Row("count", "{n: 2}", Repaired("2")),
    Row("flag", "{\"on\": True}", Repaired("true")),
    Row("optional", "{\"n\": None, \"text\": 'it\\'s'}", Repaired("None Some(\"it's\") 7")),
    Row("say", "{\"text\": \"a\nb\tc\"}", Repaired(r#""a\nb\tc""#)),
    Row("say", r#"{"text":"\ud83d\ude00"}"#, Runs("\"😀\"")),
    Row("say", r#"{"text": "\ud99c"}"#, Refused(&["surrogate", "line 1, column 11"])),
    Row("say", r#"{"text": "\ud99cx"}"#, Refused(&["surrogate"])),
    Row("say", r#"{"text": "\udc00"}"#, Refused(&["surrogate"])),
    Row("say", r#"{"text": "C:\dir"}"#, Refused(&["escape is none of JSON's"])),
];

pub(super) const TWO_READINGS: &[Row] = &[
    Row("count", r#"{"n": 1}{"n": 2}"#, Refused(&["one object per call"])),
    Row("count", r#"{"n": 1} {"n": 2}"#, Refused(&["one object per call"])),
    Row("count", r#"[{"n": 1}]"#, Refused(&["one JSON object, and an array came"])),
    Row("count", "2", Refused(&["one JSON object, and a number came"])),
    Row("count", r#"{"n": 1, "n": 2}"#, Refused(&["`n` stands twice, with 1 and with 2"])),
    Row("count", r#"{"n": 1, "n": 1}"#, Runs("1")),
    Row("count", r#"{"n": 1, "n": 1.0}"#, Refused(&["`n` stands twice"])),
    Row("map", r#"{"entries": {"a": 1, "a": 2}}"#, Refused(&["`a` stands twice"])),
    Row("map", r#"{"entries": {"a": 1, "a": 1}}"#, Runs(r#"{"a": 1} None"#)),
    Row("guest", r#"{"guest": {"email": "a", "email": "b"}}"#, Refused(&["`email` stands twice"])),
    Row("anything", r#"{"value": {"a": 1, "a": 2}}"#, Refused(&["`a` stands twice"])),
    Row("pay", r#"{"payment": {"kind": "later", "kind": "cash"}}"#, Refused(&["`kind` stands twice"])),
    Row("count", "[2]", Refused(&["an array came"])),
    Row("guest", r#"{"guest":["a@b",1]}"#, Refused(&["`guest` must be an object", "an array came"])),
    Row("guests", r#"{"guests":[["a@b",1]]}"#, Refused(&["`guests[0]` must be an object"])),
    Row("draw", r#"{"shape":{"Circle":[1.0]}}"#, Refused(&["`shape.Circle` must be an object"])),
    Row("pay", r#"{"payment":["card","1"]}"#, Refused(&["`payment` must be"])),
];

#[tokio::test]
async fn nothing_is_an_empty_object() {
    check(NOTHING).await;
}

#[tokio::test]
async fn what_surrounds_the_object_is_taken_off() {
    check(AROUND).await;
}

#[tokio::test]
async fn what_has_two_readings_is_refused() {
    check(TWO_READINGS).await;
}

#[tokio::test]
async fn what_is_cut_off_never_runs() {
    let executor = executor(RepairMode::Lossless);
    for (tool, whole) in [
        ("guests", r#"{"guests": [{"email": "a@example.com\u00e9", "seats": -2.5e10, "note": null}], "x": true}"#),
        ("guests", r#""{\"guests\": [{\"email\": \"a\"}]}""#),
        ("guests", "```json\n{'guests': [{email: 'a', /* b */ seats: 2,}]}"),
        ("optional", "{\"text\": \"a\"}"),
    ] {
        for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let problems = run(&executor, tool, &whole[..end]).await;
            // What stands before the object is no beginning of one.
            let fence = whole.starts_with('`') && end < 8;
            assert!(fence || problems.is_err_and(|text| text.contains("cut off")), "{tool} {}", &whole[..end]);
        }
    }
}
