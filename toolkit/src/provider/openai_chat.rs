//! OpenAI's Chat Completions, and the many servers that speak it.

use serde_json::Value;

use super::dialect::{Broken, Dialect, Exchange, Limit, Profile, Rule, SchemaRule, plain_list};
use super::names::NameRule;
use super::{chat, openai_strict, schema};
use crate::schema::Keywords as _;

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 64,
        rule: Rule {
            text: "a tool's name must match `^[a-zA-Z0-9_-]{1,64}$`",
            source: "OpenAI's OpenAPI document, `FunctionObject`",
            date: "2026-11-30",
        },
    },
    keys: None,
    most_tools: Some(MOST_TOOLS),
    longest_description: Some(LONGEST_DESCRIPTION),
    loose: LOOSE,
    older: None,
    strict: Some(openai_strict::STRICT),
    declare: chat::declare_strict,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = chat::EXCHANGE;

pub(super) const MOST_TOOLS: Limit = Limit {
    most: 128,
    rule: Rule {
        text: "a request takes at most 128 tools; leave some out with `Registry::filter`, for example by category",
        source: "zed-industries/zed#32946",
        date: "2026-11-30",
    },
};

pub(super) const LONGEST_DESCRIPTION: Limit = Limit {
    most: 1024,
    rule: Rule {
        text: "older deployments and Azure's take descriptions of at most 1024 characters",
        source: "rusiaaman/wcgw#51; lifted on api.openai.com, run-llama/llama_index#18784",
        date: "2026-11-30",
    },
};

/// Without `strict`.
pub(super) const LOOSE: Profile = Profile { changes: &chat::LOOSE, rules: &RULES };

pub(super) static RULES: [SchemaRule; 4] = [
    SchemaRule {
        broken: Broken::AtRoot(|root, _| root.keyword("type").is_none_or(|kind| kind != "object")),
        rule: Rule {
            text: "the schema of the arguments must have `\"type\": \"object\"`",
            source: "chatanywhere/GPT_API_free#403",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|root, _| !root.keyword("properties").is_some_and(Value::is_object)),
        rule: Rule {
            text: "the schema of the arguments must have `properties`",
            source: "spring-projects/spring-ai#4776",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|root, _| schema::ALTERNATIVES.iter().any(|key| root.keyword(key).is_some())),
        rule: Rule {
            text: "the schema of the arguments must not have `oneOf`, `anyOf`, `allOf`, `enum` or `not` at its root",
            source: "langchain-ai/langchainjs#9804",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::Anywhere(|node| {
            schema::may_be(node, "array")
                && !node.keyword("items").is_some_and(|items| items.is_object() || items.is_boolean())
        }),
        rule: Rule { text: "an array must have `items`", source: "sigoden/aichat#1049", date: "2026-11-30" },
    },
];

#[cfg(test)]
mod tests;
