//! Return types: a `Result` by any name, and plain values.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolkit::{Outcome, Registry, Tool, ToolOutput, tool};

use super::{call, run};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Weather {
    degrees: i8,
}

#[derive(serde::Serialize)]
struct NoSchema {
    n: u8,
}

macro_rules! tools {
    ($($name:ident -> $ret:ty { $value:expr })*) => {$(
        /// A tool.
        #[tool(category = Read)]
        async fn $name() -> $ret {
            $value
        }
    )*};
}

tools! {
    text -> String { "a \"b\"".to_owned() }
    borrowed -> &'static str { "static" }
    cow -> std::borrow::Cow<'static, str> { "cow".into() }
    boxed -> Box<str> { "boxed".into() }
    number -> u64 { u64::MAX }
    float -> f64 { 0.5 }
    flag -> bool { true }
    nothing -> () { () }
    optional -> Option<u8> { Some(1) }
    absent -> Option<u8> { None }
    list -> Vec<Weather> { vec![Weather { degrees: 1 }, Weather { degrees: -2 }] }
    object -> Weather { Weather { degrees: 3 } }
    map -> BTreeMap<String, u8> { BTreeMap::from([("a".to_owned(), 1)]) }
    tuple -> (u8, &'static str) { (1, "b") }
    value -> Value { json!({"a": null}) }
    without_schema -> NoSchema { NoSchema { n: 1 } }
    output -> ToolOutput { ToolOutput::text("words") }
    infallible -> Result<u8, std::convert::Infallible> { Ok(7) }
    unit_result -> Result<(), std::io::Error> { Ok(()) }
    result_of_output -> Result<ToolOutput, std::io::Error> { Ok(ToolOutput::json(json!([1]))) }
    result_of_result -> Result<Option<Weather>, std::io::Error> { Ok(None) }
}

#[tokio::test]
async fn a_value_is_sent_as_words_or_as_json() {
    assert_eq!(run::<text>(json!({})).await, "a \"b\"");
    assert_eq!(run::<borrowed>(json!({})).await, "static");
    assert_eq!(run::<cow>(json!({})).await, "cow");
    assert_eq!(run::<boxed>(json!({})).await, "boxed");
    assert_eq!(run::<number>(json!({})).await, u64::MAX.to_string());
    assert_eq!(run::<float>(json!({})).await, "0.5");
    assert_eq!(run::<flag>(json!({})).await, "true");
    assert_eq!(run::<optional>(json!({})).await, "1");
    assert_eq!(run::<list>(json!({})).await, "[{\"degrees\":1},{\"degrees\":-2}]");
    assert_eq!(run::<object>(json!({})).await, "{\"degrees\":3}");
    assert_eq!(run::<map>(json!({})).await, "{\"a\":1}");
    assert_eq!(run::<tuple>(json!({})).await, "[1,\"b\"]");
    assert_eq!(run::<value>(json!({})).await, "{\"a\":null}");
    assert_eq!(run::<without_schema>(json!({})).await, "{\"n\":1}");
    assert_eq!(run::<output>(json!({})).await, "words");
    assert_eq!(run::<infallible>(json!({})).await, "7");
    assert_eq!(run::<result_of_output>(json!({})).await, "[1]");
}

#[tokio::test]
async fn nothing_is_never_an_empty_text() {
    for text in [run::<nothing>(json!({})).await, run::<unit_result>(json!({})).await, run::<absent>(json!({})).await] {
        assert!(!text.trim().is_empty());
    }
    assert!(call::<nothing>(json!({})).await.is_success());
}

/// A tool.
#[tool(category = Read)]
async fn silent(n: u32) {
    let _ = n;
}

#[tokio::test]
async fn a_function_may_return_nothing_at_all() {
    assert_eq!(call::<silent>(json!({"n": 1})).await.outcome(), Outcome::Succeeded);
}

/// A tool.
#[tool(category = Read)]
async fn opaque(fail: bool) -> Result<impl serde::Serialize + Send, std::io::Error> {
    if fail { Err(std::io::ErrorKind::NotFound.into()) } else { Ok([1, 2]) }
}

#[tokio::test]
async fn a_value_may_be_of_a_type_without_a_name() {
    assert_eq!(run::<opaque>(json!({"fail": false})).await, "[1,2]");
    assert!(!call::<opaque>(json!({"fail": true})).await.is_success());
}

/// A tool.
#[tool(category = Compute)]
fn sync(n: u8) -> Result<u8, String> {
    n.checked_add(1).ok_or_else(|| "too large".to_owned())
}

#[tokio::test]
async fn a_function_need_not_be_async() {
    assert_eq!(run::<sync>(json!({"n": 1})).await, "2");
    assert!(call::<sync>(json!({"n": 255})).await.text().contains("too large"));
    assert_eq!(sync(1), Ok(2));
}

fn output_schema<T: Tool>() -> Option<Value> {
    Registry::builder().tool::<T>().build().unwrap().iter().next().unwrap().output_schema().cloned()
}

#[test]
fn a_result_has_a_schema_where_its_type_has_one() {
    assert_eq!(output_schema::<object>().unwrap()["properties"]["degrees"]["format"], "int8");
    assert_eq!(output_schema::<object>().unwrap().get("$defs"), None);
    assert_eq!(output_schema::<list>().unwrap()["items"]["$ref"], "#/$defs/Weather");
    assert_eq!(output_schema::<infallible>().unwrap()["format"], "uint8");
    assert_eq!(output_schema::<result_of_result>().unwrap()["anyOf"][0]["$ref"], "#/$defs/Weather");
    assert_eq!(output_schema::<text>().unwrap()["type"], "string");
    for none in [
        output_schema::<without_schema>(),
        output_schema::<output>(),
        output_schema::<result_of_output>(),
        output_schema::<opaque>(),
        output_schema::<silent>(),
    ] {
        assert_eq!(none, None);
    }
}

struct Rows(u8);

fn some_rows(rows: &[u8]) -> Result<(), String> {
    if rows.is_empty() { Err("no rows".to_owned()) } else { Ok(()) }
}

mod checks {
    pub(super) fn is_small(n: &u8) -> Result<(), &'static str> {
        if *n > 9 { Err("too many") } else { Ok(()) }
    }
}

