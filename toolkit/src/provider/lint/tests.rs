use serde_json::json;

use super::*;
use crate::provider::openai_chat::DIALECT;

fn places(schema: Value) -> Vec<(String, &'static str)> {
    let mut schema = Schema::try_from(schema).unwrap();
    broken(&mut schema, DIALECT.loose.rules).0.into_iter().map(|(place, rule)| (place, rule.text)).collect()
}

#[test]
fn a_good_schema_breaks_nothing() {
    assert_eq!(places(json!({ "type": "object", "properties": { "not": { "type": "string" } } })), []);
}

#[test]
fn the_root_must_be_an_object_and_nothing_else() {
    let texts = |schema| places(schema).into_iter().map(|(place, _)| place).collect::<Vec<_>>();
    assert_eq!(texts(json!({ "type": "string" })), ["#", "#"]);
    assert_eq!(texts(json!({ "type": "object" })), ["#"]);
    assert_eq!(texts(json!({ "type": "object", "properties": {}, "anyOf": [] })), ["#"]);
    assert_eq!(texts(json!(false)), ["#", "#"]);
    // Deeper down all of this is taken.
    assert_eq!(texts(json!({ "type": "object", "properties": { "a": { "oneOf": [{ "type": "object" }] } } })), [""; 0]);
}

#[test]
fn every_place_is_named() {
    let array = json!({ "type": "array" });
    let schema = json!({
        "type": "object",
        "properties": {
            "tags": array,
            "properties": array,
            "a/b~c": { "anyOf": [{ "type": "string" }, array] },
            "map": { "type": "object", "additionalProperties": array }
        },
        "$defs": { "Row": { "type": "array", "items": array } },
        "examples": [array],
        "default": array
    });
    let found: Vec<String> = places(schema).into_iter().map(|(place, _)| place).collect();
    let expected = [
        "#/properties/tags",
        "#/properties/properties",
        "#/properties/a~1b~0c/anyOf/1",
        "#/properties/map/additionalProperties",
        "#/$defs/Row/items",
    ];
    assert_eq!(found, expected);
}
