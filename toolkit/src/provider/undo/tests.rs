use serde_json::json;

use super::*;

/// The arguments turned back along a schema, and whether anything was changed.
fn back(schema: Value, mut arguments: Value) -> (Value, bool) {
    let mut schema = Schema::try_from(schema).unwrap();
    let undo = Undo::of(&mut schema).expect("a schema with marks");
    assert!(!schema.as_value().to_string().contains("\\u0000"), "{schema:?}");
    let changed = undo.apply(&mut arguments);
    (arguments, changed)
}

#[test]
fn a_schema_without_marks_needs_no_way_back() {
    let mut schema = schemars::json_schema!({ "type": "object", "properties": { "a": { "type": "string" } } });
    assert!(Undo::of(&mut schema).is_none());
}

#[test]
fn a_null_for_what_was_left_out_is_dropped_and_any_other_stays() {
    let schema = json!({
        "type": "object",
        "properties": {
            "limit": { "type": ["integer", "null"], ABSENT: true },
            "note": { "type": ["string", "null"] },
            "rows": { "type": "array", "items": { "$ref": "#/$defs/Row" } }
        },
        "$defs": { "Row": { "type": "object", "properties": { "x": { "type": ["integer", "null"], ABSENT: true } } } }
    });
    let written = json!({ "limit": null, "note": null, "rows": [{ "x": null }, { "x": 1 }], "more": null });
    let expected = json!({ "note": null, "rows": [{}, { "x": 1 }], "more": null });
    assert_eq!(back(schema.clone(), written), (expected, true));
    let plain = json!({ "limit": 5, "rows": [] });
    assert_eq!(back(schema, plain.clone()), (plain, false));
}

#[test]
fn pairs_become_the_map_again() {
    let pairs = |values: Value| {
        let pair = json!({ "type": "object", "properties": { "key": { "type": "string" }, "value": values } });
        json!({ "type": "array", "items": pair, PAIRS: true })
    };
    let schema = json!({ "type": "object", "properties": { "of": pairs(pairs(json!({ "type": "integer" }))) } });
    let written = json!({ "of": [{ "key": "a", "value": [{ "key": "b", "value": 1 }] }, { "key": "c", "value": [] }] });
    assert_eq!(back(schema.clone(), written), (json!({ "of": { "a": { "b": 1 }, "c": {} } }), true));
    let other = json!({ "of": { "a": 1 } });
    assert_eq!(back(schema, other.clone()), (other, false));
}

#[test]
fn a_text_that_holds_json_is_taken_out() {
    let schema = json!({ "type": "object", "properties": { "any": { "type": "string", TEXT: true } } });
    assert_eq!(back(schema.clone(), json!({ "any": "{\"a\":1}" })).0, json!({ "any": { "a": 1 } }));
    assert_eq!(back(schema, json!({ "any": "words" })), (json!({ "any": "words" }), false));
}

#[test]
fn keys_are_their_own_again_and_keep_their_order() {
    let schema = json!({ "type": "object", "properties": {
        "_ref": { "type": "string", KEY: "$ref" },
        "b": { "type": "object", "properties": { "c_d": { "type": "string", KEY: "c d" } } }
    } });
    let (arguments, changed) = back(schema, json!({ "_ref": "x", "b": { "c_d": "y" }, "z": 1 }));
    assert!(changed);
    assert_eq!(arguments.to_string(), r#"{"$ref":"x","b":{"c d":"y"},"z":1}"#);
}

#[test]
fn of_several_alternatives_the_one_that_was_written_counts() {
    let variant = |tag: &str, more: Value| {
        let mut properties = json!({ "kind": { "const": tag } });
        properties["of"] = more;
        json!({ "type": "object", "properties": properties, "required": ["kind", "of"], "additionalProperties": false })
    };
    let schema = json!({ "type": "object", "properties": { "it": { "anyOf": [
        variant("a", json!({ "type": ["string", "null"] })),
        variant("b", json!({ "type": ["string", "null"], ABSENT: true })),
        { "type": "null" }
    ] } } });
    let written = json!({ "it": { "kind": "a", "of": null } });
    assert_eq!(back(schema.clone(), written.clone()), (written, false));
    let written = json!({ "it": { "kind": "b", "of": null } });
    assert_eq!(back(schema.clone(), written).0, json!({ "it": { "kind": "b" } }));
    assert_eq!(back(schema, json!({ "it": null })).0, json!({ "it": null }));
}

#[test]
fn no_value_is_too_deep() {
    let schema = json!({ "type": "object", "properties": { "it": { "$ref": "#", ABSENT: true } } });
    let mut value = json!(null);
    for _ in 0..120 {
        value = json!({ "it": value });
    }
    assert!(back(schema, value).1);
}
