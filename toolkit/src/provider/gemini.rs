//! Google's Gemini: functions in a tool, calls and answers as parts of a content.

mod parameters;

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::dialect::{Broken, Change, Declaration, Dialect, Exchange, Limit, Profile, Rule, SchemaRule, object};
use super::error::ParseError;
use super::export::Context;
use super::names::{NameRule, Names};
use super::reply::{self, Reply, Written};
use super::talk::{Counts, Talk};
use super::{Provider, ToolChoice, content, schema, talk};
use crate::call::ToolResult;
use crate::schema::Keywords as _;

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: |c| c.is_ascii_alphabetic() || c == '_',
        allowed: |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-'),
        longest: 64,
        rule: Rule {
            text: "a function's name must match `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`",
            source: "google-gemini/gemini-cli#6704",
            date: "2026-11-30",
        },
    },
    keys: Some(&KEYS),
    most_tools: Some(Limit {
        most: 512,
        rule: Rule {
            text: "a request takes at most 512 functions; leave some out with `Registry::filter`, for example by category",
            source: "Vertex AI's discovery document, `Tool.functionDeclarations`",
            date: "2026-11-30",
        },
    }),
    longest_description: None,
    loose: Profile {
        changes: &[
            Change::Whole(schema::inlined_beside),
            Change::Each(&[
                schema::without_origin,
                schema::any_value,
                schema::standard_formats,
                schema::alternatives_as_any_of,
                schema::constant_as_enum,
                schema::merged_all_of,
                schema::array_items,
                schema::folded_for_gemini,
            ]),
            Change::Whole(schema::object_root),
        ],
        rules: &RULES,
    },
    older: Some(parameters::PROFILE),
    strict: None,
    declare,
    list: |functions| {
        let declared = |functions: Vec<Value>| object([("functionDeclarations", functions.into())]);
        (!functions.is_empty()).then(|| declared(functions)).into_iter().collect()
    },
};

pub(super) static EXCHANGE: Exchange = Exchange { ids: None, choose, read, turn, answer, talk: Some(&TALK) };

static TALK: Talk = Talk {
    history: "contents",
    offer: talk::offer,
    words: |body, _| talk::words_of(single(body).pointer("/candidates/0/content/parts")),
    usage: Counts {
        input: &["/usageMetadata/promptTokenCount", "/usageMetadata/toolUsePromptTokenCount"],
        output: &["/usageMetadata/candidatesTokenCount", "/usageMetadata/thoughtsTokenCount"],
    },
};

static KEYS: NameRule = NameRule {
    first: |c| c.is_ascii_alphabetic() || c == '_',
    allowed: |c| c.is_ascii_alphanumeric() || c == '_',
    longest: 64,
    rule: Rule {
        text: "the name of a parameter must match `^[A-Za-z_][A-Za-z0-9_]{0,63}$`",
        source: "Google's documentation of function calling",
        date: "2026-11-30",
    },
};

static RULES: [SchemaRule; 2] = [
    SchemaRule {
        broken: Broken::AtRoot(|root, _| root.keyword("type").is_none_or(|kind| kind != "object")),
        rule: Rule {
            text: "the schema of the arguments must have `\"type\": \"object\"`",
            source: "Vertex AI's error \"parameters schema should be of type OBJECT\"",
            date: "2026-11-30",
        },
    },
    SchemaRule {
        broken: Broken::Anywhere(|node| {
            let plain = |value: &Value| value.is_string() || value.is_number();
            node.keyword("enum").and_then(Value::as_array).is_some_and(|values| !values.iter().all(plain))
        }),
        rule: Rule {
            text: "`enum` holds strings and numbers alone",
            source: "Google's documentation of `parametersJsonSchema`",
            date: "2026-11-30",
        },
    },
];

/// A function without arguments says nothing of them: an object without properties is refused by older models.
fn declare(Declaration { name, description, schema, options, .. }: Declaration<'_>) -> Value {
    let mut function = json!({ "name": name });
    if !description.is_empty() {
        function["description"] = description.into();
    }
    if !takes_nothing(&schema) {
        let key = if options.gemini_parameters { "parameters" } else { "parametersJsonSchema" };
        function[key] = schema.to_value();
    }
    function
}

fn takes_nothing(schema: &Schema) -> bool {
    schema.keyword("properties").and_then(Value::as_object).is_none_or(Map::is_empty)
        && schema.keyword("additionalProperties").is_none_or(|more| *more == false)
}

