//! `range`, `length`, `pattern` and `secret`: in the schema, and checked.

use serde_json::{Value, json};
use toolkit::tool;

use super::{call, property, refused, run};

/// A tool.
#[tool(category = Compute)]
async fn limits(
    #[arg(range = 1..=30)] days: u32,
    #[arg(range = -5..5)] offset: Option<i8>,
    #[arg(range = 0.0..1.0)] share: Option<f64>,
    #[arg(range = 1..)] page: Option<std::num::NonZeroU32>,
    #[arg(length = 1..=3)] tags: Option<Vec<String>>,
    #[arg(length = ..5)] word: Option<String>,
    #[arg(pattern = r"^ORD\d{3}$")] order: Option<String>,
) -> String {
    format!("{days} {offset:?} {share:?} {page:?} {tags:?} {word:?} {order:?}")
}

#[test]
fn limits_stand_in_the_schema() {
    for (name, key, value) in [
        ("days", "minimum", json!(1)),
        ("days", "maximum", json!(30)),
        ("offset", "minimum", json!(-5)),
        ("offset", "exclusiveMaximum", json!(5)),
        ("share", "minimum", json!(0.0)),
        ("share", "exclusiveMaximum", json!(1.0)),
        ("page", "minimum", json!(1)),
        ("tags", "minItems", json!(1)),
        ("tags", "maxItems", json!(3)),
        ("word", "maxLength", json!(4)),
        ("order", "pattern", json!("^ORD\\d{3}$")),
    ] {
        assert_eq!(property::<limits>(name)[key], value, "{name} {key}");
    }
}

#[tokio::test]
async fn what_is_within_the_limits_runs() {
    let all =
        json!({"days": 30, "offset": -5, "share": 0.0, "page": 9, "tags": ["a"], "word": "日本語!", "order": "ORD123"});
    let expected = "30 Some(-5) Some(0.0) Some(9) Some([\"a\"]) Some(\"日本語!\") Some(\"ORD123\")";
    assert_eq!(run::<limits>(all).await, expected);
    assert_eq!(run::<limits>(json!({"days": 1, "tags": null})).await, "1 None None None None None None");
}

#[tokio::test]
async fn what_is_beyond_the_limits_is_refused() {
    for (key, value) in [
        ("days", json!(0)),
        ("days", json!(31)),
        ("offset", json!(5)),
        ("offset", json!(-6)),
        ("share", json!(1.0)),
        ("share", json!(-0.1)),
        ("tags", json!([])),
        ("tags", json!(["a", "b", "c", "d"])),
        ("word", json!("12345")),
        ("order", json!("ORD12")),
        ("order", json!("ORD１２３")),
        ("order", json!("ORD123\n")),
    ] {
        let mut arguments = json!({"days": 1});
        arguments[key] = value.clone();
        let text = refused::<limits>(arguments).await;
        assert!(text.contains(&format!("`{key}`")), "{key} {value}: {text}");
    }
}

/// A tool.
#[tool(category = Read)]
async fn with_token(#[arg(secret, pattern = "^sk-")] token: String, n: u8) -> u8 {
    let _ = token;
    n
}

#[tokio::test]
async fn a_secret_is_in_no_message() {
    for arguments in [
        json!({"token": "hunter2", "n": 1}),
        json!({"token": ["hunter2"], "n": 1}),
        json!({"token": {"hunter2": "hunter2"}, "n": "hunter"}),
        json!({"token": "sk-hunter2", "n": 256}),
        json!({"token": "sk-hunter2", "n": 1, "more": 1}),
    ] {
        let result = call::<with_token>(arguments.clone()).await;
        assert!(!result.is_success(), "{arguments}");
        assert!(!result.text().contains("hunter2"), "{arguments}: {}", result.text());
        assert!(!format!("{result:?}").contains("hunter2"), "{arguments}: {result:?}");
    }
    assert_eq!(run::<with_token>(json!({"token": "sk-hunter2", "n": 1})).await, "1");
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Percent(#[schemars(range(min = 0, max = 100))] u8);

/// A tool.
#[tool(category = Read)]
async fn own_limits(share: Percent) -> u8 {
    share.0
}

#[tokio::test]
async fn a_type_may_bring_its_own_limits() {
    let schema = super::schema::<own_limits>();
    assert_eq!(schema["$defs"]["Percent"]["maximum"], Value::from(100));
    assert_eq!(run::<own_limits>(json!({"share": 100})).await, "100");
}

/// A tool whose limits come from a macro's arguments.
macro_rules! limited {
    ($name:ident, $least:literal, $most:expr, $pattern:literal) => {
        /// A tool.
        #[tool(category = Read)]
        async fn $name(#[arg(range = $least..=$most)] n: u8, #[arg(pattern = $pattern)] text: String) -> String {
            format!("{n}{text}")
        }
    };
}

limited!(from_macro, 2, 4, "^a+$");

#[tokio::test]
async fn limits_may_come_from_a_macro() {
    assert_eq!(property::<from_macro>("n")["maximum"], 4);
    assert_eq!(run::<from_macro>(json!({"n": 4, "text": "aa"})).await, "4aa");
    refused::<from_macro>(json!({"n": 5, "text": "aa"})).await;
}
