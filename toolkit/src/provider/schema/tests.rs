use schemars::{JsonSchema, SchemaGenerator};
use serde_json::json;

use super::*;
use crate::provider::openai_chat::DIALECT;

fn changed(schema: &Value) -> Value {
    transformed(schema, DIALECT.loose.changes).to_value()
}

/// A property of this schema, changed.
fn property(schema: &Value) -> Value {
    let root = changed(&json!({ "type": "object", "properties": { "it": schema } }));
    root["properties"]["it"].clone()
}

fn of<T: JsonSchema>() -> Value {
    property(&SchemaGenerator::default().subschema_for::<T>().to_value())
}

#[test]
fn what_speaks_of_the_schema_is_dropped_everywhere() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Request",
        "type": "object",
        "properties": { "message": { "title": "Text", "type": "string" } },
        "$defs": { "Text": { "title": "Text", "type": "string" } }
    });
    let expected = json!({
        "type": "object",
        "properties": { "message": { "type": "string" } },
        "$defs": { "Text": { "type": "string" } }
    });
    assert_eq!(changed(&schema), expected);
}

#[test]
fn parameters_named_like_keywords_stay() {
    let schema = json!({
        "type": "object",
        "properties": {
            "file_id": { "type": "string" },
            "properties": { "type": "array", "items": { "type": "string" } },
            "required": { "type": "boolean" },
            "type": { "type": "string", "enum": ["a", "b"] },
            "$ref": { "type": "string" },
            "items": { "type": "integer" },
            "default": { "type": "string" },
            "enum": { "type": "string" },
            "const": { "type": "string" },
            "anyOf": { "type": "string" },
            "title": { "type": "string" },
            "description": { "type": "string" },
            "format": { "type": "string" }
        },
        "required": ["type"]
    });
    assert_eq!(changed(&schema), schema);
}

#[test]
fn numbers_lose_their_format_and_keep_their_bounds() {
    assert_eq!(of::<u8>(), json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
    assert_eq!(of::<u32>(), json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(of::<i64>(), json!({ "type": "integer" }));
    assert_eq!(of::<f64>(), json!({ "type": "number" }));
    assert_eq!(of::<Option<u16>>()["type"], json!(["integer", "null"]));
    assert_eq!(of::<Option<u16>>().get("format"), None);
}

#[test]
fn texts_keep_the_formats_that_are_json_schema_s() {
    for kept in ["date-time", "uri", "uuid", "regex"] {
        let schema = json!({ "type": "string", "format": kept });
        assert_eq!(property(&schema), schema);
    }
    for dropped in ["partial-date-time", "decimal", "Date-Time"] {
        assert_eq!(property(&json!({ "type": "string", "format": dropped })), json!({ "type": "string" }));
    }
}

#[test]
fn every_array_has_items() {
    let schema = json!({ "type": "array", "items": { "type": "array" }, "description": "rows" });
    assert_eq!(property(&schema)["items"], json!({ "type": "array", "items": {} }));
    assert_eq!(property(&json!({ "type": ["array", "null"] }))["items"], json!({}));
    assert_eq!(of::<Vec<u8>>()["items"], json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
}

#[test]
fn a_tuple_keeps_its_places_and_says_what_may_stand_in_it() {
    let expected = json!({
        "type": "array",
        "prefixItems": [{ "type": "integer" }, { "type": "string" }],
        "minItems": 2,
        "maxItems": 2,
        "items": { "anyOf": [{ "type": "integer" }, { "type": "string" }] }
    });
    assert_eq!(of::<(i64, String)>(), expected);
    assert_eq!(of::<(f64, f64)>()["items"], json!({ "type": "number" }));
    assert_eq!(of::<(String, Value)>()["items"], json!({ "anyOf": [{ "type": "string" }, {} ] }));
}

#[test]
fn a_value_of_any_kind_is_an_empty_schema() {
    assert_eq!(of::<Value>(), json!({}));
    assert_eq!(of::<Vec<Value>>()["items"], json!({}));
}

#[test]
fn a_map_has_properties_and_still_takes_any_key() {
    use std::collections::BTreeMap;
    let expected = json!({ "type": "object", "additionalProperties": { "type": "string" }, "properties": {} });
    assert_eq!(of::<BTreeMap<String, String>>(), expected);
    assert_eq!(of::<BTreeMap<String, Vec<Value>>>()["additionalProperties"], json!({ "type": "array", "items": {} }));
    assert_eq!(
        property(&json!({ "type": "object", "additionalProperties": false })),
        json!({ "type": "object", "additionalProperties": false, "properties": {} })
    );
}

#[test]
fn references_stay_with_what_stands_beside_them() {
    let schema = json!({
        "type": "object",
        "properties": { "root": { "description": "the first", "$ref": "#/$defs/Node" } },
        "$defs": { "Node": {
            "type": "object",
            "properties": { "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] } }
        } }
    });
    assert_eq!(changed(&schema), schema);
}

#[test]
fn a_root_that_says_nothing_takes_no_arguments() {
    let empty = json!({ "type": "object", "properties": {} });
    for nothing in [json!({}), json!(true), json!(null), json!({ "type": "null" }), json!({ "type": "object" })] {
        assert_eq!(changed(&nothing), empty, "{nothing}");
    }
    assert_eq!(changed(&json!({ "type": "object", "properties": [] })), empty);
    let typeless = json!({ "properties": { "q": { "type": "string" } } });
    assert_eq!(changed(&typeless)["type"], "object");
}

#[test]
fn a_root_that_says_something_else_is_left_to_the_rules() {
    for other in [json!({ "type": "string" }), json!({ "oneOf": [] }), json!({ "$ref": "#/$defs/A" }), json!(false)] {
        assert_eq!(changed(&other), other);
    }
}

#[test]
fn what_a_schema_holds_is_counted_once() {
    let mut schema = schemars::json_schema!({
        "type": "object",
        "properties": {
            "a": { "$ref": "#/$defs/A" },
            "b": { "type": ["string", "null"] },
            "c": { "anyOf": [{ "type": "string" }, { "type": "integer" }] }
        },
        "required": ["a"],
        "$defs": { "A": { "type": "object", "properties": { "x": { "enum": ["no", "yes"] } } } }
    });
    let all = Extent::of(&mut schema);
    assert_eq!((all.properties, all.optional, all.unions, all.values), (4, 3, 2, 2));
    assert_eq!(all.characters, "abcx".len() + "noyes".len() + "A".len());
    assert_eq!(levels(&schema, &all), 2);
    assert!(!is_recursive(&schema, &all));
    let mut node = schemars::json_schema!({ "$defs": { "A": { "items": { "$ref": "#/$defs/B" } }, "B": { "$ref": "#/$defs/A" } } });
    let all = Extent::of(&mut node);
    assert!(is_recursive(&node, &all));
}
