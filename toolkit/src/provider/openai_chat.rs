//! OpenAI's Chat Completions, and the many servers that speak it.
//!
//! The servers differ in small ways: an empty or a missing id, arguments as an object, no `type`, a `finish_reason` that
//! says nothing. So a call is known by what it holds, and only `length`, which says that the reply broke off, is believed.

use serde_json::{Map, Value, json};

use super::dialect::{Declaration, Dialect, Limit, Place, Rule, SchemaRule};
use super::error::ParseError;
use super::names::{NameRule, Names};
use super::reply::{self, Reply, Written};
use super::{ToolChoice, schema};
use crate::arguments::shorten;
use crate::call::ToolResult;

pub(super) static DIALECT: Dialect = Dialect {
    name: "openai-chat",
    names: NameRule {
        allowed: |c| c.is_ascii_alphanumeric() || c == '_' || c == '-',
        longest: 64,
        rule: Rule {
            text: "a tool's name must match `^[a-zA-Z0-9_-]{1,64}$`",
            source: "OpenAI's OpenAPI document, `FunctionObject`",
            date: "2026-11-30",
        },
    },
    most_tools: Limit {
        most: 128,
        rule: Rule {
            text: "a request takes at most 128 tools; leave some out with `Registry::filter`, for example by category",
            source: "zed-industries/zed#32946",
            date: "2026-11-30",
        },
    },
    longest_description: Limit {
        most: 1024,
        rule: Rule {
            text: "older deployments and Azure's take descriptions of at most 1024 characters",
            source: "rusiaaman/wcgw#51; lifted on api.openai.com, run-llama/llama_index#18784",
            date: "2026-11-30",
        },
    },
    nodes: &[
        schema::without_origin,
        schema::any_value,
        schema::standard_formats,
        schema::array_items,
        schema::object_properties,
    ],
    root: schema::object_root,
    rules: &RULES,
    declare,
    choose,
    read,
    turn,
    answer,
};

static RULES: [SchemaRule; 4] = [
    SchemaRule {
        place: Place::Root,
        broken: |root| root.get("type").is_none_or(|kind| kind != "object"),
        rule: Rule {
            text: "the schema of the arguments must have `\"type\": \"object\"`",
            source: "chatanywhere/GPT_API_free#403",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        place: Place::Root,
        broken: |root| !root.get("properties").is_some_and(Value::is_object),
        rule: Rule {
            text: "the schema of the arguments must have `properties`",
            source: "spring-projects/spring-ai#4776",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        place: Place::Root,
        broken: |root| schema::ALTERNATIVES.iter().any(|key| root.get(*key).is_some()),
        rule: Rule {
            text: "the schema of the arguments must not have `oneOf`, `anyOf`, `allOf`, `enum` or `not` at its root",
            source: "langchain-ai/langchainjs#9804",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        place: Place::Anywhere,
        broken: |node| {
            schema::may_be(node, "array")
                && !node.get("items").is_some_and(|items| items.is_object() || items.is_boolean())
        },
        rule: Rule { text: "an array must have `items`", source: "sigoden/aichat#1049", date: "2026-11-30" },
    },
];

/// `strict` is always said: what a server makes of its absence differs.
fn declare(Declaration { name, description, schema }: Declaration<'_>) -> Value {
    let mut function = Map::new();
    function.insert("name".to_owned(), name.into());
    if !description.is_empty() {
        function.insert("description".to_owned(), description.into());
    }
    function.insert("parameters".to_owned(), schema.to_value());
    function.insert("strict".to_owned(), false.into());
    json!({ "type": "function", "function": function })
}

fn choose(choice: ToolChoice<'_>) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tool(name) => json!({ "type": "function", "function": { "name": name } }),
    }
}

fn read(body: &Value, names: &Names) -> Result<Reply, ParseError> {
    let Choice { message, finish_reason } = first_choice(body)?;
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
    for call in written {
        read_call(call, names, &mut calls);
    }
    Ok(Reply::new(calls, finish_reason.is_some_and(|reason| reason == "length")))
}

struct Choice<'a> {
    message: &'a Map<String, Value>,
    finish_reason: Option<&'a Value>,
}

/// The first choice and its message. A request that asks for several choices gets several turns, of which a conversation
/// can go on from one.
fn first_choice(body: &Value) -> Result<Choice<'_>, ParseError> {
    let wrong = |problem: String| Err(ParseError::new(DIALECT.name, problem));
    let Value::Object(fields) = body else {
        return wrong(format!("it is {}, and not a JSON object", kind(body)));
    };
    if let Some(error) = fields.get("error").filter(|error| says_something(error)) {
        return Err(ParseError::reported(DIALECT.name, &error_message(error)));
    }
    let first = fields.get("choices").and_then(Value::as_array).and_then(|choices| choices.first());
    let Some(choice) = first.and_then(Value::as_object) else {
        if let Some(message) = ["message", "detail"].iter().find_map(|key| fields.get(*key)?.as_str()) {
            return Err(ParseError::reported(DIALECT.name, message));
        }
        let keys: Vec<String> = fields.keys().take(8).map(|key| format!("`{}`", shorten(key, 32))).collect();
        let keys = if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") };
        return wrong(format!("it has no `choices` that hold one; it has {keys}"));
    };
    match choice.get("message") {
        Some(Value::Object(message)) => Ok(Choice { message, finish_reason: choice.get("finish_reason") }),
        _ if choice.contains_key("delta") => {
            wrong("it is a piece of a stream; collect the whole reply first".to_owned())
        }
        _ => wrong("its first choice has no `message`".to_owned()),
    }
}

