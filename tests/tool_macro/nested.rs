//! Types inside of types: `$defs`, references and recursion.

use serde_json::{Value, json};
use toolkit::tool;

use super::{run, schema};

mod a {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Filter {
        pub(super) x: i32,
    }
}

mod b {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Filter {
        pub(super) y: String,
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page<T> {
    items: Vec<T>,
}

/// A tool.
#[tool(category = Read)]
async fn two(first: a::Filter, second: b::Filter, p: Page<i32>, q: Page<String>) -> usize {
    usize::try_from(first.x).unwrap_or(0) + second.y.len() + p.items.len() + q.items.len()
}

#[tokio::test]
async fn types_of_one_name_are_two_definitions() {
    let schema = schema::<two>();
    let names: Vec<&String> = schema["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Filter", "Filter2", "Page", "Page2"]);
    assert_eq!(schema["properties"]["first"]["$ref"], "#/$defs/Filter");
    assert_eq!(schema["$defs"]["Filter"]["properties"]["x"]["format"], "int32");
    assert_eq!(schema["properties"]["second"]["$ref"], "#/$defs/Filter2");
    assert_eq!(schema["$defs"]["Filter2"]["properties"]["y"]["type"], "string");
    assert_eq!(schema["$defs"]["Page2"]["properties"]["items"]["items"]["type"], "string");
    let all = json!({"first": {"x": 1}, "second": {"y": "ab"}, "p": {"items": [1]}, "q": {"items": []}});
    assert_eq!(run::<two>(all).await, "4");
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Node {
    value: u32,
    #[serde(default)]
    children: Vec<Node>,
}

impl Node {
    fn sum(&self) -> u32 {
        self.value + self.children.iter().map(Node::sum).sum::<u32>()
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Expression {
    Number(u32),
    Sum(Box<Expression>, Box<Expression>),
}

impl Expression {
    fn value(&self) -> u32 {
        match self {
            Expression::Number(number) => *number,
            Expression::Sum(a, b) => a.value() + b.value(),
        }
    }
}

/// A tool.
#[tool(category = Read)]
async fn tree(root: Node, other: Option<Node>, expression: Option<Expression>) -> Node {
    let sum = root.sum() + other.map_or(0, |node| node.sum()) + expression.map_or(0, |expression| expression.value());
    Node { value: sum, children: vec![root] }
}

/// Every reference in a schema.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            found.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn a_recursive_type_refers_to_its_definition() {
    let registry = toolkit::Registry::builder().tool::<tree>().build().unwrap();
    let spec = registry.get("tree").unwrap();
    for schema in [spec.input_schema(), spec.output_schema().unwrap()] {
        let mut found = Vec::new();
        references(schema, &mut found);
        assert!(!found.is_empty());
        for reference in found {
            let path = reference.strip_prefix('#').unwrap();
            assert!(path.starts_with("/$defs/") && schema.pointer(path).is_some(), "{reference} in {schema}");
        }
    }
    let arguments = json!({
        "root": {"value": 1, "children": [{"value": 2}, {"value": 3, "children": [{"value": 4}]}]},
        "expression": {"Sum": [{"Number": 5}, {"Sum": [{"Number": 6}, {"Number": 7}]}]},
    });
    assert!(run::<tree>(arguments).await.starts_with("{\"value\":28,\"children\":[{\"value\":1,"));
}

#[test]
fn the_root_of_a_result_says_what_it_is() {
    let registry = toolkit::Registry::builder().tool::<tree>().build().unwrap();
    let schema = registry.get("tree").unwrap().output_schema().unwrap();
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"]["children"]["items"]["$ref"], "#/$defs/Node");
}

mod secret {
    // A type that nobody else can name.
    mod inner {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        pub(in super::super) struct Hidden {
            n: u8,
        }

        /// A tool.
        #[toolkit::tool(category = Read)]
        pub(in super::super) async fn of_hidden(hidden: Hidden, more: Vec<Hidden>) -> u8 {
            hidden.n + more.iter().map(|hidden| hidden.n).sum::<u8>()
        }
    }
    pub(super) use inner::of_hidden;
}

#[tokio::test]
async fn a_type_may_be_private() {
    let arguments = json!({"hidden": {"n": 1}, "more": [{"n": 2}, {"n": 3}]});
    assert_eq!(run::<secret::of_hidden>(arguments).await, "6");
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Aliased {
    #[serde(alias = "max_results", alias = "n")]
    limit: u32,
}

/// A tool.
#[tool(category = Read)]
async fn list(args: Aliased) -> u32 {
    args.limit
}

#[tokio::test]
async fn an_alias_of_a_field_is_taken() {
    for key in ["limit", "max_results", "n"] {
        assert_eq!(run::<list>(json!({"args": {key: 3}})).await, "3", "{key}");
    }
    let text = super::refused::<list>(json!({"args": {"limit": 3, "n": 3}})).await;
    assert!(text.contains("limit"), "{text}");
    let text = super::refused::<list>(json!({"args": {"limits": 3}})).await;
    assert!(text.contains("limit"), "{text}");
}
