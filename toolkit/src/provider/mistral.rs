//! Mistral's chat completions: as OpenAI's, with ids of exactly nine letters and digits.

use serde_json::{Value, json};

use super::dialect::{Dialect, Exchange, Rule, plain_list};
use super::ids::IdRule;
use super::names::NameRule;
use super::{ToolChoice, chat, openai_chat, openai_strict};

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 64,
        rule: Rule {
            text: "a tool's name must match `^[a-zA-Z0-9_-]{1,64}$`",
            source: "mistral-common's request validator",
            date: "2026-11-30",
        },
    },
    keys: None,
    most_tools: None,
    longest_description: None,
    loose: openai_chat::LOOSE,
    older: None,
    strict: Some(openai_strict::STRICT),
    declare: chat::declare_strict,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: Some(IdRule {
        allowed: |c| c.is_ascii_alphanumeric(),
        shortest: 9,
        longest: 9,
        rule: Rule {
            text: "a call's id must match `^[a-zA-Z0-9]{9}$`",
            source: "mistral-common's request validator",
            date: "2026-11-30",
        },
    }),
    choose,
    turn,
    ..chat::EXCHANGE
};

fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Required => json!("any"),
        other => chat::choose(other),
    }
}

/// Mistral has no `refusal`, and takes a text or parts as `content` but no `null`.
fn turn(body: &Value, reply: &super::reply::Reply, context: &super::export::Context<'_>) -> Value {
    let mut turn = chat::turn_of(body.pointer("/choices/0/message"), reply, context);
    turn.shift_remove("refusal");
    if turn.get("content").is_some_and(Value::is_null) {
        turn.insert("content".to_owned(), "".into());
    }
    turn.into()
}
