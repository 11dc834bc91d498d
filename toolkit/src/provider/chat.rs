//! What the providers share that speak as OpenAI's Chat Completions do: the calls in `tool_calls` of a message, and one
//! message with the role `tool` for each answer.
//!
//! The servers differ in small ways: an empty or a missing id, arguments as an object, no `type`, a `finish_reason` that
//! says nothing. So a call is known by what it holds, and only `length`, which says that the reply broke off, is believed.

use serde_json::{Map, Value, json};

use super::dialect::{Declaration, Exchange, object};
use super::error::ParseError;
use super::export::Context;
use super::names::Names;
use super::reply::{self, Reply, Written};
use super::talk::{Counts, Talk};
use super::{Provider, ToolChoice, schema, talk};
use crate::call::ToolResult;

/// The envelope of one tool, without `strict`.
pub(super) fn declare(tool: Declaration<'_>) -> Value {
    object([("type", "function".into()), ("function", function(tool).into())])
}

/// The envelope with `strict`, which is always said: what a server makes of its absence differs.
pub(super) fn declare_strict(tool: Declaration<'_>) -> Value {
    let strict = tool.strict;
    let mut function = function(tool);
    function.insert("strict".to_owned(), strict.into());
    object([("type", "function".into()), ("function", function.into())])
}

/// Name, description and parameters.
pub(super) fn function(Declaration { name, description, schema, .. }: Declaration<'_>) -> Map<String, Value> {
    let mut function = Map::new();
    function.insert("name".to_owned(), name.into());
    if !description.is_empty() {
        function.insert("description".to_owned(), description.into());
    }
    function.insert("parameters".to_owned(), schema.to_value());
    function
}

pub(super) fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tool(name) => json!({ "type": "function", "function": { "name": name } }),
    }
}

/// The calls of the first choice.
pub(super) fn read(provider: Provider, body: &Value, names: &Names) -> Result<Reply, ParseError> {
    let Choice { message, finish_reason } = first_choice(provider, body)?;
    Ok(read_message(message, finish_reason, names))
}

/// The calls of a message.
pub(super) fn read_message(message: &Map<String, Value>, finish_reason: Option<&Value>, names: &Names) -> Reply {
    let mut calls = Vec::new();
    let legacy;
    let written: &[Value] = match message.get("tool_calls") {
        Some(Value::Array(list)) if !list.is_empty() => list,
        Some(single @ Value::Object(call)) if !call.is_empty() => std::slice::from_ref(single),
        // What stood in the place of `tool_calls` until 2023, and still comes from old servers: one call without an id.
        _ => match message.get("function_call") {
            Some(Value::Object(function)) if !function.is_empty() => {
                legacy = json!({ "function": function });
                std::slice::from_ref(&legacy)
            }
            _ => &[],
        },
    };
    for (place, call) in written.iter().enumerate() {
        // Some servers leave out the object around the name and the arguments.
        let function = call.get("function").filter(|function| function.is_object()).unwrap_or(call);
        let arguments = if call.is_object() { function.get("arguments") } else { Some(call) };
        read_call(place, call.get("id"), function.get("name"), arguments, names, &mut calls);
    }
    let broke_off = |reason: &Value| {
        reason.as_str().is_some_and(|reason| matches!(reason, "length" | "MAX_TOKENS" | "model_length"))
    };
    Reply::new(calls, finish_reason.is_some_and(broke_off))
}

struct Choice<'a> {
    message: &'a Map<String, Value>,
    finish_reason: Option<&'a Value>,
}

/// The first choice and its message. A request that asks for several choices gets several turns, of which a conversation
/// can go on from one.
fn first_choice(provider: Provider, body: &Value) -> Result<Choice<'_>, ParseError> {
    let wrong = |problem: &str| Err(ParseError::new(provider, problem.to_owned()));
    let fields = reply::fields(provider, body)?;
    let first = fields.get("choices").and_then(Value::as_array).and_then(|choices| choices.first());
    let Some(choice) = first.and_then(Value::as_object) else {
        return Err(reply::lacks(provider, fields, "`choices` that hold one"));
    };
    match choice.get("message") {
        Some(Value::Object(message)) => Ok(Choice { message, finish_reason: choice.get("finish_reason") }),
        _ if choice.contains_key("delta") => wrong("it is a piece of a stream; collect the whole reply first"),
        _ => wrong("its first choice has no `message`"),
    }
}

