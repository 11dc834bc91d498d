use serde_json::{Value, json};

use super::super::tests::{body, ends, error, shown};
use super::*;

fn event(kind: &str, index: u32, message: &Value) -> Value {
    json!({ "type": kind, "index": index, "delta": { "message": message } })
}

fn start() -> Value {
    let message = json!({ "role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": [] });
    json!({ "type": "message-start", "id": "m1", "delta": { "message": message } })
}

fn call(index: u32, id: &str) -> Value {
    let function = json!({ "name": "add", "arguments": "" });
    event("tool-call-start", index, &json!({ "tool_calls": { "id": id, "type": "function", "function": function } }))
}

fn fragment(index: u32, text: &str) -> Value {
    event("tool-call-delta", index, &json!({ "tool_calls": { "function": { "arguments": text } } }))
}

fn end(reason: &str) -> Value {
    json!({ "type": "message-end", "delta": { "finish_reason": reason, "usage": { "tokens": 9 } } })
}

/// A reply with a plan, a text and a call.
pub(crate) fn events() -> Vec<Value> {
    vec![
        start(),
        event("tool-plan-delta", 0, &json!({ "tool_plan": "I will " })),
        event("tool-plan-delta", 0, &json!({ "tool_plan": "add." })),
        event("content-start", 0, &json!({ "content": { "type": "text", "text": "" } })),
        event("content-delta", 0, &json!({ "content": { "text": "Grüße " } })),
        event("content-delta", 0, &json!({ "content": { "text": "👋" } })),
        json!({ "type": "content-end", "index": 0 }),
        call(0, "c1"),
        fragment(0, "{\"größe\":"),
        fragment(0, "1}"),
        json!({ "type": "tool-call-end", "index": 0 }),
        end("TOOL_CALL"),
    ]
}

#[test]
fn events_become_one_response() {
    let call = json!({ "id": "c1", "type": "function", "function": { "name": "add", "arguments": "{\"größe\":1}" } });
    let message = json!({
        "role": "assistant", "content": [{ "type": "text", "text": "Grüße 👋" }], "tool_plan": "I will add.",
        "tool_calls": [call]
    });
    let whole = json!({ "id": "m1", "finish_reason": "TOOL_CALL", "usage": { "tokens": 9 }, "message": message });
    assert_eq!(body("cohere", &events()), whole);
    assert_eq!(shown("cohere", &events()), "Grüße 👋");
    assert_eq!(ends("cohere", &events())[10..], [false, true]);
}

#[test]
fn several_calls_keep_their_fragments_and_a_cut_one_says_so() {
    let events = [
        start(),
        call(1, "b"),
        call(0, "a"),
        fragment(1, "{\"b\""),
        fragment(0, "{}"),
        fragment(7, "{}"),
        json!({ "type": "tool-call-end", "index": 0 }),
    ];
    let body = body("cohere", &events);
    let arguments: Vec<_> =
        body["message"]["tool_calls"].as_array().unwrap().iter().map(|call| &call["function"]["arguments"]).collect();
    assert_eq!(arguments, ["{}", "{\"b\""]);
    assert_eq!(body["finish_reason"], "MAX_TOKENS");
    assert_eq!(body["message"].get("content"), None);
    let mut cohere = Cohere::default();
    for event in &events {
        assert!(cohere.take(event.as_object().unwrap(), &mut String::new()).is_ok());
    }
    assert_eq!((cohere.finished(), cohere.finished_calls().unwrap().ids), (1, vec!["a".to_owned()]));
}

#[test]
fn thoughts_and_citations_are_kept() {
    let events = [
        start(),
        event("content-delta", 0, &json!({ "content": { "thinking": "Hm" } })),
        event("content-delta", 0, &json!({ "content": { "thinking": "m." } })),
        event("content-delta", 1, &json!({ "content": { "text": "Yes." } })),
        event("citation-start", 0, &json!({ "citations": { "start": 0, "end": 3 } })),
        json!({ "type": "citation-end", "index": 0 }),
        end("COMPLETE"),
    ];
    let message = body("cohere", &events)["message"].clone();
    assert_eq!(
        message["content"],
        json!([{ "type": "thinking", "thinking": "Hmm." }, { "type": "text", "text": "Yes." }])
    );
    assert_eq!(message["citations"], json!([{ "start": 0, "end": 3 }]));
    assert_eq!(shown("cohere", &events), "Yes.");
}

#[test]
fn an_error_inside_is_told() {
    let event = json!({ "type": "message-end", "delta": { "finish_reason": "ERROR", "error": "It broke" } });
    assert_eq!(error("cohere", &event).provider_message(), Some("It broke"));
    assert_eq!(error("cohere", &json!({ "message": "invalid token" })).provider_message(), Some("invalid token"));
}
