//! Enums in every representation of serde, as the model sends them.

use serde::Deserialize;
use serde_json::{Value, json};
use toolkit::tool;

use super::{refused, run, schema};

/// Mouse button.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
enum Button {
    /// primary
    Left,
    /// secondary
    Right,
}

/// A tool.
#[tool(category = Read)]
async fn click(loc: (u32, u32), button: Button) -> u32 {
    let _ = button;
    loc.0 + loc.1
}

#[tokio::test]
async fn variants_keep_their_descriptions() {
    let schema = schema::<click>();
    assert_eq!(
        schema["$defs"]["Button"],
        json!({"description": "Mouse button.", "oneOf": [
            {"description": "primary", "type": "string", "const": "Left"},
            {"description": "secondary", "type": "string", "const": "Right"},
        ]})
    );
    let number = json!({"type": "integer", "format": "uint32", "minimum": 0});
    assert_eq!(
        schema["properties"]["loc"],
        json!({"type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [number, number]})
    );
    assert_eq!(run::<click>(json!({"loc": [1, 2], "button": "Left"})).await, "3");
}

#[tokio::test]
async fn a_variant_that_is_none_is_answered_with_all_of_them() {
    let text = refused::<click>(json!({"loc": [1, 2], "button": "middle"})).await;
    assert!(text.contains("Left") && text.contains("Right"), "{text}");
}

macro_rules! shapes {
    ($($(#[$attribute:meta])* $name:ident)*) => {$(
        #[derive(Debug, Deserialize, schemars::JsonSchema)]
        $(#[$attribute])*
        enum $name {
            Circle { r: u8 },
            Square(u8),
            Empty,
        }
    )*};
}

shapes! {
    External
    #[serde(rename_all = "kebab-case", rename_all_fields = "UPPERCASE")] Renamed
    #[serde(tag = "kind", content = "data")] Adjacent
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Internal {
    Circle { r: u8 },
    BigSquare(Side),
    Empty,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Side {
    side: u8,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Circle { r: u8 },
    Many(Vec<u8>),
    Name(String),
    Nothing,
}

/// A tool.
#[tool(category = Read)]
async fn draw(
    external: Option<External>,
    renamed: Option<Renamed>,
    adjacent: Option<Adjacent>,
    internal: Option<Internal>,
    untagged: Option<Untagged>,
    several: Option<Vec<Internal>>,
) -> String {
    let mut parts = Vec::new();
    parts.extend(external.map(|shape| format!("{shape:?}")));
    parts.extend(renamed.map(|shape| format!("{shape:?}")));
    parts.extend(adjacent.map(|shape| format!("{shape:?}")));
    parts.extend(internal.map(|shape| format!("{shape:?}")));
    parts.extend(untagged.map(|shape| format!("{shape:?}")));
    parts.extend(several.map(|shapes| format!("{shapes:?}")));
    parts.join(" ")
}

#[tokio::test]
async fn every_representation_is_read_as_serde_writes_it() {
    for (arguments, expected) in [
        (json!({"external": {"Circle": {"r": 1}}}), "Circle { r: 1 }"),
        (json!({"external": {"Square": 2}}), "Square(2)"),
        (json!({"external": "Empty"}), "Empty"),
        (json!({"renamed": {"circle": {"R": 1}}}), "Circle { r: 1 }"),
        (json!({"renamed": "empty"}), "Empty"),
        (json!({"adjacent": {"kind": "Circle", "data": {"r": 1}}}), "Circle { r: 1 }"),
        (json!({"adjacent": {"data": 2, "kind": "Square"}}), "Square(2)"),
        (json!({"adjacent": {"kind": "Empty"}}), "Empty"),
        (json!({"internal": {"kind": "circle", "r": 1}}), "Circle { r: 1 }"),
        (json!({"internal": {"r": 1, "kind": "circle"}}), "Circle { r: 1 }"),
        (json!({"internal": {"kind": "big_square", "side": 2}}), "BigSquare(Side { side: 2 })"),
        (json!({"internal": {"kind": "empty"}}), "Empty"),
        (json!({"untagged": {"r": 1}}), "Circle { r: 1 }"),
        (json!({"untagged": [1, 2]}), "Many([1, 2])"),
        (json!({"untagged": "x"}), "Name(\"x\")"),
        (json!({"several": [{"kind": "empty"}, {"kind": "circle", "r": 1}]}), "[Empty, Circle { r: 1 }]"),
    ] {
        assert_eq!(run::<draw>(arguments.clone()).await, expected, "{arguments}");
    }
}

#[tokio::test]
async fn no_representation_takes_anything_else() {
    for arguments in [
        json!({"external": {"Triangle": {"r": 1}}}),
        json!({"external": {"Circle": {"r": 256}}}),
        json!({"adjacent": {"kind": "Triangle"}}),
        json!({"internal": {"kind": "circle", "r": 1, "extra": 2}}),
        json!({"internal": {"r": 1}}),
        json!({"untagged": {"r": "x"}}),
        json!({"untagged": 1.5}),
    ] {
        let text = refused::<draw>(arguments.clone()).await;
        let key = arguments.as_object().unwrap().keys().next().unwrap();
        assert!(text.contains(&format!("`{key}")), "{arguments}: {text}");
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Variant(String),
}

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Flattened {
    property: String,
    #[serde(flatten)]
    kind: Kind,
}

/// A tool.
#[tool(category = Read)]
async fn flattened(args: Flattened) -> String {
    let Kind::Variant(text) = args.kind;
    args.property + &text
}

#[tokio::test]
async fn a_flattened_enum_that_refuses_the_unknown_can_be_satisfied() {
    assert_eq!(run::<flattened>(json!({"args": {"property": "p", "variant": "v"}})).await, "pv");
    let Value::Object(definition) = schema::<flattened>()["$defs"]["Flattened"].clone() else { panic!("no object") };
    assert!(!definition.contains_key("additionalProperties"), "{definition:?}");
}
