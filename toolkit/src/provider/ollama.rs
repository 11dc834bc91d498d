//! Ollama's `/api/chat`: its server knows a handful of keywords, drops all others without a word, and has arguments as
//! objects.

use serde_json::{Map, Value, json};

use super::dialect::{Broken, Change, Dialect, Exchange, Profile, Rule, SchemaRule, plain_list};
use super::error::ParseError;
use super::export::Context;
use super::names::{NameRule, Names};
use super::reply::{self, Reply};
use super::talk::{Counts, Talk};
use super::{Provider, chat, schema, talk};
use crate::call::ToolResult;
use crate::schema::Keywords as _;

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
    loose: Profile {
        changes: &[
            Change::Whole(schema::inlined),
            Change::Each(&[
                schema::without_origin,
                schema::any_value,
                schema::standard_formats,
                schema::alternatives_as_any_of,
                schema::constant_as_enum,
                schema::tuple_as_list,
                schema::array_items,
                schema::folded_for_ollama,
            ]),
            Change::Whole(schema::object_root),
            Change::Whole(root),
        ],
        rules: &RULES,
    },
    older: None,
    strict: None,
    declare: chat::declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: None,
    // The API has no such field.
    choose: |_| Value::Null,
    read,
    turn,
    answer,
    talk: Some(&TALK),
};

static TALK: Talk = Talk {
    history: "messages",
    offer: talk::offer,
    words: |body, _| talk::words_of(body.pointer("/message/content")),
    usage: Counts { input: &["/prompt_eval_count"], output: &["/eval_count"] },
};

static RULES: [SchemaRule; 2] = [
    SchemaRule {
        broken: Broken::AtRoot(|root, _| root.keyword("type").is_none_or(|kind| kind != "object")),
        rule: Rule {
            text: "the schema of the arguments must have `\"type\": \"object\"`",
            source: "ollama/ollama, `api/types.go`",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::Anywhere(|node| {
            ["$ref", "oneOf", "allOf", "const", "not"].iter().any(|key| node.keyword(key).is_some())
        }),
        rule: Rule {
            text: "`$ref`, `oneOf`, `allOf`, `const` and `not` are dropped without a word",
            source: "ollama/ollama, `api/types.go`",
            date: "2026-11-30",
        },
    },
];

/// The root has fewer keywords than what is in it.
fn root(root: &mut schemars::Schema) {
    if let Some(root) = root.as_object_mut() {
        root.retain(|key, _| matches!(key.as_str(), "type" | "required" | "properties") || super::undo::is_mark(key));
    }
}

fn read(provider: Provider, body: &Value, names: &Names) -> Result<Reply, ParseError> {
    let fields = reply::fields(provider, body)?;
    let Some(Value::Object(message)) = fields.get("message") else {
        return Err(reply::lacks(provider, fields, "`message`"));
    };
    Ok(chat::read_message(message, fields.get("done_reason"), names))
}

fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let message = body.get("message");
    let field = |key: &str| message.and_then(|message| message.get(key));
    let mut turn = Map::new();
    turn.insert("role".to_owned(), "assistant".into());
    turn.insert("content".to_owned(), field("content").and_then(Value::as_str).unwrap_or_default().into());
    if let Some(thinking @ Value::String(_)) = field("thinking") {
        turn.insert("thinking".to_owned(), thinking.clone());
    }
    if !reply.calls.is_empty() {
        let calls = reply.calls.iter().map(|call| {
            let function = json!({
                "name": context.names.replayed(&call.name),
                "arguments": reply::object_value(&call.arguments),
            });
            json!({ "id": context.id(&call.id), "function": function })
        });
        turn.insert("tool_calls".to_owned(), calls.collect());
    }
    turn.into()
}

/// The server finds the call by the tool's name and its place, and by its id since it knows ids.
fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    let message = |result: &ToolResult| {
        json!({
            "role": "tool",
            "tool_name": context.names.replayed(result.name()),
            "tool_call_id": context.id(result.call_id()),
            "content": result.text(),
        })
    };
    results.iter().map(message).collect()
}
