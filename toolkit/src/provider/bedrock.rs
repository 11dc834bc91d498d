//! Amazon Bedrock's Converse: calls as blocks among others, and all answers in one message of the user's.

use serde_json::{Value, json};

use super::dialect::{Change, Declaration, Dialect, Exchange, Profile, Rule, object, plain_list};
use super::error::ParseError;
use super::export::Context;
use super::ids::IdRule;
use super::names::{NameRule, Names};
use super::reply::{self, Reply, Written};
use super::talk::{Counts, Talk};
use super::{Provider, ToolChoice, anthropic, chat, content, schema, talk};
use crate::call::ToolResult;
use crate::output::Attachment;

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 64,
        rule: Rule {
            text: "a tool's name must match `^[a-zA-Z0-9_-]{1,64}$`",
            source: "botocore's service model, `ToolName`",
            date: "2026-11-30",
        },
    },
    keys: Some(&anthropic::KEYS),
    most_tools: None,
    longest_description: None,
    loose: Profile {
        changes: &[
            Change::Each(&[schema::without_origin, schema::any_value, schema::standard_formats]),
            Change::Whole(schema::object_root),
        ],
        rules: &anthropic::RULES,
    },
    older: None,
    strict: Some(anthropic::strict::STRICT),
    declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: Some(IdRule {
        allowed: |c| chat::is_name_character(c) || c == '.' || c == ':',
        shortest: 1,
        longest: 64,
        rule: Rule {
            text: "a call's id must match `^[a-zA-Z0-9_.:-]{1,64}$`",
            source: "botocore's service model, `ToolUseId`",
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
    history: "messages",
    offer: |body, export, _| {
        let config = body.entry("toolConfig").or_insert_with(|| json!({}));
        if let Some(config) = config.as_object_mut() {
            talk::extend(config, "tools", export.tools());
        }
        // One without tools is refused.
        if config.get("tools").is_none() {
            body.shift_remove("toolConfig");
        }
    },
    words: |body, _| talk::words_of(body.pointer("/output/message/content")),
    usage: Counts {
        input: &["/usage/inputTokens", "/usage/cacheReadInputTokens", "/usage/cacheWriteInputTokens"],
        output: &["/usage/outputTokens"],
    },
};

/// A description that is empty is refused, and left out.
fn declare(Declaration { name, description, schema, strict, .. }: Declaration<'_>) -> Value {
    let mut tool = json!({ "name": name });
    if !description.is_empty() {
        tool["description"] = description.into();
    }
    tool["inputSchema"] = object([("json", schema.to_value())]);
    // Only some models know the field, and they take its absence for `false`.
    if strict {
        tool["strict"] = true.into();
    }
    object([("toolSpec", tool)])
}

/// There is no word for no tool: such a request leaves out the tools.
fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Auto => json!({ "auto": {} }),
        ToolChoice::None => Value::Null,
        ToolChoice::Required => json!({ "any": {} }),
        ToolChoice::Tool(name) => json!({ "tool": { "name": name } }),
    }
}

fn blocks(body: &Value) -> Option<&[Value]> {
    body.pointer("/output/message/content")?.as_array().map(Vec::as_slice)
}

fn read(provider: Provider, body: &Value, _: &Names) -> Result<Reply, ParseError> {
    let fields = reply::fields(provider, body)?;
    if body.pointer("/output/message").is_none() {
        return Err(reply::lacks(provider, fields, "`output` with a `message`"));
    }
    let calls = blocks(body).unwrap_or_default().iter().enumerate().filter_map(|(place, block)| {
        let call = block.get("toolUse")?;
        Some(Written::new(place, call.get("toolUseId"), call.get("name"), reply::arguments(call.get("input"))))
    });
    let broke_off = |reason: &str| matches!(reason, "max_tokens" | "model_context_window_exceeded");
    let cut_off = fields.get("stopReason").and_then(Value::as_str).is_some_and(broke_off);
    Ok(Reply::new(calls.collect(), cut_off))
}

/// Every block in its place, thoughts with their signatures too. Blank texts are refused, and left out.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let mut said = Vec::new();
    for (place, block) in blocks(body).unwrap_or_default().iter().enumerate() {
        let is_blank = block.get("text").is_some_and(|text| text.as_str().unwrap_or_default().trim().is_empty());
        if block.get("toolUse").is_some() {
            said.extend(reply.at(place).map(|call| {
                json!({ "toolUse": {
                    "toolUseId": context.id(&call.id),
                    "name": context.names.replayed(&call.name),
                    "input": reply::object_value(&call.arguments),
                } })
            }));
        } else if block.is_object() && !is_blank {
            said.push(reply::without_nulls(block));
        }
    }
    json!({ "role": "assistant", "content": said })
}

/// All answers stand in one message. `status` is said of failures alone: only some models take it, and success is what
/// its absence means.
fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let blocks = results.iter().map(|result| {
        let mut answer = json!({ "toolUseId": context.id(result.call_id()), "content": output(result) });
        if !result.is_success() {
            answer["status"] = "error".into();
        }
        json!({ "toolResult": answer })
    });
    vec![json!({ "role": "user", "content": blocks.collect::<Value>() })]
}

/// An object as JSON, anything else as text, and what can be seen beside it.
fn output(result: &ToolResult) -> Value {
    let mut blocks = Vec::new();
    let words = content::words(result, |attachment| shown(attachment).is_some());
    match content::exact_value(result, &words).filter(|value| value.is_object()) {
        Some(object) => blocks.push(json!({ "json": object })),
        None if !words.trim().is_empty() => blocks.push(json!({ "text": words })),
        None => {}
    }
    let attachments = content::attachments(result).iter().enumerate();
    blocks.extend(attachments.filter_map(|(number, attachment)| {
        let (kind, format) = shown(attachment)?;
        let source = json!({ "bytes": content::base64(attachment.data()) });
        Some(match kind {
            Kind::Image => json!({ "image": { "format": format, "source": source } }),
            Kind::Document => {
                let name = document_name(attachment.name().unwrap_or("document"), number);
                json!({ "document": { "format": format, "name": name, "source": source } })
            }
        })
    }));
    blocks.into()
}

enum Kind {
    Image,
    Document,
}

/// What the API calls this kind of file, where it takes it.
fn shown(attachment: &Attachment) -> Option<(Kind, &'static str)> {
    let image = |format| Some((Kind::Image, format));
    let document = |format| Some((Kind::Document, format));
    match attachment.media_type() {
        "image/png" => image("png"),
        "image/jpeg" => image("jpeg"),
        "image/gif" => image("gif"),
        "image/webp" => image("webp"),
        "application/pdf" => document("pdf"),
        "text/csv" => document("csv"),
        "text/html" => document("html"),
        "text/plain" => document("txt"),
        "text/markdown" => document("md"),
        "application/msword" => document("doc"),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => document("docx"),
        "application/vnd.ms-excel" => document("xls"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => document("xlsx"),
        _ => None,
    }
}

/// The name of a document: letters, digits, single spaces, hyphens, parentheses and brackets, and its own in the message.
fn document_name(name: &str, number: usize) -> String {
    let taken = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '(' | ')' | '[' | ']');
    let name: String = name.chars().map(|c| if taken(c) { c } else { '-' }).take(180).collect();
    if number == 0 { name } else { format!("{name}-{}", number + 1) }
}
