//! What a provider needs to hold a model to a schema while it writes: closed objects, every key there, a type everywhere.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value, json};

use super::super::undo;
use super::fold::{describe, fold};
use super::inline::has_reference;
use super::may_be;
use super::shape::type_of;
use crate::schema::{Keywords as _, transform_subschemas};

/// Gives a schema that lists its values the type that they have.
pub(in crate::provider) fn typed(node: &mut Schema) {
    if node.as_object().is_none() || node.keyword("type").is_some() || node.keyword("$ref").is_some() {
        return;
    }
    let values = match (node.keyword("enum"), node.keyword("const")) {
        (Some(Value::Array(values)), _) => values.clone(),
        (_, Some(value)) => vec![value.clone()],
        _ => return,
    };
    let mut kinds: Vec<&str> = Vec::new();
    for value in &values {
        let Some(kind) = type_of(value) else { return };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let kind = if let [only] = kinds.as_slice() { json!(only) } else { json!(kinds) };
    node.insert("type".to_owned(), kind);
}

/// Closes an object that says which keys it has and not that there may be others. One that says nothing may hold anything,
/// and stays: closed it would be empty always.
pub(in crate::provider) fn closed(node: &mut Schema) {
    let has_keys = node.keyword("properties").and_then(Value::as_object).is_some_and(|keys| !keys.is_empty());
    if has_keys && node.keyword("additionalProperties").is_none() && node.keyword("patternProperties").is_none() {
        node.insert("additionalProperties".to_owned(), false.into());
    }
    let is_closed = node.keyword("additionalProperties").is_some_and(|more| *more == false);
    if may_be(node, "object") && is_closed {
        super::object_properties(node);
    }
}

/// A root that says nothing of its keys has none.
pub(in crate::provider) fn closed_root(root: &mut Schema) {
    super::object_root(root);
    let is_empty = root.keyword("properties").and_then(Value::as_object).is_some_and(Map::is_empty);
    if is_empty && root.keyword("additionalProperties").is_none() {
        root.insert("additionalProperties".to_owned(), false.into());
    }
}

/// A map becomes an array of its entries.
pub(in crate::provider) fn map_as_pairs(node: &mut Schema) {
    let has_keys = node.keyword("properties").and_then(Value::as_object).is_some_and(|keys| !keys.is_empty());
    let Some(values) = node.keyword("additionalProperties").filter(|values| values.is_object()).cloned() else {
        return;
    };
    let others = ["patternProperties", "anyOf", "oneOf", "allOf", "$ref"];
    let kind = match node.keyword("type") {
        Some(Value::Array(kinds)) if kinds.len() == 2 && may_be(node, "object") && may_be(node, "null") => {
            json!(["array", "null"])
        }
        Some(kind) if kind == "object" => "array".into(),
        _ => return,
    };
    if has_keys || others.iter().any(|key| node.keyword(key).is_some()) {
        return;
    }
    let keys = node.keyword("propertyNames").cloned().unwrap_or_else(|| json!({ "type": "string" }));
    let Some(object) = node.as_object_mut() else { return };
    object.retain(|key, _| matches!(key.as_str(), "description" | "default") || undo::is_mark(key));
    object.insert("type".to_owned(), kind);
    object.insert(
        "items".to_owned(),
        super::object([
            ("type", "object".into()),
            ("properties", super::object([("key", keys), ("value", values)])),
            ("required", json!(["key", "value"])),
            ("additionalProperties", false.into()),
        ]),
    );
    object.insert(undo::PAIRS.to_owned(), true.into());
    describe(object, "one entry for each key, each key once");
}

/// Puts the key that tells variants apart first: models write in this order, and some deployments want it to differ there.
pub(in crate::provider) fn tag_first(node: &mut Schema) {
    let Some(Value::Object(properties)) = node.keyword("properties") else { return };
    let is_tag = |schema: &Value| {
        schema.keyword("const").is_some()
            || schema.keyword("enum").and_then(Value::as_array).is_some_and(|all| all.len() == 1)
    };
    let Some(place) = properties.values().position(is_tag).filter(|place| *place > 0) else { return };
    let mut entries: Vec<(String, Value)> = properties.clone().into_iter().collect();
    entries[..=place].rotate_right(1);
    node.insert("properties".to_owned(), entries.into_iter().collect::<Map<_, _>>().into());
}

/// Nothing may stand beside a reference but, in another schema around it, a description.
pub(in crate::provider) fn reference_alone(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    let Some(path) = object.keyword("$ref").cloned() else { return };
    if !object.keys().any(|key| key != "$ref" && !key.starts_with("$defs")) {
        return;
    }
    object.retain(|key, _| matches!(key.as_str(), "description" | "$defs" | "definitions") || undo::is_mark(key));
    object.insert("anyOf".to_owned(), json!([{ "$ref": path }]));
}

/// An argument that may be left out need not take `null` too: without it there is one alternative less.
pub(in crate::provider) fn absent_or_there(node: &mut Schema) {
    let Some((properties, required)) = keys_of(node) else { return };
    for (key, property) in properties.iter_mut() {
        let may_be_absent = !required.iter().any(|name| name == key);
        if let Some(property) = property.as_object_mut().filter(|_| may_be_absent) {
            without_null(property);
        }
    }
}

/// The properties of an object and the names of those that are required.
fn keys_of(node: &mut Schema) -> Option<(&mut Map<String, Value>, &[Value])> {
    let (mut properties, mut required) = (None, &[][..]);
    for (key, value) in node.as_object_mut()? {
        match (key.as_str(), value) {
            ("properties", Value::Object(all)) => properties = Some(all),
            ("required", Value::Array(names)) => required = names,
            _ => {}
        }
    }
    Some((properties?, required))
}

fn without_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = property.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
        if let Some(Value::Array(values)) = property.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
    }
    let Some(Value::Array(alternatives)) = property.get_mut("anyOf") else { return };
    alternatives.retain(|one| one.keyword("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = alternatives.as_slice() {
        let only = only.clone();
        property.shift_remove("anyOf");
        for (key, value) in only {
            property.entry(key).or_insert(value);
        }
    }
}

