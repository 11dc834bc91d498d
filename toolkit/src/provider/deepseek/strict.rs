//! The schemas that `DeepSeek` holds its models to, under the base URL that ends in `/beta`.

use schemars::Schema;
use serde_json::{Map, Value};

use super::super::dialect::{Broken, Change, Profile, Rule, SchemaRule, Strict};
use super::super::openai_strict::{CLOSED, SHAPED, TYPED};
use super::super::schema::{self, Known};
use crate::schema::Keywords as _;

pub(super) const STRICT: Strict =
    Strict { profile: Profile { changes: &CHANGES, rules: &RULES }, budgets: &[], whole_request: None };

static CHANGES: [Change; 5] = [
    // A reference among alternatives is refused. A type that leads back to itself is cut here, and refused as open.
    Change::Whole(schema::inlined),
    Change::Each(&[
        schema::without_origin,
        schema::any_value,
        schema::standard_formats,
        schema::alternatives_as_any_of,
        schema::merged_all_of,
        schema::typed,
        schema::compounds_apart,
        schema::array_items,
        schema::closed,
        schema::tag_first,
    ]),
    Change::Whole(schema::closed_root),
    Change::Whole(schema::all_required_by_alternatives),
    Change::Each(&[known_alone]),
];

fn known_alone(node: &mut Schema) {
    const KNOWN: Known = Known {
        formats: &["email", "hostname", "ipv4", "ipv6", "uuid"],
        limits: &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
        pattern: schema::is_regular,
    };
    schema::known_alone(node, &KNOWN);
}

static RULES: [SchemaRule; 5] = [
    CLOSED,
    TYPED,
    SHAPED,
    SchemaRule {
        broken: Broken::Anywhere(|node| {
            let compound = |kind: &Value| kind == "object" || kind == "array";
            node.keyword("type").and_then(Value::as_array).is_some_and(|kinds| kinds.iter().any(compound))
        }),
        rule: Rule {
            text: "a list of types names no object and no array",
            source: "0xPlaygrounds/rig, the rewriter of its DeepSeek client",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|root, _| {
            let is_empty = |schema: &Value| {
                schema.keyword("type").is_some_and(|kind| kind == "object")
                    && schema.keyword("additionalProperties").is_some_and(|more| *more == false)
                    && schema.keyword("properties").and_then(Value::as_object).is_none_or(Map::is_empty)
            };
            let inside = root.keyword("properties").and_then(Value::as_object).into_iter().flat_map(Map::values);
            inside.into_iter().any(|property| contains(property, &is_empty))
        }),
        rule: Rule {
            text: "only the arguments themselves may be an object without properties",
            source: "0xPlaygrounds/rig, the rewriter of its DeepSeek client",
            date: "2026-11-30",
        },
    },
];

/// Whether this holds of a schema or of one within it.
fn contains(schema: &Value, is: &impl Fn(&Value) -> bool) -> bool {
    use schemars::transform::{RecursiveTransform, Transform};
    let mut found = false;
    if let Ok(mut schema) = Schema::try_from(schema.clone()) {
        RecursiveTransform(|node: &mut Schema| found |= is(node.as_value())).transform(&mut schema);
    }
    found
}
