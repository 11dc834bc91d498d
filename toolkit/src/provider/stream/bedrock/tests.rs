use serde_json::{Value, json};

use super::super::tests::{body, ends, error, shown};
use super::*;

fn start(index: u32, call: &Value) -> Value {
    json!({ "contentBlockStart": { "contentBlockIndex": index, "start": { "toolUse": call } } })
}

fn delta(index: u32, delta: &Value) -> Value {
    json!({ "contentBlockDelta": { "contentBlockIndex": index, "delta": delta } })
}

fn stop(index: u32) -> Value {
    json!({ "contentBlockStop": { "contentBlockIndex": index } })
}

/// A reply with a thought, a text and a call.
pub(crate) fn events() -> Vec<Value> {
    vec![
        json!({ "messageStart": { "role": "assistant", "p": "abc" } }),
        delta(0, &json!({ "reasoningContent": { "text": "Hm" } })),
        delta(0, &json!({ "reasoningContent": { "text": "m." } })),
        delta(0, &json!({ "reasoningContent": { "signature": "c2ln" } })),
        stop(0),
        delta(1, &json!({ "text": "Grüße " })),
        delta(1, &json!({ "text": "👋" })),
        stop(1),
        start(2, &json!({ "toolUseId": "t1", "name": "add" })),
        delta(2, &json!({ "toolUse": { "input": "{\"größe\":" } })),
        delta(2, &json!({ "toolUse": { "input": "1}" } })),
        stop(2),
        json!({ "messageStop": { "stopReason": "tool_use", "p": "ab" } }),
        json!({ "metadata": { "usage": { "totalTokens": 9 }, "metrics": { "latencyMs": 7 } } }),
    ]
}

#[test]
fn events_become_one_response() {
    let content = json!([
        { "reasoningContent": { "reasoningText": { "text": "Hmm.", "signature": "c2ln" } } },
        { "text": "Grüße 👋" },
        { "toolUse": { "toolUseId": "t1", "name": "add", "input": { "größe": 1 } } }
    ]);
    let whole = json!({
        "output": { "message": { "role": "assistant", "content": content } },
        "stopReason": "tool_use", "usage": { "totalTokens": 9 }, "metrics": { "latencyMs": 7 }
    });
    assert_eq!(body("bedrock", &events()), whole);
    assert_eq!(shown("bedrock", &events()), "Grüße 👋");
    assert_eq!(ends("bedrock", &events())[11..], [false, true, true]);
}

#[test]
fn no_fragments_mean_no_arguments_and_a_cut_call_stands_there_as_text() {
    let events = [
        start(0, &json!({ "toolUseId": "a", "name": "now" })),
        stop(0),
        delta(3, &json!({ "toolUse": { "input": "{}" } })),
        start(1, &json!({ "toolUseId": "b", "name": "add", "type": "server_tool_use" })),
        delta(1, &json!({ "toolUse": { "input": "{\"a\":" } })),
    ];
    let body = body("bedrock", &events);
    let content = &body["output"]["message"]["content"];
    assert_eq!(content[0]["toolUse"]["input"], json!({}));
    assert_eq!(content[1]["toolUse"]["input"], "{\"a\":");
    assert_eq!(content[1]["toolUse"]["type"], "server_tool_use");
    assert_eq!(body["stopReason"], "max_tokens");
}

#[test]
fn a_call_is_finished_when_its_block_is() {
    let mut bedrock = Bedrock::default();
    for event in &events()[..11] {
        assert!(bedrock.take(event.as_object().unwrap(), &mut String::new()).is_ok());
    }
    assert_eq!(bedrock.finished(), 0);
    assert!(bedrock.take(stop(2).as_object().unwrap(), &mut String::new()).is_ok());
    assert_eq!(bedrock.finished_calls().unwrap().ids, ["t1"]);
}

#[test]
fn results_of_the_providers_own_tools_are_kept() {
    let own = json!({ "toolUseId": "a", "status": "success" });
    let events = [
        json!({ "contentBlockStart": { "contentBlockIndex": 0, "start": { "toolResult": own } } }),
        delta(0, &json!({ "toolResult": [{ "json": { "out": 1 } }] })),
        delta(0, &json!({ "toolResult": [{ "text": "x" }] })),
        delta(1, &json!({ "reasoningContent": { "redactedContent": "eA==" } })),
    ];
    let body = body("bedrock", &events);
    let content = &body["output"]["message"]["content"];
    assert_eq!(content[0]["toolResult"]["content"], json!([{ "json": { "out": 1 } }, { "text": "x" }]));
    assert_eq!(content[1]["reasoningContent"], json!({ "redactedContent": "eA==" }));
}

#[test]
fn an_exception_inside_is_told() {
    let event = json!({ "throttlingException": { "message": "Too many requests" } });
    assert_eq!(error("bedrock", &event).provider_message(), Some("throttlingException: Too many requests"));
}
