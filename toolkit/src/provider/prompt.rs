//! Models without tool calls of their own, over the body of Chat Completions: the tools stand in the system message, calls
//! come back as text, and their results go in as text again.

mod text;

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use self::text::Found;
use super::dialect::{Declaration, Dialect, Exchange, Rule, plain_list};
use super::error::ParseError;
use super::export::{Context, Export};
use super::names::{NameRule, Names};
use super::reply::{self, Reply};
use super::talk::{self, Counts, Talk};
use super::{Provider, chat, content, openai_chat};
use crate::call::ToolResult;
use crate::feedback::Language;

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 64,
        rule: Rule {
            text: "no API checks it; a name that matches `^[a-zA-Z0-9_-]{1,64}$` is written without quoting",
            source: "the rule of OpenAI, whose tools these follow",
            date: "2026-11-30",
        },
    },
    keys: None,
    most_tools: None,
    longest_description: None,
    loose: openai_chat::LOOSE,
    older: None,
    strict: None,
    declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: None,
    // Nothing but the words of the request can say so.
    choose: |_| Value::Null,
    read,
    turn,
    answer,
    talk: Some(&TALK),
};

static TALK: Talk = Talk {
    history: "messages",
    offer,
    words: |body, names| match text_calls(body, names) {
        Some(found) => found.words,
        None => whole_text(body),
    },
    usage: Counts { input: chat::TALK.usage.input, output: chat::TALK.usage.output },
};

fn declare(tool: Declaration<'_>) -> Value {
    chat::function(tool).into()
}

impl Export {
    /// What the system message says of the tools where the provider is [`Provider::Prompt`](super::Provider::Prompt): how
    /// to call one, and what there is. Blank where there are none.
    pub fn instructions(&self, language: Language) -> String {
        let tools = self.tools().as_array().map_or(&[][..], Vec::as_slice);
        if tools.is_empty() {
            return String::new();
        }
        let list = tools.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        let call = "<tool_call>\n{\"name\": \"NAME\", \"arguments\": {}}\n</tool_call>";
        language.pick(
            || {
                format!(
                    "You can call tools. To call one, write its name and its arguments as JSON, and then stop:\n{call}\n\
                     Write one such block for each call. The results come in the next message. When you need no tool, \
                     answer in words.\n\nThe tools, each with the JSON Schema of its arguments:\n{list}"
                )
            },
            || {
                format!(
                    "您可以调用工具。调用时请以 JSON 写出工具名称和参数，然后停止：\n{call}\n\
                     每个调用写一个这样的块。结果会在下一条消息中给出。不需要工具时，请直接用文字回答。\n\n\
                     可用的工具及其参数的 JSON Schema：\n{list}"
                )
            },
        )
    }
}

/// The tools go into the system message, after what stands there.
fn offer(body: &mut Map<String, Value>, export: &Export, language: Language) {
    let instructions = export.instructions(language);
    let Some(messages) = body.get_mut(TALK.history).and_then(Value::as_array_mut) else { return };
    if instructions.is_empty() {
        return;
    }
    let first = messages
        .first_mut()
        .filter(|first| first.get("role").is_some_and(|role| matches!(role.as_str(), Some("system" | "developer"))));
    match first.and_then(|first| first.get_mut("content")) {
        Some(Value::String(text)) if text.contains(&instructions) => {}
        Some(Value::String(text)) => *text = format!("{text}\n\n{instructions}"),
        Some(Value::Array(parts)) if parts.iter().any(|part| part["text"] == instructions.as_str()) => {}
        Some(Value::Array(parts)) => parts.push(json!({ "type": "text", "text": instructions })),
        _ => messages.insert(0, json!({ "role": "system", "content": instructions })),
    }
}

/// The calls in the text. Where a server has read them itself, those.
fn read(provider: Provider, body: &Value, names: &Names) -> Result<Reply, ParseError> {
    let native = chat::read(provider, body, names)?;
    match text_calls(body, names) {
        Some(found) if native.calls.is_empty() => Ok(Reply::new(found.calls, native.cut_off || found.cut_off)),
        _ => Ok(native),
    }
}

fn text_calls(body: &Value, names: &Names) -> Option<Found> {
    text::find(&whole_text(body), |name| names.know(name))
}

fn whole_text(body: &Value) -> String {
    talk::words_of(body.pointer("/choices/0/message/content"))
}

/// The text as it was written, up to the answers that some models write to their own calls.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let mut said = whole_text(body);
    match text::find(&said, |name| context.names.know(name)) {
        Some(found) => {
            if said.get(found.end..).is_some_and(|rest| rest.trim_start().starts_with("<tool_response")) {
                said.truncate(found.end);
            }
        }
        None => {
            for call in &reply.calls {
                let name = Value::from(&*context.names.replayed(&call.name));
                let arguments = reply::object_text(&call.arguments);
                let line = if said.is_empty() { "" } else { "\n" };
                // Writing to a string cannot fail.
                let _ =
                    write!(said, "{line}<tool_call>\n{{\"name\": {name}, \"arguments\": {arguments}}}\n</tool_call>");
            }
        }
    }
    json!({ "role": "assistant", "content": said })
}

/// All answers in one message of the user's, since the roles take turns in most models. They are JSON without a `<`, so
/// that no text in them can end its block.
fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let block = |result: &ToolResult| {
        let words = content::words(result, |_| false);
        let told = serde_json::from_str::<Map<String, Value>>(&words).ok().filter(|_| !result.is_success());
        let value = match (content::exact_value(result, &words), told) {
            (Some(value), _) => value.clone(),
            (None, Some(failure)) => failure.into(),
            (None, None) => words.into(),
        };
        let key = if result.is_success() { "result" } else { "error" };
        let block = json!({ "name": context.names.replayed(result.name()), key: value });
        format!("<tool_response>\n{}\n</tool_response>", block.to_string().replace('<', "\\u003c"))
    };
    let blocks: Vec<String> = results.iter().map(block).collect();
    vec![json!({ "role": "user", "content": blocks.join("\n") })]
}

#[cfg(test)]
mod tests;
