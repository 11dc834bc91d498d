use serde_json::json;

use super::*;
use crate::provider::error::ParseError;
use crate::provider::export::Context;
use crate::provider::names::Names;
use crate::provider::options::ExportOptions;
use crate::provider::reply::Reply;
use crate::provider::{Provider, chat};

fn read(body: &Value, names: &Names) -> Result<Reply, ParseError> {
    chat::read(Provider::OpenAiChat, body, names)
}

fn turn(body: &Value, reply: &Reply, names: &Names) -> Value {
    let (options, wrapped) = (ExportOptions::new(), std::collections::BTreeMap::new());
    chat::turn(body, reply, &Context { names, options: &options, wrapped: &wrapped, exchange: &EXCHANGE })
}

fn names() -> Names {
    Names::new(&DIALECT.names, ["add", "read.file"])
}

fn body(message: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
}

/// Id, name and arguments of every call.
fn calls(body: &Value, names: &Names) -> Vec<(String, String, String)> {
    let reply = read(body, names).unwrap();
    reply.calls.into_iter().map(|call| (call.id, call.name, call.arguments.text().into_owned())).collect()
}

fn one(call: &Value) -> (String, String, String) {
    let mut calls = calls(&body(&json!({ "tool_calls": [call] })), &names());
    assert_eq!(calls.len(), 1);
    calls.remove(0)
}

