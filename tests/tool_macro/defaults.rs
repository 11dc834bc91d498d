//! Defaults: evaluated once, shown in the schema, and given where the model says nothing.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde_json::json;
use toolkit::{Executor, Registry, ToolCall, tool};

use super::{call, property, required, run};

const TEN: u32 = 10;

fn ten() -> u32 {
    10
}

/// A tool.
#[tool(category = Read)]
async fn search(query: String, #[arg(default = ten())] limit: u32, #[arg(default)] exact: bool) -> String {
    format!("{query} {limit} {exact}")
}

#[tokio::test]
async fn a_default_is_in_the_schema_and_in_the_call() {
    assert_eq!(property::<search>("limit")["default"], 10);
    assert_eq!(property::<search>("exact")["default"], false);
    assert_eq!(required::<search>(), ["query"]);
    assert_eq!(run::<search>(json!({"query": "q"})).await, "q 10 false");
    assert_eq!(run::<search>(json!({"query": "q", "limit": 1, "exact": true})).await, "q 1 true");
}

#[tokio::test]
async fn null_for_an_argument_with_a_default_leaves_it_out() {
    assert_eq!(run::<search>(json!({"query": "q", "limit": null, "exact": null})).await, "q 10 false");
}

#[derive(Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Debug, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Window {
    from: u8,
    to: Option<u8>,
}

/// A tool.
#[tool(category = Read)]
#[allow(clippy::too_many_arguments)]
async fn every(
    #[arg(default = "cm")] text: String,
    #[arg(default = 'x')] letter: char,
    #[arg(default = -3)] negative: i32,
    #[arg(default = -0.5)] fraction: f64,
    #[arg(default = TEN + 1)] constant: u32,
    #[arg(default = { let a = 2; a * TEN })] block: u32,
    #[arg(default = if TEN > 5 { 1 } else { 2 })] chosen: u8,
    #[arg(default = Unit::Fahrenheit)] unit: Unit,
    #[arg(default)] own: Unit,
    #[arg(default = vec![1, 2])] list: Vec<u8>,
    #[arg(default = [("a".to_owned(), 1)].into())] map: BTreeMap<String, u8>,
    #[arg(default = Window { from: 1, to: None })] window: Window,
    #[arg(default = (1, "b".into()))] pair: (u8, String),
    #[arg(default = std::path::PathBuf::from("/srv"))] path: std::path::PathBuf,
    #[arg(default = "/")] root: std::path::PathBuf,
) -> String {
    format!(
        "{text} {letter} {negative} {fraction} {constant} {block} {chosen} {unit:?} {own:?} {list:?} {map:?} {window:?} {pair:?} {} {}",
        path.display(),
        root.display()
    )
}

#[tokio::test]
async fn a_default_may_be_any_expression() {
    assert_eq!(required::<every>(), [""; 0]);
    let expected =
        "cm x -3 -0.5 11 20 1 Fahrenheit Celsius [1, 2] {\"a\": 1} Window { from: 1, to: None } (1, \"b\") /srv /";
    assert_eq!(run::<every>(json!({})).await, expected);
    for (name, value) in [
        ("text", json!("cm")),
        ("negative", json!(-3)),
        ("fraction", json!(-0.5)),
        ("unit", json!("fahrenheit")),
        ("own", json!("celsius")),
        ("list", json!([1, 2])),
        ("map", json!({"a": 1})),
        ("window", json!({"from": 1, "to": null})),
        ("pair", json!([1, "b"])),
    ] {
        assert_eq!(property::<every>(name)["default"], value, "{name}");
    }
}

/// A tool.
#[tool(category = Read)]
async fn optional(
    #[arg(default = Some(5))] some: Option<u8>,
    #[arg(default = None)] none: Option<u8>,
    #[arg(default)] own: Option<u8>,
    #[arg(default = Some("x".to_owned()))] text: Option<String>,
) -> String {
    format!("{some:?} {none:?} {own:?} {text:?}")
}

#[tokio::test]
async fn an_optional_argument_may_have_a_default_and_keeps_null() {
    assert_eq!(run::<optional>(json!({})).await, "Some(5) None None Some(\"x\")");
    assert_eq!(run::<optional>(json!({"some": null, "text": null})).await, "None None None None");
    assert_eq!(property::<optional>("some")["default"], 5);
    assert_eq!(property::<optional>("none")["default"], json!(null));
}

thread_local! {
    static EVALUATED: Cell<u32> = const { Cell::new(0) };
}

fn counted() -> u32 {
    EVALUATED.set(EVALUATED.get() + 1);
    EVALUATED.get()
}

/// A tool.
#[tool(category = Read)]
async fn counts(#[arg(default = counted())] n: u32) -> u32 {
    n
}

#[tokio::test]
async fn a_default_is_evaluated_once() {
    let registry = Registry::builder().tool::<counts>().build().unwrap();
    let shown = registry.get("counts").unwrap().input_schema()["properties"]["n"]["default"].clone();
    let executor = Executor::builder(registry.clone()).build().unwrap();
    for _ in 0..3 {
        let result = executor.call(ToolCall::new("counts", json!({}))).await;
        assert_eq!(result.text(), shown.to_string(), "what is shown is what is given");
    }
    assert_eq!(registry.filter(|_| true).get("counts").unwrap().input_schema()["properties"]["n"]["default"], shown);
    assert_eq!(EVALUATED.get(), 1);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Unshowable;

impl serde::Serialize for Unshowable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("not today"))
    }
}

/// A tool.
#[tool(category = Read)]
async fn unshowable(#[arg(default = Unshowable)] n: Unshowable) {
    let _ = n;
}

#[test]
fn a_default_that_cannot_be_written_is_found_when_the_registry_is_built() {
    let error = Registry::builder().tool::<unshowable>().build().unwrap_err().to_string();
    assert!(error.contains("tool `unshowable`") && error.contains("the default of `n`"), "{error}");
    assert!(error.contains("not today") && error.contains("defaults.rs:"), "{error}");
}

/// A tool.
#[tool(category = Dangerous)]
async fn strict(#[arg(default = 3)] n: u8) -> u8 {
    n
}

#[tokio::test]
async fn a_dangerous_tool_has_defaults_too() {
    assert_eq!(call::<strict>(json!({})).await.text(), "3");
}

/// Shown beside the type.
#[tool(category = Read)]
async fn examples(
    #[arg(example = "ORD1")] order: String,
    #[arg(example = 3, default = 2)] count: u8,
    #[arg(example = ["a", "b"])] tags: Vec<String>,
    #[arg(example = Window { from: 1, to: Some(2) })] window: Window,
) -> String {
    format!("{order} {count} {tags:?} {window:?}")
}

#[test]
fn an_example_is_in_the_schema() {
    assert_eq!(property::<examples>("order")["examples"], json!(["ORD1"]));
    assert_eq!(property::<examples>("count")["examples"], json!([3]));
    assert_eq!(property::<examples>("tags")["examples"], json!([["a", "b"]]));
    assert_eq!(property::<examples>("window")["examples"], json!([{"from": 1, "to": 2}]));
    assert_eq!(required::<examples>(), ["order", "tags", "window"]);
}
