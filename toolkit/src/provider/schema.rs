//! The changes of a schema that several providers ask for. Each changes one schema; schemars takes it to all of them.

mod extent;
mod fold;
mod inline;
mod shape;
mod strict;

use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Map, Value, json};

use super::dialect::{Change, object};
use crate::schema::Keywords as _;

pub(super) use self::extent::{Extent, is_recursive, levels};
pub(super) use self::fold::{describe, fold, folded_for_gemini, folded_for_ollama};
pub(super) use self::inline::{inlined, inlined_beside, inlined_siblings};
pub(super) use self::shape::{
    alternatives_as_any_of, apart, compounds_apart, constant_as_enum, merged_all_of, tuple_as_list,
};
pub(super) use self::strict::{
    Known, absent_or_there, all_required, all_required_by_alternatives, closed, closed_root, is_open, is_regular,
    is_too_rich, is_untyped, known_alone, map_as_pairs, reference_alone, tag_first, typed,
};

/// A tool's schema after these changes.
pub(super) fn transformed(schema: &Value, changes: &[Change]) -> Schema {
    // What is not a schema at all says nothing about the arguments, as the empty schema does.
    let mut schema = Schema::try_from(schema.clone()).unwrap_or_default();
    for change in changes {
        match change {
            Change::Each(steps) => {
                let all = |node: &mut Schema| steps.iter().for_each(|step| step(node));
                RecursiveTransform(all).transform(&mut schema);
            }
            Change::Whole(step) => step(&mut schema),
        }
    }
    schema
}

/// Whether the schema names this type, alone or among others.
pub(super) fn may_be(node: &Schema, kind: &str) -> bool {
    match node.keyword("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        one => one.is_some_and(|one| one == kind),
    }
}

/// Drops what speaks of the schema itself and not of the value: `$schema`, and `title`, which is the name of a Rust type.
/// A property of that name is a key of `properties` and not of a schema, and stays.
pub(super) fn without_origin(node: &mut Schema) {
    if let Some(node) = node.as_object_mut() {
        node.retain(|key, _| !matches!(key.as_str(), "$schema" | "title"));
    }
}

/// The formats that JSON Schema 2020-12 defines.
const FORMATS: [&str; 19] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

/// Drops formats that JSON Schema does not define, such as `uint8`, `double` and `partial-date-time`. The bounds of a
/// number stay in `minimum` and `maximum`.
pub(super) fn standard_formats(node: &mut Schema) {
    let known = |format: &Value| format.as_str().is_some_and(|format| FORMATS.contains(&format));
    if node.keyword("format").is_some_and(|format| !known(format))
        && let Some(node) = node.as_object_mut()
    {
        node.shift_remove("format");
    }
}

/// `true`, which schemars writes for a value of any kind, becomes `{}`, which means the same. `false` stays, because it
/// means that there may be no value, and is common as `additionalProperties`.
pub(super) fn any_value(node: &mut Schema) {
    if node.as_bool() == Some(true) {
        *node = Schema::default();
    }
}

/// Gives every array `items`. A tuple keeps its `prefixItems`, and who does not know those reads in `items` what may
/// stand in it.
pub(super) fn array_items(node: &mut Schema) {
    if !may_be(node, "array") || node.keyword("items").is_some_and(|items| items.is_object() || items.is_boolean()) {
        return;
    }
    let mut kinds: Vec<Value> = Vec::new();
    for kind in node.keyword("prefixItems").and_then(Value::as_array).into_iter().flatten() {
        if !kinds.contains(kind) {
            kinds.push(kind.clone());
        }
    }
    let items = match kinds.pop() {
        None => json!({}),
        Some(only) if kinds.is_empty() => only,
        Some(last) => {
            kinds.push(last);
            object([("anyOf", kinds.into())])
        }
    };
    node.insert("items".to_owned(), items);
}

/// Gives every object `properties`, maps and empty structs too.
pub(super) fn object_properties(node: &mut Schema) {
    if may_be(node, "object") && !node.keyword("properties").is_some_and(Value::is_object) {
        node.insert("properties".to_owned(), Value::Object(Map::new()));
    }
}

/// Keywords that say at the root, instead of `type`, what the value is.
pub(super) const ALTERNATIVES: [&str; 5] = ["oneOf", "anyOf", "allOf", "enum", "not"];

/// Makes an object of a root that says nothing else: one without a type, and the `null` of a unit type.
pub(super) fn object_root(root: &mut Schema) {
    let says_nothing = match root.keyword("type") {
        None => {
            root.as_bool().is_none()
                && !ALTERNATIVES.iter().chain(&["const", "$ref"]).any(|key| root.keyword(key).is_some())
        }
        Some(kind) => kind == "null",
    };
    if says_nothing {
        root.insert("type".to_owned(), json!("object"));
    }
    object_properties(root);
}

#[cfg(test)]
mod tests;
