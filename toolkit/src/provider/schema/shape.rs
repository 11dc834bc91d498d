//! One form of a schema for another that means the same and is taken by more providers.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::super::undo;
use super::array_items;
use super::fold::describe;
use crate::schema::Keywords as _;

/// `oneOf` becomes `anyOf`, and alternatives that are one value each become one `enum`, their descriptions with it.
pub(in crate::provider) fn alternatives_as_any_of(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    if object.keyword("oneOf").is_some()
        && object.keyword("anyOf").is_none()
        && let Some(alternatives) = object.shift_remove("oneOf")
    {
        object.insert("anyOf".to_owned(), alternatives);
    }
    let Some(alternatives) = object.keyword("anyOf").and_then(Value::as_array) else { return };
    let Some((kind, values, words)) = values_of(alternatives) else { return };
    if object.keyword("enum").is_some() || object.keyword("type").is_some_and(|own| *own != kind) {
        return;
    }
    object.shift_remove("anyOf");
    object.insert("type".to_owned(), kind.into());
    object.insert("enum".to_owned(), values.into());
    describe(object, &words);
}

/// The values of alternatives that are each nothing but values of one type, and what is said of them.
fn values_of(alternatives: &[Value]) -> Option<(String, Vec<Value>, String)> {
    let mut values = Vec::new();
    let mut kind: Option<&str> = None;
    let mut words = Vec::new();
    for alternative in alternatives {
        let alternative = alternative.as_object()?;
        let known =
            |key: &String| matches!(key.as_str(), "const" | "enum" | "type" | "description" | "title" | "deprecated");
        let own: Vec<Value> = match (alternative.keyword("const"), alternative.keyword("enum")) {
            (Some(value), None) => vec![value.clone()],
            (None, Some(Value::Array(list))) => list.clone(),
            _ => return None,
        };
        let own_kind = type_of(own.first()?)?;
        let same = own.iter().all(|value| type_of(value) == Some(own_kind)) && kind.is_none_or(|kind| kind == own_kind);
        if !same || !alternative.keys().all(known) || !matches!(own_kind, "string" | "integer" | "number") {
            return None;
        }
        kind = Some(own_kind);
        if let Some(description) = alternative.keyword("description").and_then(Value::as_str) {
            let names: Vec<String> =
                own.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
            words.push(format!("{}: {}", names.join(", "), description.trim()));
        }
        values.extend(own);
    }
    values.dedup();
    Some((kind?.to_owned(), values, words.join(" ")))
}

/// The type of a value, as a schema calls it.
pub(super) fn type_of(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        _ => return None,
    })
}

/// `const` becomes an `enum` of one, and a type alone where it is no text or number.
pub(in crate::provider) fn constant_as_enum(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    let Some(value) = object.keyword("const").cloned() else { return };
    let Some(kind) = type_of(&value) else { return };
    object.shift_remove("const");
    object.insert("type".to_owned(), kind.into());
    match value {
        Value::Null => {}
        Value::Bool(_) => describe(object, &format!("always {value}")),
        _ => drop(object.insert("enum".to_owned(), json!([value]))),
    }
}

/// An `allOf` of one is that one, and an `allOf` of plain objects is one object.
pub(in crate::provider) fn merged_all_of(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    let Some(Value::Array(parts)) = object.keyword("allOf") else { return };
    let is_plain = |part: &Value| {
        let known = ["type", "properties", "required", "description", "title"];
        part.as_object().is_some_and(|part| part.keys().all(|key| known.contains(&key.as_str())))
    };
    let is_one = parts.len() == 1 && parts.iter().all(Value::is_object);
    if parts.is_empty() || !(is_one || parts.iter().all(is_plain)) {
        return;
    }
    let Some(Value::Array(parts)) = object.shift_remove("allOf") else { return };
    for part in parts {
        let Value::Object(part) = part else { continue };
        for (key, value) in part {
            merge(object, key, value);
        }
    }
}

fn merge(object: &mut Map<String, Value>, key: String, value: Value) {
    match (object.get_mut(&key), value) {
        (Some(Value::Object(own)), Value::Object(more)) if key == "properties" => {
            for (key, value) in more {
                own.entry(key).or_insert(value);
            }
        }
        (Some(Value::Array(own)), Value::Array(more)) if key == "required" => {
            let more: Vec<Value> = more.into_iter().filter(|name| !own.contains(name)).collect();
            own.extend(more);
        }
        (Some(_), _) => {}
        (None, value) => drop(object.insert(key, value)),
    }
}

/// A tuple becomes a list of what may stand in it, with the places said in words.
pub(in crate::provider) fn tuple_as_list(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    let Some(Value::Array(places)) = object.keyword("prefixItems").cloned() else { return };
    let rest = object.shift_remove("items").filter(Value::is_object);
    let words: Vec<String> =
        places.iter().enumerate().map(|(place, schema)| format!("item {}: {}", place + 1, kind_of(schema))).collect();
    describe(object, &words.join(", "));
    if let (Some(rest), Some(Value::Array(all))) = (rest, object.get_mut("prefixItems")) {
        all.push(rest);
    }
    array_items(node);
    node.remove("prefixItems");
}

/// The same where one of the types is an object or an array.
pub(in crate::provider) fn compounds_apart(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    let Some(Value::Array(kinds)) = object.keyword("type").cloned() else { return };
    if kinds.iter().any(|kind| kind == "object" || kind == "array") && object.keyword("anyOf").is_none() {
        apart(object, &kinds);
    }
}

/// Each of several types in a schema of its own, with the keywords that belong to it.
pub(in crate::provider) fn apart(object: &mut Map<String, Value>, kinds: &[Value]) {
    let taken = std::mem::take(object);
    let mut branches: Vec<Map<String, Value>> =
        kinds.iter().map(|kind| Map::from_iter([("type".to_owned(), kind.clone())])).collect();
    for (key, value) in taken {
        let owner = match key.as_str() {
            undo::PAIRS | "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" => "array",
            "properties" | "required" | "additionalProperties" | "minProperties" | "maxProperties" => "object",
            "minLength" | "maxLength" | "pattern" | "format" | "enum" => "string",
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
            "type" => continue,
            _ => "",
        };
        if owner.is_empty() {
            object.insert(key, value);
            continue;
        }
        for branch in &mut branches {
            let own = branch.keyword("type").and_then(Value::as_str).unwrap_or_default();
            if own == owner || (owner == "number" && own == "integer") {
                branch.insert(key.clone(), value.clone());
            }
        }
    }
    object.insert("anyOf".to_owned(), branches.into_iter().map(Value::Object).collect());
}

fn kind_of(schema: &Value) -> String {
    let said = ["description", "type", "$ref"].iter().find_map(|key| schema.keyword(key));
    match said {
        Some(Value::String(text)) => text.rsplit('/').next().unwrap_or(text).to_owned(),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any value".to_owned(),
    }
}