/// Makes every property required. What could be left out takes `null` instead, by a list of types where that is enough.
pub(in crate::provider) fn all_required(root: &mut Schema) {
    require(root, true);
}

/// The same for a provider that knows alternatives and no lists of types.
pub(in crate::provider) fn all_required_by_alternatives(root: &mut Schema) {
    require(root, false);
}

fn require(root: &mut Schema, by_list: bool) {
    // The root is asked for what references lead to, and for nothing else.
    let original = if has_reference(root.as_value()) { root.as_value().clone() } else { Value::Null };
    Require { root: &original, by_list }.transform(root);
}

struct Require<'a> {
    root: &'a Value,
    by_list: bool,
}

impl Transform for Require<'_> {
    fn transform(&mut self, node: &mut Schema) {
        transform_subschemas(self, node);
        let Some((properties, required)) = keys_of(node) else { return };
        for (key, property) in properties.iter_mut() {
            if required.iter().any(|name| name == key) || takes_null(self.root, property, 0) {
                continue;
            }
            if let Some(property) = property.as_object_mut() {
                self.nullable(property);
                property.insert(undo::ABSENT.to_owned(), true.into());
            }
        }
        let all: Vec<Value> = properties.keys().map(|key| key.as_str().into()).collect();
        node.insert("required".to_owned(), all.into());
    }
}

