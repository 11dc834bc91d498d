//! The Model Context Protocol, from the server's side: what `tools/list` returns, `tools/call` asks for and gets.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::dialect::{Broken, Change, Declaration, Dialect, Exchange, Profile, Rule, SchemaRule, plain_list};
use super::error::ParseError;
use super::export::Context;
use super::names::{NameRule, Names};
use super::options::McpRevision;
use super::reply::{self, Reply, Written};
use super::{Provider, content, schema};
use crate::call::ToolResult;
use crate::output::Attachment;
use crate::schema::Keywords as _;
use crate::tool::{Category, ToolSpec};

pub(super) static DIALECT: Dialect = Dialect {
    names: NameRule {
        first: is_name_character,
        allowed: is_name_character,
        longest: 128,
        rule: Rule {
            text: "a tool's name should match `^[A-Za-z0-9_.-]{1,128}$`",
            source: "the specification of 2026-07-28, server/tools",
            date: "2026-11-30",
        },
    },
    keys: None,
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
    strict: None,
    declare,
    list: plain_list,
};

pub(super) static EXCHANGE: Exchange = Exchange {
    ids: None,
    // What a client asks of its model is not the server's to say.
    choose: |_| Value::Null,
    read,
    turn,
    answer,
    talk: None,
};

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// How long a name may be when a client has put its prefix before it.
pub(super) static PREFIXED: super::dialect::Limit = super::dialect::Limit {
    most: 64,
    rule: Rule {
        text: "with the client's prefix a name has at most 64 characters, which is what the providers of models take",
        source: "modelcontextprotocol/modelcontextprotocol#1345",
        date: "2026-11-30",
    },
};

static RULES: [SchemaRule; 1] = [SchemaRule {
    broken: Broken::AtRoot(|root, _| root.keyword("type").is_none_or(|kind| kind != "object")),
    rule: Rule {
        text: "the schema of the arguments must have `\"type\": \"object\"`",
        source: "the specification of 2026-07-28, server/tools",
        date: "2026-11-30",
    },
}];

fn declare(Declaration { name, description, schema, spec, options, .. }: Declaration<'_>) -> Value {
    let mut tool = json!({ "name": name });
    if !description.is_empty() {
        tool["description"] = description.into();
    }
    tool["inputSchema"] = schema.to_value();
    let Some(spec) = spec else { return tool };
    if let Some(output) = output_schema(spec, options.mcp_revision) {
        tool["outputSchema"] = output;
    }
    tool["annotations"] = annotations(spec);
    tool
}

/// The hints that differ from what their absence means. What a tool destroys, and whether it may be repeated, is said only
/// of one that changes something.
fn annotations(spec: &ToolSpec) -> Value {
    match spec.category() {
        Category::Read => json!({ "readOnlyHint": true }),
        // It looks at nothing but its arguments.
        Category::Compute => json!({ "readOnlyHint": true, "openWorldHint": false }),
        Category::Write | Category::Communicate => {
            json!({ "readOnlyHint": false, "destructiveHint": false, "idempotentHint": spec.idempotent() })
        }
        Category::Dangerous => {
            json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": spec.idempotent() })
        }
    }
}

/// The schema of the structured result, as the revision takes it.
fn output_schema(spec: &ToolSpec, revision: McpRevision) -> Option<Value> {
    let output = spec.output_schema()?;
    let changes = &[Change::Each(&[schema::without_origin, schema::any_value, schema::standard_formats])];
    let mut output = schema::transformed(output, changes).to_value();
    if wrapped(spec, revision) != Some(true) {
        return Some(output);
    }
    // The definitions stay where the references look for them.
    let definitions = output.as_object_mut().and_then(|output| output.shift_remove("$defs"));
    let mut wrapped = json!({ "type": "object", "properties": { "result": output }, "required": ["result"] });
    if let Some(definitions) = definitions {
        wrapped["$defs"] = definitions;
    }
    Some(wrapped)
}

/// Of a tool whose results have a schema: whether the structured result stands under a key of its own, because the revision
/// takes objects alone.
pub(super) fn wrapped(spec: &ToolSpec, revision: McpRevision) -> Option<bool> {
    let output = spec.output_schema()?;
    Some(revision == McpRevision::V2025_11_25 && output.get("type").is_none_or(|kind| kind != "object"))
}

