//! The schemas that OpenAI holds its models to, and those who do it by its rules.

use schemars::Schema;
use serde_json::Value;

use super::dialect::{Broken, Change, Profile, Rule, SchemaRule, Strict};
use super::schema::{self, Known};
use crate::schema::Keywords as _;

pub(super) const STRICT: Strict =
    Strict { profile: Profile { changes: &CHANGES, rules: &RULES }, budgets: &[], whole_request: None };

static CHANGES: [Change; 4] = [
    Change::Each(&[
        schema::without_origin,
        schema::any_value,
        schema::standard_formats,
        schema::alternatives_as_any_of,
        schema::merged_all_of,
        schema::typed,
        schema::tuple_as_list,
        schema::array_items,
        schema::closed,
        schema::tag_first,
    ]),
    Change::Whole(schema::closed_root),
    Change::Each(&[known_alone, schema::reference_alone]),
    Change::Whole(schema::all_required),
];

fn known_alone(node: &mut Schema) {
    const KNOWN: Known = Known {
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
        limits: &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"],
        pattern: schema::is_regular,
    };
    schema::known_alone(node, &KNOWN);
}

/// The rules of a strict schema that every provider shares.
pub(super) const CLOSED: SchemaRule = SchemaRule {
    broken: Broken::Anywhere(schema::is_open),
    rule: Rule {
        text: "a strict object lists all of its keys; a map has none to list (see `ExportOptions::maps_as_pairs`)",
        source: "OpenAI's guide to structured outputs; letta-ai/letta#3137",
        date: "2026-11-30",
    },
};

pub(super) const TYPED: SchemaRule = SchemaRule {
    broken: Broken::Anywhere(schema::is_untyped),
    rule: Rule {
        text: "a strict schema has a type everywhere; a value of any kind has none",
        source: "an error of the API: \"schema must have a 'type' key\"",
        date: "2026-11-30",
    },
};

pub(super) const SHAPED: SchemaRule = SchemaRule {
    broken: Broken::Anywhere(schema::is_too_rich),
    rule: Rule {
        text: "a strict schema has no `allOf`, `oneOf`, `patternProperties`, `prefixItems`, conditions or dependencies",
        source: "OpenAI's guide to structured outputs; makenotion/notion-mcp-server#102",
        date: "2026-11-30",
    },
};

static RULES: [SchemaRule; 8] = [
    CLOSED,
    TYPED,
    SHAPED,
    SchemaRule {
        broken: Broken::AtRoot(|root, _| {
            root.keyword("type").is_none_or(|kind| kind != "object")
                || schema::ALTERNATIVES.iter().any(|key| root.keyword(key).is_some())
        }),
        rule: Rule {
            text: "a strict schema is an object at its root and has no alternatives there",
            source: "OpenAI's guide to structured outputs",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|_, extent| extent.properties > 5_000),
        rule: Rule {
            text: "a strict schema has at most 5000 properties",
            source: "OpenAI's guide to structured outputs",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|root, extent| schema::levels(root, extent) > 10),
        rule: Rule {
            text: "a strict schema has at most 10 levels of objects",
            source: "OpenAI's guide to structured outputs",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|_, extent| extent.values > 1_000 || extent.characters > 120_000),
        rule: Rule {
            text: "a strict schema lists at most 1000 values, and has 120000 characters of names and values",
            source: "OpenAI's guide to structured outputs",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::Anywhere(|node| {
            let values = node.keyword("enum").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let characters: usize = values.iter().filter_map(Value::as_str).map(|text| text.chars().count()).sum();
            node.keyword("enum").is_some() && (values.is_empty() || (values.len() > 250 && characters > 15_000))
        }),
        rule: Rule {
            text: "an `enum` lists something, and one of more than 250 texts has at most 15000 characters",
            source: "OpenAI's guide to structured outputs",
            date: "2026-11-30",
        },
    },
];
