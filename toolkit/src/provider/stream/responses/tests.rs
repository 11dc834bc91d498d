use serde_json::{Value, json};

use super::super::tests::{body, ends, error, shown};
use super::*;

fn response(kind: &str, status: &str, output: &Value) -> Value {
    let response = json!({ "id": "resp_1", "object": "response", "status": status, "error": null, "output": output });
    json!({ "type": format!("response.{kind}"), "response": response })
}

fn item(kind: &str, index: u32, item: &Value) -> Value {
    json!({ "type": format!("response.output_item.{kind}"), "output_index": index, "item": item })
}

fn event(kind: &str, index: u32, delta: &str) -> Value {
    json!({ "type": format!("response.{kind}.delta"), "output_index": index, "content_index": 0, "delta": delta })
}

fn call(id: &str, arguments: &str, status: &str) -> Value {
    json!({ "type": "function_call", "id": "fc_1", "call_id": id, "name": "add", "arguments": arguments, "status": status })
}

fn message(parts: &Value, status: &str) -> Value {
    json!({ "type": "message", "role": "assistant", "content": parts, "status": status })
}

/// A reply with a text and a call, of which the last event leaves the output out.
pub(crate) fn events() -> Vec<Value> {
    let text = json!([{ "type": "output_text", "text": "Grüße 👋" }]);
    vec![
        response("created", "in_progress", &json!([])),
        item("added", 0, &message(&json!([]), "in_progress")),
        event("output_text", 0, "Grüße "),
        event("output_text", 0, "👋"),
        item("done", 0, &message(&text, "completed")),
        item("added", 1, &call("call_1", "", "in_progress")),
        event("function_call_arguments", 1, "{\"größe\":"),
        event("function_call_arguments", 1, "1}"),
        json!({ "type": "response.function_call_arguments.done", "output_index": 1, "arguments": "{\"größe\":1}" }),
        item("done", 1, &call("call_1", "{\"größe\":1}", "completed")),
        response("completed", "completed", &json!([])),
    ]
}

#[test]
fn events_become_one_response_with_and_without_the_output_at_its_end() {
    let text = json!([{ "type": "output_text", "text": "Grüße 👋" }]);
    let output = json!([message(&text, "completed"), call("call_1", "{\"größe\":1}", "completed")]);
    let whole = response("", "completed", &output)["response"].clone();
    assert_eq!(body("openai-responses", &events()), whole);
    let mut events = events();
    events.pop();
    events.push(response("completed", "completed", &output));
    assert_eq!(body("openai-responses", &events), whole);
    assert_eq!(body("openai-responses", &events[10..]), whole);
    assert_eq!(shown("openai-responses", &events), "Grüße 👋");
    assert_eq!(ends("openai-responses", &events)[9..], [false, true]);
}

#[test]
fn without_the_event_that_repeats_an_item_its_pieces_count() {
    let mut events = events();
    events.retain(|event| !event["type"].as_str().unwrap().contains("done"));
    let text = json!([{ "type": "output_text", "text": "Grüße 👋" }]);
    let output = json!([message(&text, "completed"), call("call_1", "{\"größe\":1}", "completed")]);
    assert_eq!(body("openai-responses", &events)["output"], output);
}

#[test]
fn a_call_is_finished_when_its_item_is() {
    let mut responses = Responses::default();
    let finished: Vec<usize> = events()
        .iter()
        .map(|event| {
            assert!(responses.take(event.as_object().unwrap(), &mut String::new()).is_ok());
            responses.finished()
        })
        .collect();
    assert_eq!(finished, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    assert_eq!(responses.finished_calls().unwrap().ids, ["call_1"]);
}

#[test]
fn fragments_of_several_calls_are_told_apart() {
    let events = [
        item("added", 1, &call("b", "", "in_progress")),
        item("added", 0, &call("a", "", "in_progress")),
        event("function_call_arguments", 0, "{\"a\":"),
        event("function_call_arguments", 1, "{\"b\":"),
        event("function_call_arguments", 0, "1}"),
        event("function_call_arguments", 5, "{}"),
    ];
    let body = body("openai-responses", &events);
    let whole = json!({
        "output": [call("a", "{\"a\":1}", "incomplete"), call("b", "{\"b\":", "incomplete")],
        "object": "response", "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" }
    });
    assert_eq!(body, whole);
}

#[test]
fn thoughts_refusals_and_other_tools_are_kept() {
    let events = [
        json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "Hm" }),
        json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": 0, "delta": "m." }),
        event("refusal", 1, "No."),
        item("added", 2, &json!({ "type": "custom_tool_call", "call_id": "c", "name": "sh", "input": "" })),
        event("custom_tool_call_input", 2, "ls"),
        response("incomplete", "incomplete", &json!([])),
    ];
    let body = body("openai-responses", &events);
    assert_eq!(body["output"][0]["summary"], json!([{ "type": "summary_text", "text": "Hmm." }]));
    assert_eq!(body["output"][1]["content"], json!([{ "type": "refusal", "refusal": "No." }]));
    assert_eq!(body["output"][2]["input"], "ls");
    assert_eq!(body["status"], "incomplete");
}

#[test]
fn an_error_inside_is_told() {
    let message = |event: &Value| error("openai-responses", event).provider_message().map(str::to_owned);
    let failed = json!({ "type": "response.failed", "response": { "error": { "code": "x", "message": "It broke" } } });
    assert_eq!(message(&failed).as_deref(), Some("It broke"));
    assert_eq!(message(&json!({ "type": "error", "message": "Too many" })).as_deref(), Some("Too many"));
    assert_eq!(message(&json!({ "type": "response.failed" })).as_deref(), Some("the response failed"));
}