impl Require<'_> {
    fn nullable(&self, schema: &mut Map<String, Value>) {
        if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
            alternatives.push(json!({ "type": "null" }));
            return;
        }
        let simple =
            self.by_list && !["$ref", "const", "properties", "allOf"].iter().any(|key| schema.keyword(key).is_some());
        let kinds = match schema.keyword("type") {
            Some(Value::String(kind)) if simple => Some(json!([kind, "null"])),
            Some(Value::Array(kinds)) if simple => Some(kinds.iter().cloned().chain([Value::from("null")]).collect()),
            _ => None,
        };
        let Some(kinds) = kinds else {
            let mut inner = std::mem::take(schema);
            if let Some(description) = inner.shift_remove("description") {
                schema.insert("description".to_owned(), description);
            }
            schema.insert("anyOf".to_owned(), vec![inner.into(), json!({ "type": "null" })].into());
            return;
        };
        schema.insert("type".to_owned(), kinds);
        if let Some(Value::Array(values)) = schema.get_mut("enum") {
            values.push(Value::Null);
        }
    }
}

/// Whether a schema takes `null`.
fn takes_null(root: &Value, schema: &Value, depth: usize) -> bool {
    let schema = crate::schema::resolve(root, schema);
    let Some(object) = schema.as_object() else { return *schema == true };
    let is_null = |kind: &Value| kind == "null";
    let by_type = match object.keyword("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_null),
        Some(kind) => is_null(kind),
        None => true,
    };
    let listed =
        object.keyword("enum").and_then(Value::as_array).is_none_or(|values| values.iter().any(Value::is_null));
    let constant = object.keyword("const").is_none_or(Value::is_null);
    let alternatives = ["anyOf", "oneOf"].iter().all(|key| match object.keyword(key).and_then(Value::as_array) {
        Some(all) => depth < 32 && all.iter().any(|one| takes_null(root, one, depth + 1)),
        None => true,
    });
    by_type && listed && constant && alternatives
}

/// The keywords of a strict schema, and how far a provider knows those that limit a value.
pub(in crate::provider) struct Known {
    pub(in crate::provider) formats: &'static [&'static str],
    pub(in crate::provider) limits: &'static [&'static str],
    pub(in crate::provider) pattern: fn(&str) -> bool,
}

/// Says in words what the provider does not know. What shapes a value stays, for the rules to refuse.
pub(in crate::provider) fn known_alone(node: &mut Schema, known: &Known) {
    const SHAPE: [&str; 21] = [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "enum",
        "const",
        "$ref",
        "$defs",
        "definitions",
        "description",
        "allOf",
        "oneOf",
        "prefixItems",
        "patternProperties",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "unevaluatedProperties",
    ];
    let format = node.keyword("format").and_then(Value::as_str).is_some_and(|format| known.formats.contains(&format));
    let pattern = node.keyword("pattern").and_then(Value::as_str).is_some_and(|pattern| (known.pattern)(pattern));
    let few = node.keyword("minItems").and_then(Value::as_u64).is_some_and(|least| least < 2);
    fold(node, |key| {
        SHAPE.contains(&key)
            || match key {
                "format" => format,
                "pattern" => pattern,
                "minItems" => known.limits.contains(&key) || (few && known.limits.contains(&"minItems<2")),
                _ => known.limits.contains(&key),
            }
    });
}

/// Whether a pattern looks around or back, which no automaton can.
pub(in crate::provider) fn is_regular(pattern: &str) -> bool {
    let looks = ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| pattern.contains(look));
    let back = pattern.as_bytes().windows(2).any(|pair| matches!(pair, [b'\\', b'1'..=b'9']));
    !looks && !back
}

/// A schema that shapes a value by none of the keywords for it.
pub(in crate::provider) fn is_untyped(node: &Schema) -> bool {
    !["type", "anyOf", "$ref"].iter().any(|key| node.keyword(key).is_some())
}

/// An object that takes keys beside those that it lists.
pub(in crate::provider) fn is_open(node: &Schema) -> bool {
    may_be(node, "object") && node.keyword("additionalProperties").is_none_or(|more| *more != false)
}

/// A keyword that shapes a value in a way that no strict schema knows.
pub(in crate::provider) fn is_too_rich(node: &Schema) -> bool {
    let unknown = [
        "allOf",
        "oneOf",
        "prefixItems",
        "patternProperties",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "unevaluatedProperties",
    ];
    unknown.iter().any(|key| node.keyword(key).is_some())
}
