//! Tools that take every kind of type, with arguments that each accepts and arguments that each refuses.

// A tool owns its arguments, and these are here for their types alone.
#![allow(clippy::needless_pass_by_value, clippy::many_single_char_names, clippy::too_many_arguments, dead_code)]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroU16;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolkit::{Registry, tool};

/// A place to deliver to.
#[derive(Deserialize, JsonSchema)]
struct Address {
    /// Street and number.
    street: String,
    /// Where it is.
    point: Option<Point>,
}

#[derive(Deserialize, JsonSchema)]
struct Point {
    lat: f64,
    lon: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Metric,
    Imperial,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Speed {
    /// In a week or so.
    Slow,
    /// Tomorrow.
    Fast,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: u32 },
}

#[derive(Deserialize, JsonSchema)]
enum Payment {
    Cash,
    Card { number: String },
    Transfer(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Name(String),
}

#[derive(Deserialize, JsonSchema)]
struct Node {
    value: i32,
    #[serde(default)]
    children: Vec<Node>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Empty {}

#[derive(Deserialize, JsonSchema)]
struct Nothing;

#[derive(Deserialize, JsonSchema)]
#[schemars(title = "Settings of a search")]
struct Settings {
    #[serde(default = "ten")]
    limit: u16,
    #[serde(default)]
    title: String,
    #[schemars(length(min = 1, max = 8), regex(pattern = "^[a-z]+$"))]
    code: Option<String>,
    #[schemars(example = &"2026-11-30T12:00:00", extend("format" = "partial-date-time"))]
    at: Option<String>,
    #[schemars(extend("format" = "uri", "deprecated" = true))]
    link: Option<String>,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

fn ten() -> u16 {
    10
}

#[derive(Deserialize, JsonSchema, Serialize)]
struct Page(u32);

/// Numbers of every size.
#[tool(category = Compute)]
fn numbers(a: u8, b: i16, c: u32, d: i64, e: u64, f: usize, g: f32, h: f64, i: NonZeroU16, j: u128, k: bool) -> bool {
    let _ = (a, b, c, d, e, f, g, h, i, j);
    k
}

/// What may be left out.
#[tool(category = Compute)]
fn optional(text: Option<String>, number: Option<u32>, unit: Option<Unit>, address: Option<Address>) -> bool {
    matches!(unit, Some(Unit::Metric | Unit::Imperial)) || text.is_some() || number.is_some() || address.is_some()
}

/// One of several.
#[tool(category = Compute)]
fn choices(
    unit: Unit,
    speed: Speed,
    /// What to draw.
    shape: Shape,
    payment: Payment,
    id: Id,
) -> bool {
    let _ = (unit, shape, payment, id);
    matches!(speed, Speed::Slow | Speed::Fast)
}

/// Several of one.
#[tool(category = Compute)]
fn lists(
    texts: Vec<String>,
    three: [u8; 3],
    set: HashSet<String>,
    pair: (f64, String),
    point: (f64, f64),
    rows: Vec<Vec<(u8, Point)>>,
) -> usize {
    let _ = (three, set, pair, point, rows);
    texts.len()
}

/// By key.
#[tool(category = Compute)]
fn maps(counts: HashMap<String, u32>, nested: BTreeMap<String, Vec<Value>>, any: Value, rest: Option<Value>) -> usize {
    let _ = (nested, any, rest);
    counts.len()
}

/// A tree.
#[tool(category = Compute)]
fn tree(
    /// Where it begins.
    root: Node,
    fallback: Option<Box<Node>>,
) -> i32 {
    fallback.map_or(root.value, |node| node.value)
}

/// What stands for what is not said.
#[tool(category = Compute)]
fn defaults(
    #[arg(default)] verbose: bool,
    #[arg(default = 20, example = 50)] limit: u8,
    #[arg(default = Page(1))] page: Page,
    settings: Settings,
    letter: char,
) -> bool {
    let _ = (limit, page, settings, letter);
    verbose
}

/// Hardly anything.
#[tool(category = Compute)]
fn hardly(empty: Empty, unit: (), nothing: Option<Nothing>) -> bool {
    let Empty {} = empty;
    let () = unit;
    nothing.is_none()
}

/// Takes nothing.
#[tool(category = Compute)]
fn none() -> bool {
    true
}

/// Arguments that are called like the words of a schema.
#[tool(category = Compute)]
fn keywords(
    r#type: String,
    title: String,
    description: Option<String>,
    properties: Vec<String>,
    required: Option<bool>,
    items: Option<u8>,
    format: Option<String>,
    #[arg(rename = "$ref")] reference: Option<String>,
    #[arg(rename = "anyOf")] any_of: Option<String>,
    r#enum: Option<String>,
    r#const: Option<String>,
    default: Option<String>,
) -> usize {
    let _ = (r#type, title, description, required, items, format, reference, any_of, r#enum, r#const, default);
    properties.len()
}

/// All of these tools.
pub(crate) fn registry() -> Registry {
    Registry::builder()
        .tool::<numbers>()
        .tool::<optional>()
        .tool::<choices>()
        .tool::<lists>()
        .tool::<maps>()
        .tool::<tree>()
        .tool::<defaults>()
        .tool::<hardly>()
        .tool::<none>()
        .tool::<keywords>()
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// One use of a tool: its name, the arguments, and whether it takes them.
pub(crate) type Use = (&'static str, Value, bool);

/// Arguments for every tool, those that it takes and those that it refuses.
pub(crate) fn uses() -> Vec<Use> {
    let numbers = json!({
        "a": 255, "b": -5, "c": 1, "d": -1, "e": 1, "f": 0, "g": 1.5, "h": 2, "i": 1, "j": 7, "k": true
    });
    let choices = json!({
        "unit": "metric", "speed": "fast", "shape": { "kind": "square", "side": 2 }, "payment": { "Card": { "number": "4" } },
        "id": "x"
    });
    let lists = json!({
        "texts": ["a"], "three": [1, 2, 3], "set": ["a", "b"], "pair": [1, "x"], "point": [1, 2.5],
        "rows": [[[1, { "lat": 1, "lon": 2 }]], []]
    });
    let maps = json!({ "counts": { "a": 1 }, "nested": { "x": [1, null, {}] }, "any": [1] });
    let defaults = json!({ "settings": { "code": "abc", "at": "2026-11-30T12:00:00", "other": [1] }, "letter": "x" });
    let keywords = json!({ "type": "a", "title": "b", "properties": ["c"], "$ref": "d", "anyOf": "e" });
    let tree = json!({ "root": { "value": 1, "children": [{ "value": 2, "children": [] }] } });
    vec![
        ("numbers", but(&numbers, "a", json!(256)), false),
        ("numbers", but(&numbers, "c", json!(-1)), false),
        ("numbers", numbers, true),
        ("optional", json!({}), true),
        ("optional", json!({ "unit": "imperial", "address": { "street": "x", "point": null }, "number": null }), true),
        ("optional", json!({ "address": {} }), false),
        ("choices", but(&choices, "payment", json!("Cash")), true),
        ("choices", but(&choices, "shape", json!({ "kind": "circle", "side": 2 })), false),
        ("choices", but(&choices, "speed", json!("late")), false),
        ("choices", choices, true),
        ("lists", but(&lists, "pair", json!([1])), false),
        ("lists", but(&lists, "three", json!([1, 2, 3, 4])), false),
        ("lists", lists, true),
        ("maps", but(&maps, "counts", json!({ "a": "x" })), false),
        ("maps", maps, true),
        ("tree", but(&tree, "root", json!({ "children": [] })), false),
        ("tree", tree, true),
        ("defaults", but(&defaults, "verbose", json!(7)), false),
        ("defaults", defaults, true),
        ("hardly", json!({ "empty": {}, "unit": null, "nothing": null }), true),
        ("hardly", json!({ "empty": { "a": 1 }, "unit": null }), false),
        ("none", json!({}), true),
        ("none", json!({ "a": 1 }), false),
        ("keywords", but(&keywords, "properties", json!({})), false),
        ("keywords", keywords, true),
    ]
}

fn but(arguments: &Value, key: &str, value: Value) -> Value {
    let mut arguments = arguments.clone();
    arguments[key] = value;
    arguments
}

#[cfg(test)]
mod tests {
    use toolkit::{Executor, RepairMode, ToolCall};

    use super::*;

    #[tokio::test]
    async fn the_tools_take_and_refuse_what_is_said_of_them() {
        let executor = Executor::builder(registry()).repair(RepairMode::Off).build().unwrap();
        for (tool, arguments, taken) in uses() {
            let result = executor.call(ToolCall::new(tool, arguments.clone())).await;
            assert_eq!(result.is_success(), taken, "{tool} {arguments}: {}", result.text());
        }
    }
}
