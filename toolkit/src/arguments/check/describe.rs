//! What a schema asks for and what a value is, in words.

use std::borrow::Cow;

use serde_json::Value;

use crate::arguments::node::Node;
use crate::arguments::number::range_of;
use crate::feedback::Language;
use crate::schema::{keyword, resolve};

pub(super) fn requires(schema: &Value, name: &str) -> bool {
    keyword(schema, "required").and_then(Value::as_array).is_some_and(|all| all.iter().any(|one| one == name))
}

/// Whether a name is required that none of the entries has.
pub(super) fn lacks(schema: &Value, entries: &[(Cow<'_, str>, Node<'_>)]) -> bool {
    let required = keyword(schema, "required").and_then(Value::as_array);
    required.is_some_and(|all| {
        all.iter().filter_map(Value::as_str).enumerate().any(|(at, name)| {
            // They mostly stand in the same order.
            entries.get(at).is_none_or(|(key, _)| key != name) && entries.iter().all(|(key, _)| key != name)
        })
    })
}

/// Whether `null` is a value of the schema.
pub(super) fn takes_null(root: &Value, schema: &Value) -> bool {
    let schema = resolve(root, schema);
    match super::branches(schema) {
        Some(branches) => branches.iter().any(|branch| takes_null(root, branch)),
        None => {
            let types = super::types(schema);
            types.is_empty() || types.contains("null")
        }
    }
}

/// Every value that the schema lists, where it lists them.
pub(super) fn allowed(schema: &Value) -> Vec<&Value> {
    if let Some(all) = keyword(schema, "enum").and_then(Value::as_array) {
        return all.iter().collect();
    }
    let constant = |branch: &'_ Value| keyword(branch, "const").is_some() || keyword(branch, "enum").is_some();
    match super::branches(schema) {
        Some(branches) if branches.iter().any(constant) => branches
            .iter()
            .flat_map(|branch| match (keyword(branch, "const"), keyword(branch, "enum").and_then(Value::as_array)) {
                (Some(one), _) => vec![one],
                (None, Some(all)) => all.iter().collect(),
                (None, None) => Vec::new(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// What a value is.
pub(super) fn kind(value: &Node<'_>, language: Language) -> &'static str {
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

/// What a schema asks for, the value nearest to what came first.
pub(super) fn schema(root: &Value, schema: &Value, language: Language, near: Option<&str>) -> String {
    let target = resolve(root, schema);
    let mut words = shape(root, target, language, near, 0);
    let note = keyword(schema, "description").or_else(|| keyword(target, "description")).and_then(Value::as_str);
    if let Some(note) = note {
        let note = super::super::shorten(note, 120);
        words += &language.pick(|| format!(" ({note})"), || format!("（{note}）"));
    }
    words
}

fn shape(root: &Value, schema: &Value, language: Language, near: Option<&str>, depth: usize) -> String {
    if let Some(all) = keyword(schema, "enum").and_then(Value::as_array) {
        return one_of(all.iter(), near, language);
    }
    if let Some(branches) = super::branches(schema) {
        if branches.iter().all(|branch| keyword(branch, "const").is_some()) {
            return one_of(branches.iter().map(|branch| &branch["const"]), near, language);
        }
        if depth > 2 {
            return language.pick(|| "one of several values".to_owned(), || "多种值之一".to_owned());
        }
        let all: Vec<String> = branches
            .iter()
            .take(12)
            .map(|branch| shape(root, resolve(root, branch), language, near, depth + 1))
            .collect();
        return all.join(language.pick(|| " or ", || " 或 "));
    }
    if let Some(one) = keyword(schema, "const") {
        return one.to_string();
    }
    if *schema == Value::Bool(false) {
        return language.pick(|| "left out".to_owned(), || "空缺（不可提供）".to_owned());
    }
    let types = super::types(schema);
    if types.is_empty() {
        return language.pick(|| "any JSON value".to_owned(), || "任意 JSON 值".to_owned());
    }
    let names: Vec<String> = types.iter().map(|name| one_type(schema, name, language)).collect();
    names.join(language.pick(|| " or ", || " 或 "))
}

fn one_of<'a>(values: impl Iterator<Item = &'a Value>, near: Option<&str>, language: Language) -> String {
    let mut all: Vec<&Value> = values.take(1000).collect();
    if let Some(at) = near.and_then(|near| all.iter().position(|one| one.as_str() == Some(near))) {
        all[..=at].rotate_right(1);
    }
    let all = listed(all.into_iter().map(Value::to_string), language);
    language.pick(|| format!("one of {all}"), || format!("以下之一：{all}"))
}

/// The values one after the other, as many as a message holds, and how many more there are.
pub(super) fn listed(all: impl Iterator<Item = String>, language: Language) -> String {
    const LONGEST: usize = 160;
    let mut words = String::new();
    let mut all = all;
    while let Some(one) = all.next() {
        if !words.is_empty() && words.len() + one.len() > LONGEST {
            let more = all.count() + 1;
            return words + &language.pick(|| format!(" and {more} more"), || format!(" 等另外 {more} 个"));
        }
        words += if words.is_empty() { "" } else { language.pick(|| ", ", || "、") };
        words += &super::super::shorten(&one, 64);
    }
    words
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
        other => (other, "其他类型的值"),
    };
    let mut words = language.pick(|| english, || chinese).to_owned();
    let natural = keyword(schema, "format").and_then(Value::as_str).and_then(range_of);
    let bound = |key: &str| {
        let own = keyword(schema, key).filter(|value| value.is_number()).map(Value::to_string);
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