fn called(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn a_call_is_known_by_what_it_holds() {
    let call = json!({ "id": "c1", "index": 3, "function": { "name": "add", "arguments": "{\"a\":1}", "caller": 1 } });
    assert_eq!(one(&call), called("c1", "add", "{\"a\":1}"));
    assert_eq!(one(&json!({ "id": "c1", "name": "add", "arguments": {} })), called("c1", "add", "{}"));
    assert_eq!(one(&json!({ "id": 7, "function": { "name": "add" } })), called("7", "add", "{}"));
}

#[test]
fn a_call_that_cannot_be_read_is_a_call() {
    assert_eq!(one(&json!({ "id": "c1", "type": "function" })), called("c1", "", "{}"));
    assert_eq!(one(&json!({ "id": "c1", "function": "add" })), called("c1", "", "{}"));
    assert_eq!(one(&json!({ "id": "c1", "function": { "name": 5, "arguments": 5 } })), called("c1", "", "5"));
    assert_eq!(one(&json!("add(1)")), called("call_0", "", "add(1)"));
    assert_eq!(one(&json!(null)), called("call_0", "", "{}"));
}

#[test]
fn calls_side_by_side_stand_in_the_place_of_the_one() {
    let uses = json!({ "tool_uses": [
        { "recipient_name": "functions.add", "parameters": { "a": 1 } },
        { "recipient_name": "read_file" },
        "functions.add"
    ] });
    let last = json!({ "id": "c2", "function": { "name": "add", "arguments": "" } });
    for (name, arguments) in [("multi_tool_use.parallel", json!(uses.to_string())), ("parallel", uses)] {
        let phantom = json!({ "id": "c1", "function": { "name": name, "arguments": arguments } });
        let expected = [
            called("c1", "add", "{\"a\":1}"),
            called("c1_1", "read_file", "{}"),
            called("c1_2", "", "functions.add"),
            called("c2", "add", "{}"),
        ];
        assert_eq!(calls(&body(&json!({ "tool_calls": [phantom, last] })), &names()), expected);
    }
}

#[test]
fn a_tool_of_that_name_is_a_tool() {
    let names = Names::new(&DIALECT.names, ["multi_tool_use.parallel", "parallel"]);
    for name in ["parallel", "multi_tool_use.parallel", "multi_tool_use_parallel"] {
        let call = json!({ "function": { "name": name, "arguments": { "tool_uses": [{}] } } });
        assert_eq!(calls(&body(&json!({ "tool_calls": [call] })), &names)[0].1, name);
    }
    let broken = json!({ "function": { "name": "parallel", "arguments": "{\"tool_uses\":[{\"recip" } });
    assert_eq!(one(&broken), called("call_0", "parallel", "{\"tool_uses\":[{\"recip"));
}

#[test]
fn the_old_way_to_call_is_one_call() {
    let old = json!({ "content": null, "function_call": { "name": "add", "arguments": "{}" } });
    assert_eq!(calls(&body(&old), &names()), [called("call_0", "add", "{}")]);
    let both =
        json!({ "tool_calls": [{ "id": "c", "function": { "name": "add" } }], "function_call": { "name": "x" } });
    assert_eq!(calls(&body(&both), &names()), [called("c", "add", "{}")]);
}

#[test]
fn nothing_in_the_place_of_the_calls_is_no_call() {
    for nothing in [json!(null), json!([]), json!({}), json!(""), json!(false)] {
        assert_eq!(calls(&body(&json!({ "tool_calls": nothing, "function_call": nothing })), &names()), []);
    }
    assert_eq!(calls(&body(&json!({ "content": "Hello." })), &names()), []);
    let single = json!({ "id": "c", "function": { "name": "add", "arguments": "{}" } });
    assert_eq!(calls(&body(&json!({ "tool_calls": single })), &names()), [called("c", "add", "{}")]);
}

#[test]
fn only_a_reply_that_broke_off_is_cut_off() {
    for (reason, cut_off) in [("length", true), ("tool_calls", false), ("stop", false), ("", false)] {
        let body = json!({ "choices": [{ "message": { "tool_calls": [{}] }, "finish_reason": reason }] });
        assert_eq!(read(&body, &names()).unwrap().cut_off, cut_off);
    }
}

#[test]
fn a_body_that_is_no_reply_is_described() {
    let problem = |body: Value| read(&body, &names()).unwrap_err().to_string();
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    let refused = problem(json!({ "error": { "message": format!("Incorrect API key provided: {key}"), "code": 1 } }));
    let start = "the body is no reply of openai-chat: the provider reports an error: Incorrect API key provided: ";
    assert!(refused.starts_with(start), "{refused}");
    assert!(!refused.contains(key), "{refused}");
    assert!(problem(json!({ "error": "overloaded" })).ends_with("reports an error: overloaded"));
    assert!(problem(json!({ "object": "error", "message": "too long", "code": 400 })).ends_with("an error: too long"));
    assert!(problem(json!({ "detail": "Not Found" })).ends_with("an error: Not Found"));
    assert!(problem(json!({ "error": { "message": "x".repeat(1000) } })).chars().count() < 400);
    assert!(problem(json!([])).ends_with("it is an array, and not a JSON object"));
    assert!(problem(json!({})).ends_with("it has no `choices` that hold one; it has nothing"));
    assert!(problem(json!({ "choices": [], "id": 1 })).ends_with("it has `choices`, `id`"));
    assert!(problem(json!({ "choices": [{ "delta": {} }] })).ends_with("collect the whole reply first"));
    assert!(problem(json!({ "choices": [{ "text": "x" }] })).ends_with("its first choice has no `message`"));
    assert!(read(&json!({ "error": null, "choices": [{ "message": {} }] }), &names()).is_ok());
}

#[test]
fn the_turn_holds_what_the_api_takes_back() {
    let body = body(&json!({
        "role": "assistant", "content": "Let me see.", "refusal": null, "annotations": [], "audio": null,
        "function_call": null, "reasoning_content": "hm", "tool_calls": [
            { "id": "", "index": 0, "function": { "name": "read_file", "arguments": { "path": "a" } } },
            { "id": "c", "type": "function", "function": { "name": "", "arguments": "{\"pa" } }
        ]
    }));
    let names = names();
    let reply = read(&body, &names).unwrap();
    let expected = json!({
        "role": "assistant",
        "content": "Let me see.",
        "tool_calls": [
            { "id": "call_0", "type": "function", "function": { "name": "read_file", "arguments": "{\"path\":\"a\"}" } },
            { "id": "c", "type": "function", "function": { "name": "unnamed", "arguments": "{\"invalid\":\"{\\\"pa\"}" } }
        ]
    });
    assert_eq!(turn(&body, &reply, &names), expected);
}

#[test]
fn a_turn_without_calls_holds_a_text() {
    let of = |message: Value| {
        let body = body(&message);
        turn(&body, &read(&body, &names()).unwrap(), &names())
    };
    let empty = json!({ "role": "assistant", "content": "" });
    assert_eq!(of(json!({ "content": null, "tool_calls": [] })), empty);
    assert_eq!(of(json!({ "content": "Hello" })), json!({ "role": "assistant", "content": "Hello" }));
    let refused = of(json!({ "content": null, "refusal": "No." }));
    assert_eq!(refused, json!({ "role": "assistant", "content": "", "refusal": "No." }));
    assert_eq!(turn(&json!([]), &Reply::default(), &names()), empty);
}