/// Reads one call, or the calls within a call of a tool that nobody gave.
pub(super) fn read_call(
    place: usize,
    id: Option<&Value>,
    name: Option<&Value>,
    arguments: Option<&Value>,
    names: &Names,
    calls: &mut Vec<Written>,
) {
    match side_by_side(name.and_then(Value::as_str).unwrap_or_default(), arguments, names) {
        Some(uses) => calls.extend(uses.iter().map(|one| {
            let arguments = if one.is_object() { one.get("parameters") } else { Some(one) };
            let mut call = Written::new(place, id, one.get("recipient_name"), reply::arguments(arguments));
            if let Some(name) = call.name.strip_prefix("functions.") {
                call.name = name.to_owned();
            }
            call
        })),
        None => calls.push(Written::new(place, id, name, reply::arguments(arguments))),
    }
}

/// The calls within a call of a tool that nobody gave: OpenAI's models were trained with one that runs others side by
/// side, and sometimes call it. Its calls then stand in the place of the one, in the history too.
fn side_by_side(name: &str, arguments: Option<&Value>, names: &Names) -> Option<Vec<Value>> {
    if !matches!(name, "multi_tool_use.parallel" | "multi_tool_use_parallel" | "parallel") || names.know(name) {
        return None;
    }
    let mut arguments = match arguments? {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    match arguments.get_mut("tool_uses")?.take() {
        Value::Array(uses) if !uses.is_empty() => Some(uses),
        _ => None,
    }
}

/// The model's turn of a whole body.
pub(super) fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    turn_of(body.pointer("/choices/0/message"), reply, context).into()
}

/// Only what the API takes back: it refuses keys that it sends itself, such as `annotations` and a `null` for `audio`.
pub(super) fn turn_of(message: Option<&Value>, reply: &Reply, context: &Context<'_>) -> Map<String, Value> {
    let field = |key: &str| message.and_then(|message| message.get(key));
    let mut turn = Map::new();
    turn.insert("role".to_owned(), "assistant".into());
    let said = match field("content") {
        Some(Value::String(text)) => text.as_str().into(),
        Some(Value::Array(parts)) if !parts.is_empty() => parts.clone().into(),
        Some(other @ (Value::Object(_) | Value::Number(_) | Value::Bool(_))) => other.to_string().into(),
        // A turn must hold something: calls, or a text, which may be empty.
        _ if reply.calls.is_empty() => "".into(),
        _ => Value::Null,
    };
    turn.insert("content".to_owned(), said);
    if let Some(refusal @ Value::String(_)) = field("refusal") {
        turn.insert("refusal".to_owned(), refusal.clone());
    }
    if !reply.calls.is_empty() {
        let calls = reply.calls.iter().map(|call| {
            let function = json!({
                "name": context.names.replayed(&call.name),
                "arguments": reply::object_text(&call.arguments),
            });
            json!({ "id": context.id(&call.id), "type": "function", "function": function })
        });
        turn.insert("tool_calls".to_owned(), calls.collect());
    }
    turn
}

/// One message for each result.
pub(super) fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    let message = |result: &ToolResult| json!({ "role": "tool", "tool_call_id": context.id(result.call_id()), "content": result.text() });
    results.iter().map(message).collect()
}

/// A refusal is an answer, too.
pub(super) static TALK: Talk = Talk {
    history: "messages",
    offer: talk::offer,
    words: |body, _| match talk::words_of(body.pointer("/choices/0/message/content")) {
        words if words.is_empty() => talk::words_of(body.pointer("/choices/0/message/refusal")),
        words => words,
    },
    usage: Counts { input: &["/usage/prompt_tokens"], output: &["/usage/completion_tokens"] },
};

/// Replies and answers as OpenAI has them.
pub(super) const EXCHANGE: Exchange = Exchange { ids: None, choose, read, turn, answer, talk: Some(&TALK) };

/// What each of these providers asks of the characters of a name.
pub(super) fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// The changes that make a schema one that OpenAI takes without `strict`.
pub(super) static LOOSE: [super::dialect::Change; 2] = [
    super::dialect::Change::Each(&[
        schema::without_origin,
        schema::any_value,
        schema::standard_formats,
        schema::array_items,
        schema::object_properties,
    ]),
    super::dialect::Change::Whole(schema::object_root),
];