/// Some servers send an empty `error` beside a good reply.
fn says_something(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

fn error_message(error: &Value) -> String {
    let message = error.get("message").unwrap_or(error);
    message.as_str().map_or_else(|| message.to_string(), str::to_owned)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn read_call(call: &Value, names: &Names, calls: &mut Vec<Written>) {
    let id = match call.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    };
    // Some servers leave out the object around the name and the arguments.
    let function = call.get("function").filter(|function| function.is_object()).unwrap_or(call);
    let name = text_of(function.get("name"));
    let arguments = if call.is_object() { function.get("arguments") } else { Some(call) };
    match side_by_side(name, arguments, names) {
        Some(uses) => calls.extend(uses.iter().map(|one| {
            let name = text_of(one.get("recipient_name"));
            let name = name.strip_prefix("functions.").unwrap_or(name).to_owned();
            let arguments = if one.is_object() { one.get("parameters") } else { Some(one) };
            Written { id: id.clone(), name, arguments: reply::arguments(arguments) }
        })),
        None => calls.push(Written { id, name: name.to_owned(), arguments: reply::arguments(arguments) }),
    }
}

fn text_of(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
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

/// Only what the API takes back: it refuses keys that it sends itself, such as `annotations` and a `null` for `audio`.
fn turn(body: &Value, reply: &Reply, names: &Names) -> Value {
    let message = body.pointer("/choices/0/message");
    let field = |key: &str| message.and_then(|message| message.get(key));
    let mut turn = Map::new();
    turn.insert("role".to_owned(), "assistant".into());
    let content = match field("content") {
        Some(Value::String(text)) => text.as_str().into(),
        Some(Value::Array(parts)) if !parts.is_empty() => parts.clone().into(),
        Some(other @ (Value::Object(_) | Value::Number(_) | Value::Bool(_))) => other.to_string().into(),
        // A turn must hold something: calls, or a text, which may be empty.
        _ if reply.calls.is_empty() => "".into(),
        _ => Value::Null,
    };
    turn.insert("content".to_owned(), content);
    if let Some(refusal @ Value::String(_)) = field("refusal") {
        turn.insert("refusal".to_owned(), refusal.clone());
    }
    if !reply.calls.is_empty() {
        let calls = reply.calls.iter().map(|call| {
            let function = json!({
                "name": names.replayed(&call.name),
                "arguments": reply::object_text(&call.arguments),
            });
            json!({ "id": call.id, "type": "function", "function": function })
        });
        turn.insert("tool_calls".to_owned(), calls.collect());
    }
    turn.into()
}

fn answer(results: &[ToolResult]) -> Vec<Value> {
    let message =
        |result: &ToolResult| json!({ "role": "tool", "tool_call_id": result.call_id(), "content": result.text() });
    results.iter().map(message).collect()
}

#[cfg(test)]
mod tests;
