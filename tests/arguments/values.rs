//! Values by what the schema asks for.

use toolkit::RepairMode;

use super::{Refused, Repaired, Row, Runs, check, executor, run};

pub(super) const INTEGERS: &[Row] = &[
    Row("count", r#"{"n":"2"}"#, Repaired("2")),
    Row("count", r#"{"n":" 2 "}"#, Repaired("2")),
    Row("count", r#"{"n":2.0}"#, Repaired("2")),
    Row("count", r#"{"n":2e0}"#, Repaired("2")),
    Row("count", r#"{"n":1e3}"#, Repaired("1000")),
    Row("count", r#"{"n":-0}"#, Repaired("0")),
    Row("count", r#"{"n":"-0"}"#, Repaired("0")),
    Row("count", r#"{"n":9007199254740993}"#, Runs("9007199254740993")),
    Row("count", r#"{"n":"9007199254740993"}"#, Repaired("9007199254740993")),
    Row("count", r#"{"n":-9223372036854775808}"#, Runs("-9223372036854775808")),
    Row("sizes", r#"{"id":18446744073709551615}"#, Runs("None Some(18446744073709551615) None None")),
    Row(
        "sizes",
        r#"{"huge":-170141183460469231731687303715884105728}"#,
        Runs("None None Some(-170141183460469231731687303715884105728) None"),
    ),
    Row(
        "sizes",
        r#"{"huge":"170141183460469231731687303715884105727"}"#,
        Repaired("None None Some(170141183460469231731687303715884105727) None"),
    ),
    Row(
        "sizes",
        r#"{"vast":340282366920938463463374607431768211455,"small":"1"}"#,
        Repaired("Some(1) None None Some(340282366920938463463374607431768211455)"),
    ),
    Row(
        "sizes",
        r#"{"vast":340282366920938463463374607431768211456}"#,
        Refused(&["`vast`", "340282366920938463463374607431768211455"]),
    ),
    Row("count", r#"{"n":2.5}"#, Refused(&["`n` must be an integer from -9223372036854775808", "a number came: 2.5"])),
    Row("count", r#"{"n":"2.5"}"#, Refused(&["a string came: \"2.5\""])),
    Row("count", r#"{"n":"two"}"#, Refused(&["`n` must be an integer"])),
    Row("count", r#"{"n":"1,000"}"#, Refused(&["`n` must be an integer"])),
    Row("count", r#"{"n":"007"}"#, Refused(&["`n` must be an integer"])),
    Row("count", r#"{"n":true}"#, Refused(&["a boolean came"])),
    Row("count", r#"{"n":[2]}"#, Refused(&["an array came"])),
    Row("count", r#"{"n":""}"#, Refused(&["`n` must be an integer"])),
    Row("sizes", r#"{"small":""}"#, Repaired("None None None None")),
    Row("sizes", r#"{"small":256}"#, Refused(&["`small` must be from 0 to 255; 256 came"])),
    Row("sizes", r#"{"small":"256"}"#, Refused(&["`small` must be from 0 to 255"])),
    Row("sizes", r#"{"id":-1}"#, Refused(&["`id`", "0 to 18446744073709551615"])),
    Row("count", r#"{"n":9223372036854775808}"#, Refused(&["9223372036854775807"])),
];

pub(super) const FORMATS: &[Row] = &[
    Row("reach", r#"{"contact":{"mail":"a@example.com"}}"#, Runs("Contact { mail: \"a@example.com\", page: None }")),
    Row(
        "reach",
        r#"{"contact":{"mail":"Ada"}}"#,
        Refused(&["`contact.mail` must be an e-mail address", "\"Ada\" came"]),
    ),
    Row(
        "reach",
        r#"{"contact":{"mail":"a@example.com","page":"example.com"}}"#,
        Refused(&["`contact.page` must be a whole URI", "\"example.com\" came"]),
    ),
    Row("address", r#"{"ip":"192.0.2.1"}"#, Runs("192.0.2.1 None")),
    Row(
        "address",
        r#"{"ip":"localhost"}"#,
        Refused(&["`ip` must be an IPv4 address as in \"192.0.2.1\"; \"localhost\" came"]),
    ),
];

pub(super) const NUMBERS: &[Row] = &[
    Row("float", r#"{"x":2.5}"#, Runs("2.5")),
    Row("float", r#"{"x":2}"#, Runs("2")),
    Row("float", r#"{"x":2.50}"#, Runs("2.5")),
    Row("float", r#"{"x":2.1844674407370954}"#, Runs("2.1844674407370954")),
    Row("float", r#"{"x":"2.5"}"#, Repaired("2.5")),
    Row("float", r#"{"x":NaN}"#, Refused(&["no NaN and no Infinity"])),
    Row("float", r#"{"x":-Infinity}"#, Refused(&["no NaN and no Infinity"])),
    Row("float", r#"{"x":"NaN"}"#, Refused(&["`x` must be a number"])),
    Row("float", r#"{"x":"inf"}"#, Refused(&["`x` must be a number"])),
    Row("float", r#"{"x":1e400}"#, Refused(&["`x` must be a finite number"])),
    Row("float", r#"{"x":"1e400"}"#, Refused(&["`x` must be a number"])),
    Row("float", r#"{"x":"2,5"}"#, Refused(&["`x` must be a number"])),
    Row("float", r#"{"x":""}"#, Refused(&["`x` must be a number"])),
    Row("single", r#"{"x":0.1}"#, Runs("0.1")),
    Row("single", r#"{"x":1e39}"#, Refused(&["`x` must be from -3.4028235e38 to 3.4028235e38"])),
    Row("tuple", r#"{"at":[1,2],"size":2.5}"#, Runs("Position(1, 2) Meters(2.5)")),
    Row("tuple", r#"{"at":["1",2],"size":"2.5"}"#, Repaired("Position(1, 2) Meters(2.5)")),
    Row("tuple", r#"{"at":[1,2,3],"size":1}"#, Refused(&["`at` must have at most 2 items and has 3"])),
    Row("tuple", r#"{"at":{"x":1,"y":2},"size":1}"#, Refused(&["`at` must be an array"])),
];

pub(super) const BOOLEANS: &[Row] = &[
    Row("flag", r#"{"on":true}"#, Runs("true")),
    Row("flag", r#"{"on":"true"}"#, Repaired("true")),
    Row("flag", r#"{"on":"False"}"#, Repaired("false")),
    Row("flag", r#"{"on":1}"#, Refused(&["`on` must be true or false; a number came: 1"])),
    Row("flag", r#"{"on":0}"#, Refused(&["`on` must be true or false"])),
    Row("flag", r#"{"on":"yes"}"#, Refused(&["`on` must be true or false; a string came: \"yes\""])),
    Row("flag", r#"{"on":null}"#, Refused(&["`on` must be true or false; null came"])),
];

pub(super) const TEXTS: &[Row] = &[
    Row("say", r#"{"text":"true"}"#, Runs("\"true\"")),
    Row("say", r#"{"text":"null"}"#, Runs("\"null\"")),
    Row("say", r#"{"text":"5"}"#, Runs("\"5\"")),
    Row("say", r#"{"text":"[1]"}"#, Runs("\"[1]\"")),
    Row("say", r#"{"text":"{\"a\":1}"}"#, Runs(r#""{\"a\":1}""#)),
    Row("say", r#"{"text":""}"#, Runs("\"\"")),
    Row("say", r#"{"text":" x "}"#, Runs("\" x \"")),
    Row("keys", r#"{"city":"[1]","max_depth":"1"}"#, Repaired("1 [1]")),
    Row("text", r#"{"text":"[\"a\"]"}"#, Runs(r#"Words("[\"a\"]")"#)),
    Row("text", r#"{"text":["a"]}"#, Runs(r#"Rows(["a"])"#)),
    Row("say", r#"{"text":7}"#, Refused(&["`text` must be a string; a number came: 7"])),
    Row("say", r#"{"text":007}"#, Refused(&["no JSON value"])),
    Row("say", r#"{"text":true}"#, Refused(&["a boolean came"])),
    Row("say", r#"{"text":null}"#, Refused(&["`text` must be a string; null came"])),
];

pub(super) const LISTS: &[Row] = &[
    Row("list", r#"{"items":["a","b"]}"#, Runs(r#"["a", "b"]"#)),
    Row("list", r#"{"items":"[\"a\",\"b\"]"}"#, Repaired(r#"["a", "b"]"#)),
    Row("list", r#"{"items":""}"#, Repaired("[]")),
    Row("list", r#"{"items":"a, b"}"#, Refused(&["`items` must be an array; a string came: \"a, b\""])),
    Row("list", r#"{"items":{"0":"a"}}"#, Refused(&["`items` must be an array; an object came"])),
    Row("list", r#"{"items":"a"}"#, Refused(&["`items` must be an array"])),
    Row("list", r#"{"items":7}"#, Refused(&["`items` must be an array"])),
    Row("grid", r#"{"rows":[[1],"[2, \"3\"]"]}"#, Repaired("[[1], [2, 3]]")),
    Row("grid", r#"{"rows":[1,[2]]}"#, Refused(&["`rows[0]` must be an array; a number came: 1"])),
    Row("set", r#"{"items":[2,1]}"#, Runs("{1, 2}")),
    Row("set", r#"{"items":[1,1]}"#, Refused(&["`items` must not hold an item twice"])),
    Row("set", r#"{"items":[1,"1"]}"#, Refused(&["`items` must not hold an item twice"])),
    Row("set", r#"{"items":[1,1.0]}"#, Refused(&["`items` must not hold an item twice"])),
    Row(
        "guests",
        r#"{"guests":["{\"email\":\"a@b\"}"]}"#,
        Repaired(r#"[Guest { email: "a@b", seats: 0, note: None }]"#),
    ),
    Row(
        "guest",
        r#"{"guest":"{\"email\":\"a@b\",\"seats\":\"2\"}"}"#,
        Repaired(r#"Guest { email: "a@b", seats: 2, note: None }"#),
    ),
    Row(
        "guest",
        "{\"guest\":\"{\\\"email\\\":\\\"a@b\\\",\\n\\\"note\\\":\\\"x\\ny\\\"}\"}",
        Repaired(r#"Guest { email: "a@b", seats: 0, note: Some("x\ny") }"#),
    ),
    Row("guest", r#"{"guest":"a@b"}"#, Refused(&["`guest` must be an object with `email`; a string came"])),
];

pub(super) const NULLS: &[Row] = &[
    Row("optional", r#"{"n":null}"#, Runs("None None 7")),
    Row("optional", r#"{"limit":null}"#, Repaired("None None 7")),
    Row("twice", r#"{"n":null}"#, Runs("Some(None)")),
    Row("twice", "{}", Runs("None")),
    Row("twice", r#"{"n":"3"}"#, Repaired("Some(Some(3))")),
    Row("optional", r#"{"n":"null"}"#, Refused(&["`n` must be", "or null", "a string came: \"null\""])),
    Row("optional", r#"{"n":"None"}"#, Refused(&["`n` must be"])),
    Row("optional", r#"{"text":"null"}"#, Runs("None Some(\"null\") 7")),
    Row(
        "guest",
        r#"{"guest":{"email":"a@b","seats":null}}"#,
        Repaired(r#"Guest { email: "a@b", seats: 0, note: None }"#),
    ),
    Row("guest", r#"{"guest":null}"#, Refused(&["`guest` must be an object with `email`; null came"])),
    Row("maybe_unit", r#"{"unit":null,"n":"1"}"#, Repaired("None Some(1)")),
];

pub(super) const LIMITS: &[Row] = &[
    Row("limits", r#"{"nights":30,"code":"日本語"}"#, Runs("30 日本語 ORD000")),
    Row("limits", r#"{"nights":"30","code":"abc","order":"ORD123"}"#, Repaired("30 abc ORD123")),
    Row(
        "limits",
        r#"{"nights":31,"code":""}"#,
        Refused(&["`nights` must be from 1 to 30; 31 came", "`code` must have at least 1 character and has 0"]),
    ),
    Row(
        "limits",
        r#"{"nights":1,"code":"abcd","order":"ord123"}"#,
        Refused(&["`code` must have at most 3 characters", "`order` must match the pattern ^ORD[0-9]{3}$"]),
    ),
    Row("rate", r#"{"rating":{"stars":5,"tag":"abc"}}"#, Runs(r#"Limited { stars: 5, tag: "abc" }"#)),
    Row(
        "rate",
        r#"{"rating":{"stars":6,"tag":"abcd"}}"#,
        Refused(&[
            "`rating.stars` must be from 1 to 5; 6 came",
            "`rating.tag` must have at most 3 characters and has 4",
        ]),
    ),
    Row("address", r#"{"ip":"10.0.0.1"}"#, Runs("10.0.0.1 None")),
    Row("address", r#"{"ip":"10.0.0.300"}"#, Refused(&["`ip` must be an IPv4 address", "\"10.0.0.300\" came"])),
    Row("address", r#"{"ip":"10.0.0.1","port":7}"#, Refused(&["`port`: the port must be even"])),
    Row("address", r#"{"ip":"10.0.0.1","port":"8"}"#, Repaired("10.0.0.1 Some(Even(8))")),
];

#[tokio::test]
async fn whole_numbers_keep_every_digit() {
    check(INTEGERS).await;
}

#[tokio::test]
async fn other_numbers_are_finite() {
    check(NUMBERS).await;
    check(FORMATS).await;
}

#[tokio::test]
async fn booleans_are_words() {
    check(BOOLEANS).await;
}

#[tokio::test]
async fn texts_are_never_touched() {
    check(TEXTS).await;
}

#[tokio::test]
async fn lists_and_objects_may_stand_in_a_text() {
    check(LISTS).await;
}

#[tokio::test]
async fn null_is_what_the_schema_makes_of_it() {
    check(NULLS).await;
}

#[tokio::test]
async fn what_the_schema_shows_is_enforced() {
    check(LIMITS).await;
}

#[tokio::test]
async fn every_whole_number_of_64_bits_is_read_exactly() {
    let executor = executor(RepairMode::Lossless);
    for n in (0..63).flat_map(|bits| [1_i64 << bits, (1 << bits) - 1, -(1 << bits), (1 << bits) + 1]) {
        for written in [format!("{n}"), format!("\"{n}\""), format!("{n}.0"), format!("{n}e0")] {
            let ran = run(&executor, "count", format!("{{\"n\":{written}}}")).await;
            assert_eq!(ran.map(|(text, _)| text), Ok(n.to_string()), "{written}");
        }
    }
}