/// The parameters of a request, which may come without the request around them.
fn parameters(request: &Value) -> &Value {
    request.get("params").unwrap_or(request)
}

/// One request, or a batch of them. The id is that of the request.
fn requests(body: &Value) -> &[Value] {
    body.as_array().map_or(std::slice::from_ref(body), Vec::as_slice)
}

fn read(provider: Provider, body: &Value, _: &Names) -> Result<Reply, ParseError> {
    let mut calls = Vec::new();
    for (place, request) in requests(body).iter().enumerate() {
        let fields = reply::fields(provider, request)?;
        if fields.get("method").is_some_and(|method| method != "tools/call") {
            continue;
        }
        let parameters = parameters(request);
        if parameters.get("name").is_none() && !fields.contains_key("method") {
            return Err(reply::lacks(provider, fields, "`params` with a `name`"));
        }
        let arguments = reply::arguments(parameters.get("arguments"));
        calls.push(Written::new(place, request.get("id"), parameters.get("name"), arguments));
    }
    Ok(Reply::new(calls, false))
}

/// The parameters of the request, or an array of them where there were several.
fn turn(_: &Value, reply: &Reply, context: &Context<'_>) -> Value {
    let mut calls = reply.calls.iter().map(
        |call| json!({ "name": context.names.replayed(&call.name), "arguments": reply::object_value(&call.arguments) }),
    );
    match (calls.next(), calls.next()) {
        (Some(only), None) => only,
        (first, second) => first.into_iter().chain(second).chain(calls).collect(),
    }
}

fn answer(results: &[ToolResult], context: &Context<'_>) -> Vec<Value> {
    results.iter().map(|result| answer_one(result, context)).collect()
}

/// The text is always there, for clients that do not know the structured result.
fn answer_one(result: &ToolResult, context: &Context<'_>) -> Value {
    let words = content::words(result, |_| true);
    let mut blocks = Vec::new();
    if !words.trim().is_empty() {
        blocks.push(json!({ "type": "text", "text": words }));
    }
    blocks.extend(content::attachments(result).iter().enumerate().map(|(number, one)| block(one, number)));
    let mut answer = Map::new();
    answer.insert("content".to_owned(), blocks.into());
    let revision = context.options.mcp_revision;
    if let Some(value) = structured(result, context.wrapped.get(result.name()).copied(), revision) {
        answer.insert("structuredContent".to_owned(), value);
    }
    if !result.is_success() {
        answer.insert("isError".to_owned(), true.into());
    }
    if revision == McpRevision::V2026_07_28 {
        answer.insert("resultType".to_owned(), "complete".into());
    }
    answer.into()
}

/// What a tool that says what its results look like gave back, and any other JSON that the revision takes. `wrapped` is
/// what [`wrapped`] says of a tool of the first kind.
fn structured(result: &ToolResult, wrapped: Option<bool>, revision: McpRevision) -> Option<Value> {
    let output = result.output()?;
    if wrapped.is_none() && !output.is_json() {
        return None;
    }
    let value = output.value();
    match wrapped {
        Some(true) => Some(json!({ "result": value })),
        _ => (revision == McpRevision::V2026_07_28 || value.is_object()).then(|| value.clone()),
    }
}

fn block(attachment: &Attachment, number: usize) -> Value {
    let (media_type, data) = (attachment.media_type(), content::base64(attachment.data()));
    let kind = media_type.split('/').next().unwrap_or_default();
    if matches!(kind, "image" | "audio") {
        return json!({ "type": kind, "mimeType": media_type, "data": data });
    }
    let uri = format!("file:///{}", attachment.name().map_or_else(|| format!("result-{number}"), uri_part));
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": media_type, "blob": data } })
}

/// A name with everything escaped that has a meaning in a URI.
fn uri_part(name: &str) -> String {
    let mut part = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            part.push(char::from(byte));
        } else {
            let _ = write!(part, "%{byte:02X}");
        }
    }
    part
}
