//! What of a schema serde checks by itself, what we check, and what neither of us knows.

use std::collections::BTreeSet;

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::Value;

use super::transform_subschemas;
use crate::arguments::{is_checked_here, range_of};

/// Whether a schema demands something of a value that reading it into its type does not check.
pub(crate) fn demands_more(schema: &Value) -> bool {
    let Ok(mut schema) = Schema::try_from(schema.clone()) else { return true };
    let mut search = Search { found: false };
    search.transform(&mut schema);
    search.found
}

/// Whether a named type with several alternatives that nothing names can stand inside of itself.
pub(crate) fn is_recursive_choice(root: &Value) -> bool {
    fn collect<'a>(schema: &'a Value, names: &mut BTreeSet<&'a str>, choice: &mut bool) {
        match schema {
            Value::Object(object) => {
                let target = object.get("$ref").and_then(Value::as_str);
                names.extend(target.and_then(|path| path.strip_prefix("#/$defs/")));
                let open = object.get("anyOf").and_then(Value::as_array).is_some_and(|all| {
                    all.iter().filter(|one| one.get("type").is_none_or(|name| name != "null")).count() > 1
                });
                *choice |= open;
                object.values().for_each(|inner| collect(inner, names, choice));
            }
            Value::Array(all) => all.iter().for_each(|inner| collect(inner, names, choice)),
            _ => {}
        }
    }
    let Some(definitions) = root.get("$defs").and_then(Value::as_object) else { return false };
    definitions.iter().any(|(name, schema)| {
        let (mut reached, mut choice) = (BTreeSet::new(), false);
        collect(schema, &mut reached, &mut choice);
        let mut waiting: Vec<&str> = reached.iter().copied().collect();
        while let Some(next) = waiting.pop() {
            let mut more = BTreeSet::new();
            if let Some(schema) = definitions.get(next) {
                collect(schema, &mut more, &mut choice);
            }
            waiting.extend(more.into_iter().filter(|name| reached.insert(name)));
        }
        choice && reached.contains(name.as_str())
    })
}

struct Search {
    found: bool,
}

impl Transform for Search {
    fn transform(&mut self, schema: &mut Schema) {
        self.found |= node_demands_more(schema);
        if !self.found {
            transform_subschemas(self, schema);
        }
    }
}

fn node_demands_more(schema: &Schema) -> bool {
    const NEVER_CHECKED: [&str; 10] = [
        "pattern",
        "multipleOf",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "contains",
        "not",
        "propertyNames",
    ];
    if NEVER_CHECKED.iter().any(|key| schema.get(*key).is_some()) {
        return true;
    }
    if is_checked_here(schema.as_value()) {
        return true;
    }
    let natural = schema.get("format").and_then(Value::as_str).and_then(range_of);
    let is_natural = |key: &str| match (schema.get(key), &natural) {
        (None, _) => true,
        (Some(bound), Some((least, most))) => {
            let natural = if key == "minimum" { least } else { most };
            let written = bound.to_string();
            written == *natural
        }
        (Some(_), None) => false,
    };
    if !is_natural("minimum") || !is_natural("maximum") {
        return true;
    }
    let both = |least: &str, most: &str| (schema.get(least), schema.get(most));
    let is_char = matches!(both("minLength", "maxLength"), (Some(a), Some(b)) if a == b && *a == 1);
    if both("minLength", "maxLength") != (None, None) && !is_char {
        return true;
    }
    // An array or a tuple of a fixed length is read as one.
    match both("minItems", "maxItems") {
        (None, None) => false,
        (Some(least), Some(most)) => least != most,
        _ => true,
    }
}

/// The keywords of a schema that limit a value and that our own walk does not know.
pub(crate) fn unknown_keywords(schema: &Value) -> BTreeSet<String> {
    let mut collect = Collect { found: BTreeSet::new() };
    if let Ok(mut schema) = Schema::try_from(schema.clone()) {
        collect.transform(&mut schema);
    }
    collect.found
}

struct Collect {
    found: BTreeSet<String>,
}

impl Transform for Collect {
    fn transform(&mut self, schema: &mut Schema) {
        const KNOWN: [&str; 45] = [
            "$defs",
            "$id",
            "$ref",
            "$schema",
            "$comment",
            "$anchor",
            "additionalProperties",
            "anyOf",
            "const",
            "default",
            "definitions",
            "deprecated",
            "description",
            "enum",
            "example",
            "examples",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "items",
            "maxItems",
            "maxLength",
            "maxProperties",
            "maximum",
            "minItems",
            "minLength",
            "minProperties",
            "minimum",
            "multipleOf",
            "oneOf",
            "pattern",
            "patternProperties",
            "prefixItems",
            "properties",
            "readOnly",
            "required",
            "title",
            "type",
            "unevaluatedProperties",
            "uniqueItems",
            "writeOnly",
            "contentEncoding",
            "contentMediaType",
            "nullable",
            "not",
        ];
        for key in schema.as_object().into_iter().flat_map(|object| object.keys()) {
            // Keywords of somebody's own limit nothing.
            // `not` is understood where it excludes one value, as it does for numbers that are not zero.
            let other_not = key == "not" && schema.get("not").is_some_and(|not| not.get("const").is_none());
            if (!KNOWN.contains(&key.as_str()) || other_not) && !key.starts_with("x-") {
                self.found.insert(key.clone());
            }
        }
        transform_subschemas(self, schema);
    }
}
