//! The schemas that Anthropic holds its models to. They are compiled together, so that what they may hold is counted over
//! the whole request.

use schemars::Schema;

use super::super::dialect::{Broken, Budget, Change, Limit, Profile, Rule, SchemaRule, Strict};
use super::super::openai_strict::{CLOSED, SHAPED, TYPED};
use super::super::schema::{self, Known};
use crate::schema::Keywords as _;

pub(in crate::provider) const STRICT: Strict =
    Strict { profile: Profile { changes: &CHANGES, rules: &RULES }, budgets: &BUDGETS, whole_request: None };

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
        schema::absent_or_there,
        schema::tag_first,
    ]),
    Change::Whole(schema::closed_root),
    Change::Whole(schema::inlined_siblings),
    Change::Each(&[known_alone]),
];

fn known_alone(node: &mut Schema) {
    const KNOWN: Known = Known {
        formats: &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"],
        limits: &["minItems<2"],
        pattern: |_| false,
    };
    schema::known_alone(node, &KNOWN);
}

static RULES: [SchemaRule; 7] = [
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
            source: "an error of the API: \"input_schema does not support oneOf, allOf, or anyOf at the top level\"",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(schema::is_recursive),
        rule: Rule {
            text: "a strict schema does not lead back to itself",
            source: "an error of the API: \"Circular reference detected in schema definitions\"",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|_, extent| extent.unions >= 16),
        rule: Rule {
            text: "one strict schema has fewer than 16 properties with several types",
            source: "an error of the API: \"Schema is too complex for compilation\"",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|_, extent| extent.optional >= 24),
        rule: Rule {
            text: "one strict schema has fewer than 24 properties that may be left out",
            source: "an error of the API: \"Schema is too complex for compilation\"",
            date: "2026-11-30",
        },
    },
];

static BUDGETS: [Budget; 3] = [
    Budget {
        count: |_| 1,
        limit: Limit {
            most: 20,
            rule: Rule {
                text: "a request takes at most 20 strict tools",
                source: "an error of the API: \"Too many strict tools\"",
                date: "2026-11-30",
            },
        },
    },
    Budget {
        count: |extent| extent.optional,
        limit: Limit {
            most: 24,
            rule: Rule {
                text: "the strict tools of a request have at most 24 properties that may be left out",
                source: "an error of the API: \"Schemas contains too many optional parameters\"",
                date: "2026-11-30",
            },
        },
    },
    Budget {
        count: |extent| extent.unions,
        limit: Limit {
            most: 16,
            rule: Rule {
                text: "the strict tools of a request have at most 16 properties with several types",
                source: "an error of the API: \"parameters with type arrays or anyOf\"",
                date: "2026-11-30",
            },
        },
    },
];
