//! OpenAI's Responses: flat tools, and calls and answers as items of their own beside the messages.

use serde_json::{Map, Value, json};

use super::dialect::{Declaration, Dialect, Exchange, Rule, plain_list};
use super::error::ParseError;
use super::export::Context;
use super::ids::IdRule;
use super::names::{NameRule, Names};
use super::reply::{self, Reply};
use super::talk::{Counts, Talk};
use super::{Provider, ToolChoice, chat, content, openai_chat, openai_strict, talk};
use crate::call::ToolResult;
use crate::output::Attachment;

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 128,
        rule: Rule {
            text: "a tool's name must match `^[a-zA-Z0-9_-]{1,128}$`",
            source: "OpenAI's OpenAPI document, `FunctionToolParam`",
            date: "2026-11-30",
        },
    },
    keys: None,
    most_tools: Some(openai_chat::MOST_TOOLS),
    longest_description: Some(openai_chat::LONGEST_DESCRIPTION),
    loose: openai_chat::LOOSE,
    older: None,
    strict: Some(openai_strict::STRICT),
    declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: Some(IdRule {
        allowed: |c| !c.is_control(),
        shortest: 1,
        longest: 64,
        rule: Rule {
            text: "a `call_id` has 1 to 64 characters",
            source: "OpenAI's OpenAPI document, `FunctionCallOutputItemParam`",
            date: "2026-11-30",
        },
    }),
    choose,
    read,
    turn,
    answer,
    talk: Some(&TALK),
};

static TALK: Talk = Talk {
    history: "input",
    offer: talk::offer,
    words: |body, _| {
        let items = body.get("output").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let messages = items.iter().filter(|item| item.get("type").is_some_and(|kind| kind == "message"));
        let parts = messages.filter_map(|message| message.get("content")?.as_array()).flatten();
        parts.filter_map(|part| ["text", "refusal"].iter().find_map(|key| part.get(*key)?.as_str())).collect()
    },
    usage: Counts { input: &["/usage/input_tokens"], output: &["/usage/output_tokens"] },
};

/// How many characters of a text the API takes as an answer.
const LONGEST_OUTPUT: usize = 10_485_760;

/// `strict` is always said: without it the API makes a schema strict where it can, and the model then fills what may be
/// left out with inventions (vercel/ai#15889).
fn declare(tool: Declaration<'_>) -> Value {
    let strict = tool.strict;
    let mut flat = Map::new();
    flat.insert("type".to_owned(), "function".into());
    flat.extend(chat::function(tool));
    flat.insert("strict".to_owned(), strict.into());
    flat.into()
}

fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Tool(name) => json!({ "type": "function", "name": name }),
        other => chat::choose(other),
    }
}

fn is_call(item: &Value) -> bool {
    item.get("type").is_some_and(|kind| kind == "function_call")
}

fn read(provider: Provider, body: &Value, names: &Names) -> Result<Reply, ParseError> {
    let fields = reply::fields(provider, body)?;
    let Some(Value::Array(items)) = fields.get("output") else {
        return Err(reply::lacks(provider, fields, "`output`"));
    };
    let mut calls = Vec::new();
    for (place, item) in items.iter().enumerate().filter(|(_, item)| is_call(item)) {
        chat::read_call(place, item.get("call_id"), item.get("name"), item.get("arguments"), names, &mut calls);
    }
    let cut_off = body.pointer("/incomplete_details/reason").is_some_and(|reason| reason == "max_output_tokens");
    Ok(Reply::new(calls, cut_off))
}

/// Every item in its place: the thoughts before a call belong to it and are refused, as it is, where they are missing.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let items = body.get("output").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut turn = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        if !is_call(item) {
            turn.extend(item.is_object().then(|| reply::without_nulls(item)));
            continue;
        }
        let mut own_id = item.get("id").filter(|id| id.as_str().is_some_and(|id| !id.is_empty()));
        for call in reply.at(place) {
            let mut sent = json!({
                "type": "function_call",
                "call_id": context.id(&call.id),
                "name": context.names.replayed(&call.name),
                "arguments": reply::object_text(&call.arguments),
            });
            // The id of the item, which is not the call's, and what the call was made by.
            if let Some(id) = own_id.take() {
                sent["id"] = id.clone();
            }
            if let Some(namespace @ Value::String(_)) = item.get("namespace") {
                sent["namespace"] = namespace.clone();
            }
            turn.push(sent);
        }
    }
    turn.into()
}

fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    let item = |result: &ToolResult| {
        json!({
            "type": "function_call_output",
            "call_id": context.id(result.call_id()),
            "output": output(result),
        })
    };
    results.iter().map(item).collect()
}

fn is_image(attachment: &Attachment) -> bool {
    matches!(attachment.media_type(), "image/png" | "image/jpeg" | "image/webp" | "image/gif")
}

fn output(result: &ToolResult) -> Value {
    let words = content::words(result, |_| true);
    let words = content::cut(&words, LONGEST_OUTPUT);
    let attachments = content::attachments(result);
    if attachments.is_empty() {
        return words.into();
    }
    let mut parts = Vec::with_capacity(attachments.len() + 1);
    if !words.trim().is_empty() {
        parts.push(json!({ "type": "input_text", "text": words }));
    }
    for attachment in attachments {
        let data = format!("data:{};base64,{}", attachment.media_type(), content::base64(attachment.data()));
        parts.push(if is_image(attachment) {
            json!({ "type": "input_image", "image_url": data })
        } else {
            json!({ "type": "input_file", "filename": attachment.name().unwrap_or("file"), "file_data": data })
        });
    }
    parts.into()
}