impl Rows {
    fn is_fit(text: &str) -> Result<(), std::fmt::Error> {
        if text.is_empty() { Err(std::fmt::Error) } else { Ok(()) }
    }
}

/// A tool.
#[tool(category = Read, check = some_rows)]
async fn checked_list(n: u8) -> Result<Vec<u8>, std::io::Error> {
    Ok((0..n).collect())
}

/// A tool.
#[tool(category = Read, check = checks::is_small)]
fn checked_number(n: u8) -> u8 {
    n
}

/// A tool.
#[tool(category = Read, check = Rows::is_fit)]
async fn checked_text(n: u8) -> anyhow::Result<String> {
    Ok("x".repeat(Rows(n).0.into()))
}

#[tokio::test]
async fn a_check_stands_between_the_result_and_the_model() {
    assert_eq!(run::<checked_list>(json!({"n": 2})).await, "[0,1]");
    assert_eq!(run::<checked_number>(json!({"n": 9})).await, "9");
    assert_eq!(run::<checked_text>(json!({"n": 1})).await, "x");
    for (result, reason) in [
        (call::<checked_list>(json!({"n": 0})).await, "no rows"),
        (call::<checked_number>(json!({"n": 10})).await, "too many"),
        (call::<checked_text>(json!({"n": 0})).await, "error occurred when formatting"),
    ] {
        assert_eq!(result.outcome(), Outcome::Failed);
        assert_eq!(result.attempts().len(), 1, "another attempt gives no better result");
        assert!(result.text().contains(reason), "{}", result.text());
    }
}
