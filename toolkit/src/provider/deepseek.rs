//! `DeepSeek`'s chat completions: as OpenAI's, where a model that thinks wants its thoughts back beside its calls.

mod strict;

use serde_json::Value;

use super::dialect::{Dialect, Exchange, Rule, plain_list};
use super::export::Context;
use super::names::NameRule;
use super::reply::Reply;
use super::{chat, openai_chat};

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
    most_tools: Some(openai_chat::MOST_TOOLS),
    longest_description: None,
    loose: openai_chat::LOOSE,
    older: None,
    strict: Some(strict::STRICT),
    // Only the beta endpoint knows the field.
    declare: |tool| if tool.strict { chat::declare_strict(tool) } else { chat::declare(tool) },
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange { turn, ..chat::EXCHANGE };

/// The thoughts go back beside the calls that they led to, and nowhere else.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let message = body.pointer("/choices/0/message");
    let mut turn = chat::turn_of(message, reply, context);
    turn.shift_remove("refusal");
    let thoughts = message.and_then(|message| message.get("reasoning_content"));
    if let (Some(thoughts @ Value::String(_)), false) = (thoughts, reply.calls.is_empty()) {
        turn.insert("reasoning_content".to_owned(), thoughts.clone());
    }
    turn.into()
}
