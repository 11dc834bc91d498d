use serde_json::{Value, json};

use super::super::tests::{body, ends, error, shown};

fn line(message: &Value) -> Value {
    json!({ "model": "m", "message": message, "done": false })
}

fn call(index: u32) -> Value {
    json!({ "function": { "index": index, "name": "add", "arguments": { "a": index } } })
}

#[test]
fn lines_become_one_response() {
    let lines = [
        line(&json!({ "role": "assistant", "content": "", "thinking": "Hm" })),
        line(&json!({ "role": "assistant", "content": "", "thinking": "m." })),
        line(&json!({ "role": "assistant", "content": "Yes" })),
        line(&json!({ "role": "assistant", "content": ".", "tool_calls": [call(0)] })),
        line(&json!({ "role": "assistant", "content": "", "tool_calls": [call(1), call(2)] })),
        json!({ "model": "m", "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop" }),
    ];
    let message = json!({
        "role": "assistant", "content": "Yes.", "thinking": "Hmm.", "tool_calls": [call(0), call(1), call(2)]
    });
    let whole = json!({ "model": "m", "done": true, "done_reason": "stop", "message": message });
    assert_eq!(body("ollama", &lines), whole);
    assert_eq!(shown("ollama", &lines), "Yes.");
    assert_eq!(ends("ollama", &lines)[4..], [false, true]);
}

#[test]
fn a_reply_that_breaks_off_says_so() {
    let body = body("ollama", &[line(&json!({ "tool_calls": [call(0)] }))]);
    assert_eq!((&body["done"], &body["done_reason"]), (&json!(true), &json!("length")));
    assert_eq!(body["message"]["tool_calls"], json!([call(0)]));
}

#[test]
fn an_error_inside_is_told() {
    assert_eq!(error("ollama", &json!({ "error": "out of memory" })).provider_message(), Some("out of memory"));
}
