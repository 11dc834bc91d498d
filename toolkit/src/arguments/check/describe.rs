//! What a schema asks for and what a value is, in words.

use serde_json::Value;

use crate::arguments::node::Node;
use crate::arguments::number::range_of;
use crate::feedback::Language;
use crate::schema::resolve;

pub(super) fn requires(schema: &Value, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == name))
}

/// Whether `null` is a value of the schema.
pub(super) fn takes_null(root: &Value, schema: &Value) -> bool {
    let schema = resolve(root, schema);
    match super::branches(schema) {
        Some(branches) => branches.iter().any(|branch| takes_null(root, branch)),
        None => {
            let types = super::types(schema);
            types.is_empty() || types.contains(&"null")
        }
    }
}

/// Every value that the schema lists, where it lists them.
pub(super) fn allowed(schema: &Value) -> Vec<&Value> {
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return all.iter().collect();
    }
    let constant = |branch: &'_ Value| branch.get("const").is_some() || branch.get("enum").is_some();
    match super::branches(schema) {
        Some(branches) if branches.iter().any(constant) => branches
            .iter()
            .flat_map(|branch| match (branch.get("const"), branch.get("enum").and_then(Value::as_array)) {
                (Some(one), _) => vec![one],
                (None, Some(all)) => all.iter().collect(),
                (None, None) => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// What a value is.
pub(super) fn kind(value: &Node, language: Language) -> &'static str {
    let (english, chinese) = match value {
        Node::Null => ("null", " null"),
        Node::Bool(_) => ("a boolean", "布尔值"),
        Node::Number(_) => ("a number", "数字"),
        Node::Text(_) => ("a string", "字符串"),
        Node::List(_) => ("an array", "数组"),
        Node::Object(_) => ("an object", "对象"),
    };
    language.pick(|| english, || chinese)
}

/// What a schema asks for.
pub(super) fn schema(root: &Value, schema: &Value, language: Language) -> String {
    let target = resolve(root, schema);
    let mut words = shape(root, target, language, 0);
    let note = schema.get("description").or_else(|| target.get("description")).and_then(Value::as_str);
    if let Some(note) = note {
        let note = super::super::shorten(note, 120);
        words += &language.pick(|| format!(" ({note})"), || format!("（{note}）"));
    }
    words
}

fn shape(root: &Value, schema: &Value, language: Language, depth: usize) -> String {
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return one_of(all.iter(), language);
    }
    if let Some(branches) = super::branches(schema) {
        if branches.iter().all(|branch| branch.get("const").is_some()) {
            return one_of(branches.iter().map(|branch| &branch["const"]), language);
        }
        if depth > 2 {
            return language.pick(|| "a value of the schema".to_owned(), || "符合 schema 的值".to_owned());
        }
        let all: Vec<String> =
            branches.iter().map(|branch| shape(root, resolve(root, branch), language, depth + 1)).collect();
        return all.join(language.pick(|| " or ", || " 或 "));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if types.is_empty() {
        return language.pick(|| "any JSON value".to_owned(), || "任意 JSON 值".to_owned());
    }
    let names: Vec<String> = types.iter().map(|name| one_type(schema, name, language)).collect();
    names.join(language.pick(|| " or ", || " 或 "))
}

fn one_of<'a>(values: impl Iterator<Item = &'a Value>, language: Language) -> String {
    let all: Vec<String> = values.take(50).map(Value::to_string).collect();
    language.pick(|| format!("one of {}", all.join(", ")), || format!("以下之一：{}", all.join("、")))
}

fn one_type(schema: &Value, name: &str, language: Language) -> String {
    let (english, chinese) = match name {
        "string" => ("a string", "字符串"),
        "integer" => ("an integer", "整数"),
        "number" => ("a number", "数字"),
        "boolean" => ("true or false", "布尔值（true 或 false）"),
        "array" => ("an array", "数组"),
        "object" => return object(schema, language),
        "null" => ("null", " null"),
        other => (other, other),
    };
    let mut words = language.pick(|| english, || chinese).to_owned();
    let natural = schema.get("format").and_then(Value::as_str).and_then(range_of);
    let bound = |key: &str| {
        let own = schema.get(key).filter(|value| value.is_number()).map(Value::to_string);
        let natural = natural.clone().map(|(least, most)| if key == "minimum" { least } else { most });
        own.or(natural.filter(|_| name == "integer"))
    };
    if matches!(name, "integer" | "number") {
        words += &match (bound("minimum"), bound("maximum")) {
            (Some(least), Some(most)) => {
                language.pick(|| format!(" from {least} to {most}"), || format!("（{least} 到 {most}）"))
            }
            (Some(least), None) => language.pick(|| format!(" of at least {least}"), || format!("（不小于 {least}）")),
            (None, Some(most)) => language.pick(|| format!(" of at most {most}"), || format!("（不大于 {most}）")),
            (None, None) => String::new(),
        };
    }
    words
}

/// An object with its required properties, which is how one alternative is told from another.
fn object(schema: &Value, language: Language) -> String {
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .take(6)
        .map(|name| format!("`{name}`"))
        .collect();
    if required.is_empty() {
        return language.pick(|| "an object".to_owned(), || "对象".to_owned());
    }
    let names = required.join(", ");
    language.pick(|| format!("an object with {names}"), || format!("含有 {names} 的对象"))
}
