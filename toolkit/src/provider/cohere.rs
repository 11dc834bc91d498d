//! Cohere's chat, version 2: tools and calls as OpenAI's, with a plan beside the calls. Strict is the request's.

mod strict;

use serde_json::{Value, json};

use super::dialect::{Dialect, Exchange, Rule, plain_list};
use super::error::ParseError;
use super::export::Context;
use super::names::{NameRule, Names};
use super::reply::{self, Reply};
use super::talk::{Counts, Talk};
use super::{Provider, ToolChoice, chat, openai_chat, talk};

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 64,
        rule: Rule {
            text: "no rule is documented; a name that matches `^[a-zA-Z0-9_-]{1,64}$` is taken everywhere",
            source: "the rule of OpenAI, whose tools these follow",
            date: "2026-11-30",
        },
    },
    keys: None,
    most_tools: None,
    longest_description: None,
    loose: openai_chat::LOOSE,
    older: None,
    strict: Some(strict::STRICT),
    declare: chat::declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange =
    Exchange { ids: None, choose, read, turn, answer: chat::answer, talk: Some(&TALK) };

static TALK: Talk = Talk {
    history: "messages",
    offer: talk::offer,
    words: |body, _| match talk::words_of(body.pointer("/message/content")) {
        words if words.is_empty() => talk::words_of(body.pointer("/message/tool_plan")),
        words => words,
    },
    usage: Counts { input: &["/usage/tokens/input_tokens"], output: &["/usage/tokens/output_tokens"] },
};

/// The API cannot name one tool; to call some tool is the nearest that it can be told. What it does by itself is said by
/// leaving the field out.
fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Auto => Value::Null,
        ToolChoice::None => json!("NONE"),
        ToolChoice::Required | ToolChoice::Tool(_) => json!("REQUIRED"),
    }
}

fn read(provider: Provider, body: &Value, names: &Names) -> Result<Reply, ParseError> {
    let fields = reply::fields(provider, body)?;
    let Some(Value::Object(message)) = fields.get("message") else {
        return Err(reply::lacks(provider, fields, "`message`"));
    };
    Ok(chat::read_message(message, fields.get("finish_reason"), names))
}

/// A turn has its plan and its calls, or words.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let message = body.get("message");
    let mut turn = chat::turn_of(message, reply, context);
    turn.shift_remove("refusal");
    if turn.get("content").is_some_and(Value::is_null) {
        turn.shift_remove("content");
    }
    let plan = message.and_then(|message| message.get("tool_plan"));
    if let (Some(plan @ Value::String(_)), false) = (plan, reply.calls.is_empty()) {
        turn.insert("tool_plan".to_owned(), plan.clone());
    }
    turn.into()
}
