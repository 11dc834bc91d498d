//! xAI's chat completions: as OpenAI's, where every message has content.

use serde_json::Value;

use super::dialect::{Dialect, Exchange, Limit, Rule, plain_list};
use super::export::Context;
use super::names::NameRule;
use super::reply::Reply;
use super::{chat, openai_chat, openai_strict};

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 64,
        rule: Rule {
            text: "no rule is documented; a name that matches `^[a-zA-Z0-9_-]{1,64}$` is taken everywhere",
            source: "the rule of OpenAI, whose API this one follows",
            date: "2026-11-30",
        },
    },
    keys: None,
    most_tools: Some(Limit {
        most: 128,
        rule: Rule {
            text: "a request takes at most 128 tools; leave some out with `Registry::filter`, for example by category",
            source: "the documentation of xAI's Python SDK",
            date: "2026-11-30",
        },
    }),
    longest_description: None,
    loose: openai_chat::LOOSE,
    older: None,
    strict: Some(openai_strict::STRICT),
    declare: chat::declare_strict,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange { turn, ..chat::EXCHANGE };

/// "Each message must have at least one content element", which an empty text is (charmbracelet/crush#964).
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let mut turn = chat::turn_of(body.pointer("/choices/0/message"), reply, context);
    turn.shift_remove("refusal");
    if turn.get("content").is_some_and(Value::is_null) {
        turn.insert("content".to_owned(), "".into());
    }
    turn.into()
}
