//! What a schema asks for and what a value is, in words.

use serde_json::Value;

use crate::feedback::Language;
use crate::schema::resolve;

/// Whether a value has the JSON type of this name.
pub(super) fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => true,
    }
}

pub(super) fn requires(schema: &Value, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == name))
}

/// What a value is.
pub(super) fn kind(value: &Value, language: Language) -> &'static str {
    let (english, chinese) = match value {
        Value::Null => ("null", " null"),
        Value::Bool(_) => ("a boolean", "布尔值"),
        Value::Number(_) => ("a number", "数字"),
        Value::String(_) => ("a string", "字符串"),
        Value::Array(_) => ("an array", "数组"),
        Value::Object(_) => ("an object", "对象"),
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
        "object" => ("an object", "对象"),
        other => (other, other),
    };
    let mut words = language.pick(|| english, || chinese).to_owned();
    let bound = |key: &str| schema.get(key).filter(|value| value.is_number());
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
