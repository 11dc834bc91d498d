//! Anthropic's Messages: calls as blocks among others, and all answers in one message of the user's.

pub(super) mod strict;

use serde_json::{Value, json};

use super::dialect::{Broken, Change, Declaration, Dialect, Exchange, Profile, Rule, SchemaRule, plain_list};
use super::error::ParseError;
use super::export::Context;
use super::ids::IdRule;
use super::names::{NameRule, Names};
use super::reply::{self, Reply, Written};
use super::talk::{Counts, Talk};
use super::{Provider, ToolChoice, chat, content, schema, talk};
use crate::call::ToolResult;
use crate::output::Attachment;
use crate::schema::Keywords as _;

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: chat::is_name_character,
        allowed: chat::is_name_character,
        longest: 128,
        rule: Rule {
            text: "a tool's name must match `^[a-zA-Z0-9_-]{1,128}$`",
            source: "home-assistant/core#147760; anthropics/claude-code#96152",
            date: "2026-11-30",
        },
    },
    keys: Some(&KEYS),
    most_tools: None,
    longest_description: None,
    loose: Profile {
        changes: &[
            Change::Each(&[schema::without_origin, schema::any_value, schema::standard_formats]),
            Change::Whole(schema::object_root),
        ],
        rules: &RULES,
    },
    older: None,
    strict: Some(strict::STRICT),
    declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: Some(IdRule {
        allowed: chat::is_name_character,
        shortest: 1,
        longest: usize::MAX,
        rule: Rule {
            text: "a call's id must match `^[a-zA-Z0-9_-]+$`",
            source: "an error of the API: \"tool_use.id: String should match pattern\"",
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
    offer: talk::offer,
    words: |body, _| talk::words_of(body.get("content")),
    usage: Counts {
        input: &["/usage/input_tokens", "/usage/cache_creation_input_tokens", "/usage/cache_read_input_tokens"],
        output: &["/usage/output_tokens"],
    },
};

pub(super) static KEYS: NameRule = NameRule {
    first: |c| chat::is_name_character(c) || c == '.',
    allowed: |c| chat::is_name_character(c) || c == '.',
    longest: 64,
    rule: Rule {
        text: "the key of a property must match `^[a-zA-Z0-9_.-]{1,64}$`",
        source: "anthropics/claude-code#79418; n8n-io/n8n#30590",
        date: "2026-11-30",
    },
};

pub(super) static RULES: [SchemaRule; 2] = [
    SchemaRule {
        broken: Broken::AtRoot(|root, _| root.keyword("type").is_none_or(|kind| kind != "object")),
        rule: Rule {
            text: "the schema of the arguments must have `\"type\": \"object\"`",
            source: "an error of the API: \"input_schema.type: Input should be 'object'\"",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::AtRoot(|root, _| ["oneOf", "allOf", "anyOf"].iter().any(|key| root.keyword(key).is_some())),
        rule: Rule {
            text: "the schema of the arguments must not have `oneOf`, `allOf` or `anyOf` at its root",
            source: "an error of the API: \"input_schema does not support oneOf, allOf, or anyOf at the top level\"",
            date: "2026-11-30",
        },
    },
];

fn declare(Declaration { name, description, schema, strict, .. }: Declaration<'_>) -> Value {
    let mut tool = json!({ "name": name });
    if !description.is_empty() {
        tool["description"] = description.into();
    }
    tool["input_schema"] = schema.to_value();
    if strict {
        tool["strict"] = true.into();
    }
    tool
}

fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::None => json!({ "type": "none" }),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::Tool(name) => json!({ "type": "tool", "name": name }),
    }
}

fn is_call(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "tool_use")
}

fn read(provider: Provider, body: &Value, _: &Names) -> Result<Reply, ParseError> {
    let fields = reply::fields(provider, body)?;
    let Some(content) = fields.get("content") else {
        return Err(reply::lacks(provider, fields, "`content`"));
    };
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate();
    let calls = blocks.filter(|(_, block)| is_call(block)).map(|(place, block)| {
        Written::new(place, block.get("id"), block.get("name"), reply::arguments(block.get("input")))
    });
    let broke_off = |reason: &str| matches!(reason, "max_tokens" | "model_context_window_exceeded");
    let cut_off = fields.get("stop_reason").and_then(Value::as_str).is_some_and(broke_off);
    Ok(Reply::new(calls.collect(), cut_off))
}

/// Every block in its place, thoughts with their signatures too. Blocks without a text are refused, and left out.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let mut said = Vec::new();
    let blocks = body.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (place, block) in blocks.iter().enumerate() {
        if is_call(block) {
            said.extend(reply.at(place).map(|call| {
                let mut sent = json!({
                    "type": "tool_use",
                    "id": context.id(&call.id),
                    "name": context.names.replayed(&call.name),
                    "input": reply::object_value(&call.arguments),
                });
                if let Some(caller @ Value::Object(_)) = block.get("caller") {
                    sent["caller"] = caller.clone();
                }
                sent
            }));
        } else if block.is_object() && !is_blank(block) {
            said.push(reply::without_nulls(block));
        }
    }
    if let Some(text) = body.get("content").and_then(Value::as_str).filter(|text| !text.trim().is_empty()) {
        said.push(json!({ "type": "text", "text": text }));
    }
    json!({ "role": "assistant", "content": said })
}

fn is_blank(block: &Value) -> bool {
    block.get("type").is_none_or(|kind| kind == "text")
        && block.get("text").and_then(Value::as_str).unwrap_or_default().trim().is_empty()
}

/// All answers stand in one message, before anything else in it.
fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let blocks = results.iter().map(|result| {
        let mut block = json!({
            "type": "tool_result",
            "tool_use_id": context.id(result.call_id()),
            "content": output(result),
        });
        if !result.is_success() {
            block["is_error"] = true.into();
        }
        block
    });
    vec![json!({ "role": "user", "content": blocks.collect::<Value>() })]
}

fn is_image(attachment: &Attachment) -> bool {
    matches!(attachment.media_type(), "image/png" | "image/jpeg" | "image/webp" | "image/gif")
}

fn is_shown(attachment: &Attachment) -> bool {
    is_image(attachment) || attachment.media_type() == "application/pdf"
}

/// A text, or blocks where there is something to see. A failure has none, since its content must be text.
fn output(result: &ToolResult) -> Value {
    let words = content::words(result, is_shown);
    let mut shown = content::attachments(result).iter().filter(|attachment| is_shown(attachment)).peekable();
    if shown.peek().is_none() {
        return words.into();
    }
    let mut blocks = Vec::new();
    if !words.trim().is_empty() {
        blocks.push(json!({ "type": "text", "text": words }));
    }
    blocks.extend(shown.map(|attachment| {
        let data = content::base64(attachment.data());
        let source = json!({ "type": "base64", "media_type": attachment.media_type(), "data": data });
        if is_image(attachment) {
            return json!({ "type": "image", "source": source });
        }
        let mut document = json!({ "type": "document", "source": source });
        if let Some(name) = attachment.name() {
            document["title"] = name.into();
        }
        document
    }));
    blocks.into()
}
