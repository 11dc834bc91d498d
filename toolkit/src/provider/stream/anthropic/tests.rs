use serde_json::{Value, json};

use super::super::tests::{body, ends, error, shown};
use super::*;

fn start() -> Value {
    json!({ "type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "content": [], "stop_reason": null,
        "usage": { "input_tokens": 5, "output_tokens": 1 }
    } })
}

fn block(index: u32, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u32, delta: &Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn fragment(index: u32, text: &str) -> Value {
    delta(index, &json!({ "type": "input_json_delta", "partial_json": text }))
}

fn stop(index: u32) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "add", "input": {} })
}

fn end() -> [Value; 2] {
    [
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 40 } }),
        json!({ "type": "message_stop" }),
    ]
}

/// A reply with a thought, a text and a call.
pub(crate) fn events() -> Vec<Value> {
    let mut events = vec![
        start(),
        json!({ "type": "ping" }),
        block(0, &json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "Hm" })),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "m." })),
        delta(0, &json!({ "type": "signature_delta", "signature": "c2ln" })),
        stop(0),
        block(1, &json!({ "type": "text", "text": "" })),
        delta(1, &json!({ "type": "text_delta", "text": "Grüße " })),
        delta(1, &json!({ "type": "text_delta", "text": "👋" })),
        stop(1),
        block(2, &call("toolu_1")),
        fragment(2, ""),
        fragment(2, "{\"größe\": "),
        fragment(2, "1}"),
        stop(2),
    ];
    events.extend(end());
    events
}

/// The inputs of the calls.
fn inputs(events: &[Value]) -> Vec<Value> {
    let body = body("anthropic", events);
    body["content"].as_array().unwrap().iter().filter_map(|block| block.get("input").cloned()).collect()
}

#[test]
fn events_become_one_message() {
    let whole = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "usage": { "input_tokens": 5, "output_tokens": 40 },
        "content": [
            { "type": "thinking", "thinking": "Hmm.", "signature": "c2ln" },
            { "type": "text", "text": "Grüße 👋" },
            { "type": "tool_use", "id": "toolu_1", "name": "add", "input": { "größe": 1 } }
        ]
    });
    assert_eq!(body("anthropic", &events()), whole);
    assert_eq!(shown("anthropic", &events()), "Grüße 👋");
    assert_eq!(ends("anthropic", &events())[15..], [false, true, true]);
}

#[test]
fn no_fragments_mean_no_arguments() {
    let mut events = vec![start(), block(0, &call("a")), stop(0), block(1, &call("b")), fragment(1, ""), stop(1)];
    // Some gateways send all of a call at once.
    events.push(block(2, &json!({ "type": "tool_use", "id": "c", "name": "add", "input": { "a": 1 } })));
    events.push(block(3, &json!({ "type": "tool_use", "id": "d", "name": "add" })));
    events.extend([fragment(3, "{}"), stop(3)]);
    events.extend(end());
    assert_eq!(inputs(&events), [json!({}), json!({}), json!({ "a": 1 }), json!({})]);
}

#[test]
fn a_call_that_breaks_off_stands_there_as_text() {
    let events = [start(), block(0, &call("a")), fragment(0, "{\"a\": 1"), fragment(0, ", \"b")];
    assert_eq!(inputs(&events), [json!("{\"a\": 1, \"b")]);
    assert_eq!(body("anthropic", &events)["stop_reason"], "max_tokens");
    assert_eq!(body("anthropic", &events[..1])["content"], json!([]));
}

#[test]
fn calls_between_each_other_keep_their_fragments_and_their_order() {
    let events = [
        start(),
        block(7, &call("b")),
        block(2, &call("a")),
        fragment(2, "{\"a\":"),
        fragment(7, "{\"b\":"),
        fragment(2, "1}"),
        fragment(7, "2}"),
        fragment(9, "{}"),
        stop(2),
    ];
    assert_eq!(inputs(&events), [json!({ "a": 1 }), json!({ "b": 2 })]);
    // The first is finished, the second is not.
    let mut anthropic = Anthropic::default();
    for event in &events {
        assert!(anthropic.take(event.as_object().unwrap(), &mut String::new()).is_ok());
    }
    assert_eq!(anthropic.finished(), 1);
    assert_eq!(anthropic.finished_calls().unwrap().ids, ["a"]);
}

#[test]
fn a_number_that_is_used_again_is_another_block() {
    let mut events = vec![start()];
    for (id, input) in [("a", "{\"a\":1}"), ("b", "{\"b\":2}")] {
        events.extend([block(0, &call(id)), fragment(0, input), stop(0)]);
    }
    assert_eq!(inputs(&events), [json!({ "a": 1 }), json!({ "b": 2 })]);
}

#[test]
fn what_a_gateway_leaves_out_is_filled_in() {
    let events = [delta(0, &json!({ "type": "text_delta", "text": "Yes." })), end()[1].clone()];
    let whole = json!({ "type": "message", "role": "assistant", "content": [{ "type": "text", "text": "Yes." }] });
    assert_eq!(body("anthropic", &events), whole);
}

#[test]
fn citations_and_unknown_events_cost_nothing() {
    let events = [
        start(),
        block(0, &json!({ "type": "text", "text": "", "citations": null })),
        delta(0, &json!({ "type": "citations_delta", "citation": { "n": 1 } })),
        delta(0, &json!({ "type": "later_delta", "x": 1 })),
        json!({ "type": "later" }),
        json!({}),
        stop(0),
    ];
    assert_eq!(body("anthropic", &events)["content"][0]["citations"], json!([{ "n": 1 }]));
}

#[test]
fn an_error_inside_is_told() {
    let event = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert_eq!(error("anthropic", &event).provider_message(), Some("Overloaded"));
}
