//! Numbers, characters, and the number-like types of the standard library and of others.

use std::num::{NonZero, NonZeroI64, NonZeroU32};
use std::time::Duration;

use serde_json::json;
use toolkit::tool;

use super::{property, refused, run};

/// A tool.
#[tool(category = Read)]
async fn nums(a: u64, b: i128, c: NonZeroU32, d: f32, e: usize, g: char, h: u8) -> String {
    format!("{a} {b} {c} {d} {e} {g} {h}")
}

#[tokio::test]
async fn every_number_has_its_bounds() {
    let schema = super::schema::<nums>();
    assert_eq!(schema["properties"]["a"], json!({"type": "integer", "format": "uint64", "minimum": 0}));
    assert_eq!(schema["properties"]["b"], json!({"type": "integer", "format": "int128"}));
    assert_eq!(schema["properties"]["c"], json!({"type": "integer", "format": "uint32", "minimum": 1}));
    assert_eq!(schema["properties"]["d"], json!({"type": "number", "format": "float"}));
    assert_eq!(schema["properties"]["e"], json!({"type": "integer", "format": "uint", "minimum": 0}));
    assert_eq!(schema["properties"]["g"], json!({"type": "string", "minLength": 1, "maxLength": 1}));
    assert_eq!(schema["properties"]["h"], json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255}));
    assert!(!schema.to_string().contains(".0"), "an integer is written as one: {schema}");
    let all = json!({"a": u64::MAX, "b": -5, "c": 1, "d": 0.5, "e": 7, "g": "é", "h": 255});
    assert_eq!(run::<nums>(all).await, format!("{} -5 1 0.5 7 é 255", u64::MAX));
}

#[tokio::test]
async fn a_number_out_of_bounds_is_refused() {
    let with = |key: &str, value: serde_json::Value| {
        let mut all = json!({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "g": "x", "h": 1});
        all[key] = value;
        all
    };
    for (key, value) in [
        ("a", json!(-1)),
        ("c", json!(0)),
        ("d", json!("x")),
        ("e", json!(1.5)),
        ("g", json!("xy")),
        ("g", json!("")),
        ("h", json!(256)),
        ("h", json!(-1)),
        ("h", json!(null)),
    ] {
        let text = refused::<nums>(with(key, value.clone())).await;
        assert!(text.contains(&format!("`{key}`")), "{value}: {text}");
    }
}

/// A tool.
#[tool(category = Read)]
async fn wide(a: u128, b: i128, c: NonZero<u128>, d: NonZeroI64, e: isize, f: f64) -> String {
    format!("{a} {b} {c} {d} {e} {f}")
}

#[tokio::test]
async fn no_digit_of_a_large_number_is_lost() {
    let text = format!(
        r#"{{"a": {}, "b": {}, "c": {}, "d": {}, "e": {}, "f": 1e300}}"#,
        u128::MAX,
        i128::MIN,
        u128::MAX - 1,
        i64::MIN,
        isize::MIN
    );
    let result = super::call::<wide>(text).await;
    let expected = format!("{} {} {} {} {} {}", u128::MAX, i128::MIN, u128::MAX - 1, i64::MIN, isize::MIN, 1e300);
    assert_eq!(result.text(), expected);
}

/// A tool.
#[tool(category = Read)]
async fn waits(time: Duration, until: Option<Duration>) -> String {
    format!("{time:?} {until:?}")
}

#[tokio::test]
async fn a_duration_is_seconds_and_nanoseconds() {
    let schema = super::schema::<waits>();
    assert_eq!(schema["$defs"]["Duration"]["required"], json!(["secs", "nanos"]));
    assert_eq!(run::<waits>(json!({"time": {"secs": 1, "nanos": 500_000_000}})).await, "1.5s None");
}

/// A tool.
#[tool(category = Read)]
async fn foreign(
    id: uuid::Uuid,
    day: chrono::NaiveDate,
    at: chrono::DateTime<chrono::Utc>,
    page: url::Url,
    other: Option<uuid::Uuid>,
) -> String {
    format!("{id} {day} {at} {page} {other:?}")
}

#[tokio::test]
async fn types_of_other_crates_have_their_formats() {
    assert_eq!(property::<foreign>("id"), json!({"type": "string", "format": "uuid"}));
    assert_eq!(property::<foreign>("day"), json!({"type": "string", "format": "date"}));
    assert_eq!(property::<foreign>("at"), json!({"type": "string", "format": "date-time"}));
    assert_eq!(property::<foreign>("page"), json!({"type": "string", "format": "uri"}));
    assert_eq!(property::<foreign>("other"), json!({"type": ["string", "null"], "format": "uuid"}));
    let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let all = json!({"id": id, "day": "2026-02-28", "at": "2026-02-28T12:00:00Z", "page": "https://example.com/a b"});
    let expected = format!("{id} 2026-02-28 2026-02-28 12:00:00 UTC https://example.com/a%20b None");
    assert_eq!(run::<foreign>(all).await, expected);
    let text = refused::<foreign>(
        json!({"id": "x", "day": "2026-02-28", "at": "2026-02-28T12:00:00Z", "page": "https://example.com"}),
    )
    .await;
    assert!(text.contains("`id`"), "{text}");
}
