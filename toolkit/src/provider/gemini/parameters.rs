//! Gemini's `parameters`: a message of Google's, with fewer fields than JSON Schema has keywords.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::super::dialect::{Broken, Change, Profile, Rule, SchemaRule};
use super::super::{schema, undo};
use crate::schema::{Keywords as _, transform_subschemas};

pub(super) const PROFILE: Profile = Profile {
    changes: &[
        Change::Whole(schema::inlined),
        Change::Each(&[
            schema::without_origin,
            schema::any_value,
            schema::alternatives_as_any_of,
            schema::constant_as_enum,
            schema::merged_all_of,
            schema::tuple_as_list,
            types_apart,
            known_format,
            known_enum,
            known_keywords,
        ]),
        Change::Whole(schema::object_root),
        // Last and inner first: an object is written as a text only where nothing of it could be shown.
        Change::Whole(texts),
    ],
    rules: &RULES,
};

static RULES: [SchemaRule; 3] = [
    SchemaRule {
        broken: Broken::AtRoot(|root, _| root.keyword("type").is_none_or(|kind| kind != "object")),
        rule: Rule {
            text: "the schema of the arguments must have `\"type\": \"object\"`",
            source: "Vertex AI's error \"parameters schema should be of type OBJECT\"",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::Anywhere(|node| node.keyword("type").is_none() && node.keyword("anyOf").is_none()),
        rule: Rule {
            text: "every schema has a `type` or `anyOf`",
            source: "google.ai.generativelanguage.v1beta, `Schema`",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::Anywhere(|node| node.keyword("type").is_some_and(Value::is_array)),
        rule: Rule {
            text: "`type` is one type; `nullable` says that there may be none",
            source: "google-gemini/gemini-cli#21094",
            date: "2026-11-30",
        },
    },
];

/// One type a schema: `null` becomes `nullable`, and of several types each gets a schema with the keywords of its own.
fn types_apart(node: &mut Schema) {
    let Some(object) = node.as_object_mut() else { return };
    if let Some(Value::Array(kinds)) = object.keyword("type").cloned() {
        let mut kinds: Vec<Value> = kinds;
        let before = kinds.len();
        kinds.retain(|kind| kind != "null");
        if kinds.len() < before {
            object.insert("nullable".to_owned(), true.into());
        }
        match kinds.as_slice() {
            [] => drop(object.insert("type".to_owned(), "string".into())),
            [only] => drop(object.insert("type".to_owned(), only.clone())),
            several => schema::apart(object, several),
        }
    }
    nullable_alternatives(object);
}

/// An alternative that is `null` becomes `nullable`, and a single one that is left stands for itself.
fn nullable_alternatives(object: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = object.get_mut("anyOf") else { return };
    let before = alternatives.len();
    alternatives.retain(|one| one.keyword("type").is_none_or(|kind| kind != "null"));
    let had_null = alternatives.len() < before;
    let only = if let [Value::Object(only)] = alternatives.as_slice() { Some(only.clone()) } else { None };
    if had_null {
        object.insert("nullable".to_owned(), true.into());
    }
    if let Some(only) = only {
        object.shift_remove("anyOf");
        for (key, value) in only {
            object.entry(key).or_insert(value);
        }
        // What it is made of may have several types of its own.
        if object.keyword("type").is_some_and(Value::is_array) || object.keyword("anyOf").is_some() {
            let mut node = Schema::from(std::mem::take(object));
            types_apart(&mut node);
            *object = node.as_object().cloned().unwrap_or_default();
        }
    }
}

/// The formats of the message: `date-time` for texts, a width for numbers.
fn known_format(node: &mut Schema) {
    let kind = node.keyword("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let Some(format) = node.keyword("format").and_then(Value::as_str) else { return };
    let known = match (kind.as_str(), format) {
        ("string", "date-time") => "date-time",
        ("integer", "int8" | "int16" | "int32" | "uint8" | "uint16") => "int32",
        ("integer", _) => "int64",
        ("number", "float") => "float",
        ("number", "double") => "double",
        ("string", "date" | "time" | "duration" | "email" | "hostname" | "ipv4" | "ipv6" | "uri" | "uuid") => {
            return schema::fold(node, |key| key != "format");
        }
        _ => {
            node.remove("format");
            return;
        }
    };
    node.insert("format".to_owned(), known.into());
}

/// An `enum` holds texts, none of them empty, and belongs to a text.
fn known_enum(node: &mut Schema) {
    let Some(Value::Array(values)) = node.keyword("enum") else { return };
    let mut values = values.clone();
    values.retain(|value| !value.is_null());
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
    if values.is_empty() || !values.iter().all(is_text) {
        return schema::fold(node, |key| key != "enum");
    }
    node.insert("type".to_owned(), "string".into());
    node.insert("enum".to_owned(), values.into());
}

/// What the message has no field for is said in words.
fn known_keywords(node: &mut Schema) {
    const FIELDS: [&str; 19] = [
        "anyOf",
        "default",
        "description",
        "enum",
        "example",
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
        "nullable",
        "pattern",
        "properties",
        "required",
    ];
    let is_map = node.keyword("type").is_some_and(|kind| kind == "object")
        && node.keyword("additionalProperties").is_some_and(|more| *more != false);
    schema::fold(node, |key| key == "type" || FIELDS.contains(&key) || (key == "additionalProperties" && is_map));
}

/// What no field can say becomes a text that holds JSON: a value of any kind, and an object without known keys.
fn texts(root: &mut Schema) {
    let Some(root) = root.as_object_mut() else { return };
    root.shift_remove("additionalProperties");
    for property in root.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        as_text(property);
    }
}

fn as_text(value: &mut Value) {
    if let Ok(node) = <&mut Schema>::try_from(value) {
        transform_subschemas(&mut Texts, node);
        written_as_text(node);
    }
}

struct Texts;

impl schemars::transform::Transform for Texts {
    fn transform(&mut self, node: &mut Schema) {
        transform_subschemas(self, node);
        written_as_text(node);
    }
}

fn written_as_text(node: &mut Schema) {
    let kind = node.keyword("type");
    let is_object = kind.is_some_and(|kind| kind == "object");
    let nothing_known = node.keyword("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
    let says_nothing = kind.is_none() && node.keyword("anyOf").is_none();
    let is_text = says_nothing || (is_object && nothing_known);
    if !is_text {
        if is_object {
            schema::fold(node, |key| key != "additionalProperties");
        } else if kind.is_some_and(|kind| kind == "array") && !node.keyword("items").is_some_and(Value::is_object) {
            let mut items = schemars::json_schema!({});
            written_as_text(&mut items);
            node.insert("items".to_owned(), items.to_value());
        }
        return;
    }
    let words = match node.keyword("additionalProperties") {
        Some(Value::Object(values)) if !values.is_empty() => {
            format!(
                "a JSON object, written as a text, with any keys and each value as {}",
                Value::Object(values.clone())
            )
        }
        _ if is_object => "a JSON object, written as a text".to_owned(),
        _ => "any JSON value, written as a text".to_owned(),
    };
    let mut text = Map::from_iter([("type".to_owned(), json!("string"))]);
    for kept in ["description", "nullable", undo::KEY] {
        text.extend(node.remove(kept).map(|value| (kept.to_owned(), value)));
    }
    schema::describe(&mut text, &words);
    text.insert(undo::TEXT.to_owned(), true.into());
    *node = text.into();
}