/// What `toolConfig` takes.
fn choose(choice: ToolChoice<'_>) -> Value {
    let config = match choice {
        ToolChoice::Auto => json!({ "mode": "AUTO" }),
        ToolChoice::None => json!({ "mode": "NONE" }),
        ToolChoice::Required => json!({ "mode": "ANY" }),
        ToolChoice::Tool(name) => json!({ "mode": "ANY", "allowedFunctionNames": [name] }),
    };
    json!({ "functionCallingConfig": config })
}

/// The call in a part. Some gateways write the keys as the Python SDK does.
fn call_in(part: &Value) -> Option<&Value> {
    part.get("functionCall").or_else(|| part.get("function_call")).filter(|call| !call.is_null())
}

/// Some endpoints answer with an array of one.
fn single(body: &Value) -> &Value {
    body.as_array().filter(|list| list.len() == 1).and_then(|list| list.first()).unwrap_or(body)
}

fn parts(body: &Value) -> &[Value] {
    body.pointer("/candidates/0/content/parts").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A call is known by its part: the reason to finish is `STOP`, with calls and without.
fn read(provider: Provider, body: &Value, _: &Names) -> Result<Reply, ParseError> {
    let body = single(body);
    let fields = reply::fields(provider, body)?;
    let Some(candidate) = fields.get("candidates").and_then(Value::as_array).and_then(|all| all.first()) else {
        if let Some(reason) = body.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
            return Err(ParseError::reported(provider, &format!("the prompt was blocked: {reason}")));
        }
        return Err(reply::lacks(provider, fields, "`candidates` that hold one"));
    };
    let calls = parts(body).iter().enumerate().filter_map(|(place, part)| {
        let call = call_in(part)?;
        Some(Written::new(place, call.get("id"), call.get("name"), reply::arguments(call.get("args"))))
    });
    Ok(Reply::new(calls.collect(), candidate.get("finishReason").and_then(Value::as_str).is_some_and(broke_off)))
}

/// A call that the model began and Gemini could not read is left out of the reply: what was to be called is not in it.
fn broke_off(reason: &str) -> bool {
    matches!(reason, "MAX_TOKENS" | "MALFORMED_FUNCTION_CALL")
}

/// What passes Gemini's check of signatures where there is none to hand back.
const ANY_SIGNATURE: &str = "skip_thought_signature_validator";

/// Every part in its place, with its signature untouched: Gemini 3 refuses a call whose signature is gone.
fn turn(body: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let body = single(body);
    let mut sent = Vec::new();
    let mut is_first = true;
    for (place, part) in parts(body).iter().enumerate() {
        if call_in(part).is_none() {
            sent.extend(part.is_object().then(|| reply::without_nulls(part)));
            continue;
        }
        let signature = part.get("thoughtSignature").or_else(|| part.get("thought_signature"));
        for call in reply.at(place) {
            let mut part = json!({ "functionCall": {
                "id": context.id(&call.id),
                "name": context.names.replayed(&call.name),
                "args": reply::object_value(&call.arguments),
            } });
            match signature {
                Some(signature @ Value::String(_)) => part["thoughtSignature"] = signature.clone(),
                _ if is_first && context.options.fill_thought_signatures => {
                    part["thoughtSignature"] = ANY_SIGNATURE.into();
                }
                _ => {}
            }
            is_first = false;
            sent.push(part);
        }
    }
    json!({ "role": "model", "parts": sent })
}

/// All answers stand in one content, as many as there were calls; what can be seen follows them.
fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let answers = results.iter().map(|result| {
        let words = content::words(result, |_| true);
        let response = match content::exact_value(result, &words) {
            _ if !result.is_success() => json!({ "error": words }),
            Some(value) => json!({ "output": value }),
            None => json!({ "output": words }),
        };
        json!({ "functionResponse": {
            "id": context.id(result.call_id()),
            "name": context.names.replayed(result.name()),
            "response": response,
        } })
    });
    let attachments = results.iter().flat_map(content::attachments).map(|attachment| {
        let data = content::base64(attachment.data());
        json!({ "inlineData": { "mimeType": attachment.media_type(), "data": data } })
    });
    let parts: Vec<Value> = answers.chain(attachments).collect();
    vec![json!({ "role": "user", "parts": parts })]
}
