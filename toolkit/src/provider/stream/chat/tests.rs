use serde_json::{Value, json};

use super::super::tests::{body, ends, error, shown};

fn delta(delta: &Value) -> Value {
    json!({ "id": "x", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn calls(calls: &Value) -> Value {
    delta(&json!({ "tool_calls": calls }))
}

fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

/// Id, name and arguments of the calls of the body.
fn read(chunks: &[Value]) -> Vec<(String, String, String)> {
    let body = body("openai-chat", chunks);
    let calls = body.pointer("/choices/0/message/tool_calls").and_then(Value::as_array).cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    calls
        .iter()
        .map(|call| (text(&call["id"]), text(&call["function"]["name"]), text(&call["function"]["arguments"])))
        .collect()
}

fn called(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn chunks_become_one_body() {
    let chunks = [
        json!({ "id": "", "choices": [], "prompt_filter_results": [] }),
        delta(&json!({ "role": "assistant", "content": "" })),
        delta(&json!({ "content": "It is ", "reasoning_content": "Hm" })),
        delta(&json!({ "role": "assistant", "content": "noon.", "reasoning_content": "m." })),
        calls(&json!([{ "index": 0, "id": "c1", "type": "function", "function": { "name": "add", "arguments": "" } }])),
        calls(&json!([{ "index": 0, "function": { "arguments": "{\"a\":" } }])),
        calls(&json!([{ "index": 0, "function": { "arguments": "1}" } }])),
        end("tool_calls"),
        json!({ "id": "x", "choices": [], "usage": { "total_tokens": 9 } }),
    ];
    let call = json!({ "id": "c1", "type": "function", "function": { "name": "add", "arguments": "{\"a\":1}" } });
    let message = json!({
        "role": "assistant", "content": "It is noon.", "reasoning_content": "Hmm.", "tool_calls": [call]
    });
    let whole = json!({
        "id": "x", "object": "chat.completion", "prompt_filter_results": [], "usage": { "total_tokens": 9 },
        "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }]
    });
    assert_eq!(body("openai-chat", &chunks), whole);
    assert_eq!(shown("openai-chat", &chunks), "It is noon.");
    assert_eq!(ends("openai-chat", &chunks)[6..], [false, true, true]);
}

#[test]
fn fragments_of_several_calls_are_told_apart_by_number() {
    let chunks = [
        calls(&json!([
            { "index": 1, "id": "b", "function": { "name": "mul", "arguments": "" } },
            { "index": 0, "id": "a", "function": { "name": "add", "arguments": "{\"x\":" } }
        ])),
        calls(&json!([
            { "index": 1, "function": { "arguments": "{\"y\":2}" } },
            { "index": 0, "function": { "arguments": "1}" } }
        ])),
        calls(&json!([{ "index": u32::MAX, "id": "c", "function": { "name": "neg", "arguments": "{}" } }])),
    ];
    let expected = [called("a", "add", "{\"x\":1}"), called("b", "mul", "{\"y\":2}"), called("c", "neg", "{}")];
    assert_eq!(read(&chunks), expected);
}

#[test]
fn a_name_comes_whole_in_pieces_or_again() {
    let name = |index: Value, name: &str, arguments: &str| {
        calls(&json!([{ "index": index, "function": { "name": name, "arguments": arguments } }]))
    };
    for names in
        [["get_time", "", ""], ["get_", "time", ""], ["get_time", "get_time", "get_time"], ["get_", "get_time", ""]]
    {
        let chunks =
            [name(json!(0), names[0], ""), name(json!(0), names[1], "{\"a\""), name(json!(0), names[2], ":1}")];
        assert_eq!(read(&chunks), [called("", "get_time", "{\"a\":1}")], "{names:?}");
    }
}

#[test]
fn without_numbers_a_call_begins_with_an_id_or_a_name() {
    let whole =
        |id: &str, a: u32| json!({ "id": id, "function": { "name": "add", "arguments": format!("{{\"a\":{a}}}") } });
    let expected = [called("a", "add", "{\"a\":1}"), called("b", "add", "{\"a\":2}")];
    assert_eq!(read(&[calls(&json!([whole("a", 1), whole("b", 2)]))]), expected);
    assert_eq!(
        read(&[calls(&json!([whole("", 1), whole("", 2)]))]),
        [called("", "add", "{\"a\":1}"), called("", "add", "{\"a\":2}")]
    );
    let pieces = [
        calls(&json!([{ "id": "a", "function": { "name": "add", "arguments": "{\"a\"" } }])),
        calls(&json!([{ "function": { "arguments": ":" } }])),
        calls(&json!([{ "function": { "name": "add", "arguments": "1}" } }])),
        calls(&json!([{ "id": "b", "function": { "name": "add" } }])),
        calls(&json!([{ "id": "b", "function": { "arguments": "{\"a\":2}" } }])),
    ];
    assert_eq!(read(&pieces), expected);
}

#[test]
fn a_number_that_is_used_again_begins_another_call() {
    let whole = |id: &str, a: u32| {
        calls(&json!([{ "index": 0, "id": id, "function": { "name": "add", "arguments": format!("{{\"a\":{a}}}") } }]))
    };
    assert_eq!(
        read(&[whole("a", 1), whole("b", 2)]),
        [called("a", "add", "{\"a\":1}"), called("b", "add", "{\"a\":2}")]
    );
    assert_eq!(
        read(&[whole("a", 1), whole("a", 2)]),
        [called("a", "add", "{\"a\":1}"), called("a", "add", "{\"a\":2}")]
    );
    // An id made up for each fragment, without a name, is none.
    let piece = calls(&json!([{ "index": 0, "id": "made-up", "function": { "arguments": ":1}" } }]));
    let begin = calls(&json!([{ "index": 0, "id": "a", "function": { "name": "add", "arguments": "{\"a\"" } }]));
    assert_eq!(read(&[begin, piece]), [called("a", "add", "{\"a\":1}")]);
}

#[test]
fn what_is_sent_once_more_is_one_call() {
    let first = json!({ "id": "t1", "function": { "name": "a", "arguments": "{\"x\":1}" } });
    let second = json!({ "id": "t2", "function": { "name": "b", "arguments": "{}" } });
    let third = json!({ "id": "t3", "function": { "name": "c", "arguments": "{}" } });
    let chunks = [calls(&json!([first])), calls(&json!([first, second])), calls(&json!([first, second, third]))];
    assert_eq!(read(&chunks), [called("t1", "a", "{\"x\":1}"), called("t2", "b", "{}"), called("t3", "c", "{}")]);
    let growing = ["{", "{\"x\":", "{\"x\":1}", "{\"x\":1}"].map(|arguments| {
        calls(&json!([{ "index": 0, "id": "t1", "function": { "name": "a", "arguments": arguments } }]))
    });
    assert_eq!(read(&growing), [called("t1", "a", "{\"x\":1}")]);
}

#[test]
fn a_placeholder_gives_way() {
    let begin = calls(&json!([{ "index": 0, "id": "a", "function": { "name": "add", "arguments": "{}" } }]));
    let piece = |text: &str| calls(&json!([{ "index": 0, "function": { "arguments": text } }]));
    assert_eq!(read(&[begin.clone(), piece("{\"a\":"), piece("1}")]), [called("a", "add", "{\"a\":1}")]);
    // Anything else after whole arguments makes them unreadable, so that the call fails and is not run with half of them.
    assert_eq!(read(&[begin, piece("orphan")]), [called("a", "add", "{}orphan")]);
}

#[test]
fn a_fragment_without_a_home_is_no_call() {
    let begin =
        calls(&json!([{ "index": 0, "id": "c1", "function": { "name": "write", "arguments": "{\"t\":\"ab" } }]));
    let lost = |index: u32, text: &str| calls(&json!([{ "index": index, "function": { "arguments": text } }]));
    let expected = [called("c1", "write", "{\"t\":\"abcd\"}")];
    assert_eq!(read(&[begin.clone(), lost(1, "cd\"}"), lost(2, "orphan")]), expected);
    assert_eq!(read(&[lost(0, "{}")]), []);
    // Of two calls that both lack something, none is taken to be meant.
    let second = calls(&json!([{ "index": 1, "id": "c2", "function": { "name": "write", "arguments": "{" } }]));
    let expected = [called("c1", "write", "{\"t\":\"ab"), called("c2", "write", "{")];
    assert_eq!(read(&[begin, second, lost(7, "}")]), expected);
}

#[test]
fn arguments_may_be_an_object_and_calls_may_have_more_keys() {
    let call = json!({ "index": 0, "id": "a", "type": "function", "extra": { "signature": "s" }, "name": null,
        "function": { "name": "add", "arguments": { "a": 1 } } });
    assert_eq!(read(&[calls(&json!([call]))]), [called("a", "add", "{\"a\":1}")]);
    let body = body("openai-chat", &[calls(&json!(call))]);
    assert_eq!(body["choices"][0]["message"]["tool_calls"][0]["extra"], json!({ "signature": "s" }));
}

#[test]
fn the_form_of_2023_is_kept() {
    let chunks = [
        delta(&json!({ "function_call": { "name": "add", "arguments": "" } })),
        delta(&json!({ "function_call": { "arguments": "{\"a\":1}" } })),
        end("function_call"),
    ];
    let body = body("openai-chat", &chunks);
    assert_eq!(body["choices"][0]["message"]["function_call"], json!({ "name": "add", "arguments": "{\"a\":1}" }));
}

#[test]
fn a_reply_that_breaks_off_says_so_and_one_that_ends_is_believed() {
    let reason = |chunks: &[Value]| body("openai-chat", chunks)["choices"][0]["finish_reason"].clone();
    let text = delta(&json!({ "content": "It is" }));
    assert_eq!(reason(std::slice::from_ref(&text)), "length");
    assert_eq!(reason(&[text.clone(), end("")]), "length");
    assert_eq!(reason(&[text.clone(), end("stop")]), "stop");
    let mut stream = super::super::tests::begun("openai-chat");
    stream.feed_bytes(format!("data: {text}\n\ndata: [DONE]\n\n").as_bytes()).unwrap();
    assert_eq!(stream.finish().unwrap()["choices"][0]["finish_reason"], Value::Null);
}

#[test]
fn content_may_come_in_parts() {
    let thought = |text: &str| json!({ "type": "thinking", "thinking": [{ "type": "text", "text": text }] });
    let chunks = [
        delta(&json!({ "role": "assistant", "content": "" })),
        delta(&json!({ "content": [thought("Hm")] })),
        delta(&json!({ "content": [thought("m.")] })),
        delta(&json!({ "content": [{ "type": "text", "text": "It is " }] })),
        delta(&json!({ "content": "noon." })),
        end("stop"),
    ];
    let content = json!([thought("Hmm."), { "type": "text", "text": "It is noon." }]);
    assert_eq!(body("openai-chat", &chunks)["choices"][0]["message"]["content"], content);
    assert_eq!(shown("openai-chat", &chunks), "It is noon.");
}

#[test]
fn of_several_choices_the_first_is_shown() {
    let choice = |index: u32, text: &str| json!({ "choices": [{ "index": index, "delta": { "content": text } }] });
    let chunks = [choice(0, "a"), choice(1, "x"), choice(0, "b"), choice(1, "y")];
    assert_eq!(shown("openai-chat", &chunks), "ab");
    assert_eq!(body("openai-chat", &chunks)["choices"][1]["message"]["content"], "xy");
}

#[test]
fn an_error_inside_is_told() {
    assert_eq!(error("openai-chat", &json!({ "error": "No capacity" })).provider_message(), Some("No capacity"));
    assert_eq!(error("openai-chat", &json!({ "detail": "Not found" })).provider_message(), Some("Not found"));
    assert_eq!(
        body("openai-chat", &[json!({ "error": null, "choices": [{ "delta": { "content": "a" } }] })])["error"],
        Value::Null
    );
}
