//! Numbers, in types that look at a value before they know what it is.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolkit::{Arguments, ErrorClass, Executor, Registry, ToolCall, ToolError, ToolResult, tool};

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "type")]
enum Wrap {
    Data { value: HashMap<String, String> },
    Num { n: f64 },
}

/// Unwraps a value.
#[tool(category = Read)]
async fn unwrap(w: Wrap) -> String {
    match w {
        Wrap::Data { value } => format!("{value:?}"),
        Wrap::Num { n } => n.to_string(),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Amount {
    Whole(i64),
    Part(f64),
    Words(String),
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
struct Sizes {
    small: Option<u8>,
    id: Option<u64>,
    huge: Option<i128>,
    part: Option<f32>,
}

/// Takes numbers of every kind.
#[tool(category = Read)]
async fn numbers(
    amount: Option<Amount>,
    x: Option<f64>,
    n: Option<i64>,
    sizes: Option<Sizes>,
    any: Option<Value>,
) -> String {
    format!("{amount:?} {x:?} {n:?} {sizes:?} {}", any.map(|any| any.to_string()).unwrap_or_default())
}

async fn call(tool: &str, arguments: &str) -> ToolResult {
    let registry = Registry::builder().tool::<unwrap>().tool::<numbers>().build().unwrap();
    Executor::builder(registry).build().unwrap().call(ToolCall::new(tool, Arguments::raw(arguments))).await
}

#[tokio::test]
async fn a_number_behind_a_tag_is_a_number() {
    assert_eq!(call("unwrap", r#"{"w":{"type":"Num","n":2.5}}"#).await.text(), "2.5");
    assert_eq!(call("unwrap", r#"{"w":{"n":"2.5","type":"Num"}}"#).await.text(), "2.5");
    assert_eq!(call("unwrap", r#"{"w":{"type":"Data","value":{"a":"b"}}}"#).await.text(), r#"{"a": "b"}"#);
}

#[tokio::test]
async fn a_number_is_no_map() {
    let refused = call("unwrap", r#"{"w":{"type":"Data","value":1.5}}"#).await;
    assert_eq!(refused.error().map(ToolError::class), Some(ErrorClass::InvalidArgument), "{}", refused.text());
    assert!(!refused.text().contains("private"), "{}", refused.text());
}

#[tokio::test]
async fn numbers_of_every_kind_are_read() {
    for (arguments, expected) in [
        (r#"{"amount":2.5}"#, "Some(Part(2.5)) None None None "),
        (r#"{"amount":7}"#, "Some(Whole(7)) None None None "),
        (r#"{"amount":"7"}"#, "Some(Words(\"7\")) None None None "),
        (r#"{"x":2.5}"#, "None Some(2.5) None None "),
        (r#"{"x":"2.5e1"}"#, "None Some(25.0) None None "),
        (r#"{"n":9007199254740993}"#, "None None Some(9007199254740993) None "),
        (r#"{"n":"9007199254740993"}"#, "None None Some(9007199254740993) None "),
        (r#"{"n":2.0}"#, "None None Some(2) None "),
        (
            r#"{"sizes":{"small":255,"id":18446744073709551615,"huge":-170141183460469231731687303715884105728,"part":0.1}}"#,
            "None None None Some(Sizes { small: Some(255), id: Some(18446744073709551615), \
             huge: Some(-170141183460469231731687303715884105728), part: Some(0.1) }) ",
        ),
        (r#"{"any":[1.5,1e400,12345678901234567890123]}"#, "None None None None [1.5,1e+400,12345678901234567890123]"),
    ] {
        assert_eq!(call("numbers", arguments).await.text(), expected, "{arguments}");
    }
}

#[tokio::test]
async fn limits_hold() {
    for arguments in [r#"{"sizes":{"small":256}}"#, r#"{"n":2.5}"#, r#"{"x":1e400}"#, r#"{"n":9223372036854775808}"#] {
        let refused = call("numbers", arguments).await;
        assert_eq!(refused.error().map(ToolError::class), Some(ErrorClass::InvalidArgument), "{arguments}");
    }
}
