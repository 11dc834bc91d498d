//! Keywords that a provider does not know, said in words instead.

use schemars::Schema;
use serde_json::{Map, Value};

use super::super::undo::is_mark;
use super::may_be;
use crate::schema::Keywords as _;

/// Takes out every keyword that is not kept, and says in the description what it asked for.
pub(in crate::provider) fn fold(node: &mut Schema, is_kept: impl Fn(&str) -> bool) {
    let Some(object) = node.as_object_mut() else { return };
    if object.keys().all(|key| is_kept(key) || is_mark(key)) {
        return;
    }
    let mut said = Vec::new();
    object.retain(|key, value| {
        if is_kept(key) || is_mark(key) {
            return true;
        }
        said.extend(in_words(key, value));
        false
    });
    describe(object, &said.join(", "));
}

/// Adds to the description.
pub(in crate::provider) fn describe(object: &mut Map<String, Value>, words: &str) {
    if words.is_empty() {
        return;
    }
    let described = match object.keyword("description").and_then(Value::as_str).map(str::trim_end) {
        Some(own) if !own.is_empty() => format!("{own} ({words})"),
        _ => words.to_owned(),
    };
    object.insert("description".to_owned(), described.into());
}

fn in_words(key: &str, value: &Value) -> Option<String> {
    let list = || value.as_array().map(|list| list.iter().map(Value::to_string).collect::<Vec<_>>().join(", "));
    let text = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let words = match key {
        "default" => format!("default {value}"),
        "example" => format!("for example {value}"),
        "examples" => format!("for example {}", list()?),
        "enum" => format!("one of {}", list()?),
        "const" => format!("always {value}"),
        "minimum" => format!("at least {value}"),
        "maximum" => format!("at most {value}"),
        "exclusiveMinimum" => format!("more than {value}"),
        "exclusiveMaximum" => format!("less than {value}"),
        "multipleOf" => format!("a multiple of {value}"),
        "minLength" => format!("at least {value} characters"),
        "maxLength" => format!("at most {value} characters"),
        "pattern" => format!("matches `{}`", text()),
        "format" => format!("in the format `{}`", text()),
        "contentEncoding" => format!("encoded as {}", text()),
        "contentMediaType" => format!("of the type {}", text()),
        "minItems" => format!("at least {value} items"),
        "maxItems" => format!("at most {value} items"),
        "uniqueItems" if *value == true => "no item twice".to_owned(),
        "minProperties" => format!("at least {value} entries"),
        "maxProperties" => format!("at most {value} entries"),
        "deprecated" if *value == true => "deprecated".to_owned(),
        "additionalProperties" if value.is_object() => format!("any keys, each value as {value}"),
        "additionalProperties" if *value == true => "any other keys too".to_owned(),
        "not" => format!("not {value}"),
        "patternProperties" | "propertyNames" | "contains" | "minContains" | "maxContains" | "if" | "then" | "else"
        | "dependentRequired" | "dependentSchemas" | "allOf" | "oneOf" => format!("{key} {value}"),
        _ => return None,
    };
    Some(words)
}

/// What Gemini's `parametersJsonSchema` has been seen to take.
pub(in crate::provider) fn folded_for_gemini(node: &mut Schema) {
    const KEPT: [&str; 26] = [
        "$anchor",
        "$defs",
        "$id",
        "$ref",
        "additionalProperties",
        "anyOf",
        "default",
        "definitions",
        "description",
        "enum",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "oneOf",
        "pattern",
        "prefixItems",
        "properties",
        "propertyOrdering",
        "required",
        "title",
        "type",
    ];
    whole_bounds(node);
    plain_enum(node);
    fold(node, |key| KEPT.contains(&key));
}

/// An integer above a bound is at least the next one.
pub(super) fn whole_bounds(node: &mut Schema) {
    if !may_be(node, "integer") || may_be(node, "number") {
        return;
    }
    for (exclusive, inclusive, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
        let next = node.keyword(exclusive).and_then(Value::as_i64).and_then(|bound| bound.checked_add(step));
        if let (Some(next), None) = (next, node.keyword(inclusive)) {
            node.remove(exclusive);
            node.insert(inclusive.to_owned(), next.into());
        }
    }
}

/// Leaves strings and numbers in an `enum`: without a `null`, which an argument left out says too, and in words where there
/// is anything else.
fn plain_enum(node: &mut Schema) {
    let Some(Value::Array(values)) = node.keyword("enum") else { return };
    if values.iter().all(|value| value.is_string() || value.is_number()) {
        return;
    }
    let kept: Vec<Value> = values.iter().filter(|value| !value.is_null()).cloned().collect();
    if kept.is_empty() || !kept.iter().all(|value| value.is_string() || value.is_number()) {
        fold(node, |key| key != "enum");
        return;
    }
    node.insert("enum".to_owned(), kept.into());
    if let Some(Value::Array(kinds)) = node.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            node.insert("type".to_owned(), only);
        }
    }
}

/// What Ollama's server reads of a property.
pub(in crate::provider) fn folded_for_ollama(node: &mut Schema) {
    fold(node, |key| matches!(key, "anyOf" | "type" | "items" | "description" | "enum" | "properties" | "required"));
}
