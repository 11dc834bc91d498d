//! The schemas that Cohere holds its models to: all of a request or none.

use schemars::Schema;
use serde_json::Value;

use super::super::dialect::{Broken, Budget, Change, Limit, Profile, Rule, SchemaRule, Strict};
use super::super::openai_strict::{CLOSED, SHAPED, TYPED};
use super::super::schema::{self, Known};
use crate::schema::Keywords as _;

pub(super) const STRICT: Strict = Strict {
    profile: Profile { changes: &CHANGES, rules: &RULES },
    budgets: &BUDGETS,
    whole_request: Some((
        Rule {
            text: "a request is strict with all of its tools or with none",
            source: "Cohere's documentation of `strict_tools`",
            date: "2026-11-30",
        },
        "strict_tools",
    )),
};

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
    Change::Whole(schema::all_required_by_alternatives),
];

fn known_alone(node: &mut Schema) {
    const KNOWN: Known = Known {
        formats: &["date-time", "uuid", "date", "time"],
        limits: &[],
        pattern: |pattern| schema::is_regular(pattern) && !pattern.contains(['^', '$']),
    };
    schema::known_alone(node, &KNOWN);
}

static RULES: [SchemaRule; 4] = [
    CLOSED,
    TYPED,
    SHAPED,
    SchemaRule {
        broken: Broken::Anywhere(|node| {
            schema::may_be(node, "object")
                && node.keyword("required").and_then(Value::as_array).is_none_or(Vec::is_empty)
        }),
        rule: Rule {
            text: "every object of a strict request has a required property, the arguments too",
            source: "Cohere's documentation of `strict_tools`",
            date: "2026-11-30",
        },
    },
];

static BUDGETS: [Budget; 1] = [Budget {
    count: |extent| extent.properties,
    limit: Limit {
        most: 200,
        rule: Rule {
            text: "the tools of a strict request have at most 200 properties",
            source: "Cohere's documentation of `strict_tools`",
            date: "2026-11-30",
        },
    },
}];
