//! What holds for every format; the formats' own tests stand beside them.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use super::*;

pub(super) const PROVIDERS: [&str; 8] =
    ["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "cohere", "ollama", "mcp"];

pub(super) fn begun(provider: &str) -> ReplyStream {
    provider.parse::<Provider>().unwrap().stream()
}

/// The body that events make.
pub(super) fn body(provider: &'static str, events: &[Value]) -> Value {
    let mut stream = begun(provider);
    for event in events {
        stream.feed(event).unwrap();
    }
    stream.finish().unwrap()
}

/// All the text that events show.
pub(super) fn shown(provider: &'static str, events: &[Value]) -> String {
    let mut stream = begun(provider);
    let text = |event: &Value| {
        stream.feed(event).unwrap();
        stream.new_text().to_owned()
    };
    events.iter().map(text).collect()
}

/// Whether a stream that stops after each of these events is at its end.
pub(super) fn ends(provider: &'static str, events: &[Value]) -> Vec<bool> {
    let mut stream = begun(provider);
    let complete = |event: &Value| {
        stream.feed(event).unwrap();
        stream.is_complete()
    };
    events.iter().map(complete).collect()
}

pub(super) fn error(provider: &'static str, event: &Value) -> ParseError {
    begun(provider).feed(event).unwrap_err()
}

/// A short stream of each format, with a call and a text that is not ASCII.
fn samples() -> Vec<(&'static str, String)> {
    let lines =
        |events: &[Value]| -> String { events.iter().flat_map(|event| [event.to_string(), "\n".into()]).collect() };
    let sse = |events: &[Value]| -> String {
        let event =
            |event: &Value| format!("event: {}\r\ndata: {event}\r\n\r\n", text_of(event.as_object().unwrap(), "type"));
        events.iter().map(event).collect()
    };
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let call = |fields: Value| delta(json!({ "tool_calls": [fields] }));
    let chat = [
        delta(json!({ "role": "assistant", "content": "Grüße 👋" })),
        call(json!({ "index": 0, "id": "c1", "type": "function", "function": { "name": "add", "arguments": "" } })),
        call(json!({ "index": 0, "function": { "arguments": "{\"größe\":" } })),
        call(json!({ "index": 0, "function": { "arguments": "1}" } })),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }),
    ];
    let gemini = [
        json!({ "candidates": [{ "content": { "role": "model", "parts": [{ "text": "Grüße" }] } }] }),
        json!({ "candidates": [{ "content": { "parts": [{ "text": " 👋" }] } }] }),
        json!({ "candidates": [{ "content": { "parts": [{ "functionCall": { "name": "add", "args": { "größe": 1 } } }] },
            "finishReason": "STOP" }] }),
    ];
    let ollama = [
        json!({ "message": { "role": "assistant", "content": "Grüße " }, "done": false }),
        json!({ "message": { "content": "👋", "tool_calls": [{ "function": { "name": "add", "arguments": {} } }] } }),
        json!({ "message": { "content": "" }, "done": true, "done_reason": "stop" }),
    ];
    vec![
        ("openai-chat", format!("\u{feff}: comment\n\n{}data: [DONE]\n\n", sse(&chat))),
        ("openai-chat", sse(&chat).replace("\r\n", "\r")),
        ("openai-responses", sse(&responses::tests::events())),
        ("anthropic", sse(&anthropic::tests::events())),
        ("gemini", sse(&gemini)),
        ("gemini", serde_json::to_string_pretty(&gemini).unwrap()),
        ("bedrock", lines(&bedrock::tests::events())),
        ("cohere", sse(&cohere::tests::events())),
        ("ollama", lines(&ollama)),
    ]
}

/// The body and the text of bytes that come in pieces.
fn read<'a>(provider: &'static str, pieces: impl IntoIterator<Item = &'a [u8]>) -> (Value, String) {
    let mut stream = begun(provider);
    let mut text = String::new();
    for piece in pieces {
        stream.feed_bytes(piece).unwrap();
        text.push_str(stream.new_text());
    }
    assert!(stream.is_complete(), "{provider}");
    (stream.finish().unwrap(), text)
}

#[test]
fn one_byte_at_a_time_is_the_same_as_all_at_once() {
    for (provider, bytes) in samples() {
        let whole = read(provider, [bytes.as_bytes()]);
        assert_eq!(whole.1, "Grüße 👋", "{provider}");
        assert_eq!(read(provider, bytes.as_bytes().chunks(1)), whole, "{provider}");
    }
}

#[test]
fn a_stream_that_stops_anywhere_has_no_call_that_could_run() {
    let marks = ["length", "incomplete", "max_tokens", "MAX_TOKENS"];
    for (provider, bytes) in samples() {
        for end in 0..bytes.len() {
            let mut stream = begun(provider);
            stream.feed_bytes(&bytes.as_bytes()[..end]).unwrap();
            let complete = stream.is_complete();
            let Ok(body) = stream.finish() else { continue };
            // What was cut off may be no more than an empty line.
            let whole = read(provider, [bytes.as_bytes()]).0;
            let marked = ["/choices/0/finish_reason", "/status", "/stop_reason", "/candidates/0/finishReason"]
                .iter()
                .chain(&["/stopReason", "/finish_reason", "/done_reason"])
                .any(|path| body.pointer(path).is_some_and(|reason| marks.iter().any(|mark| reason == *mark)));
            assert!(complete || marked || body == whole, "{provider}, cut at {end}: {body}");
        }
    }
}

#[test]
fn nothing_at_all_is_no_reply() {
    for provider in PROVIDERS {
        for bytes in ["", "\n\n", ": hello\n\n", "<html>Bad gateway</html>", "data: [DONE]\n\n"] {
            let mut stream = begun(provider);
            stream.feed_bytes(bytes.as_bytes()).unwrap();
            let error = stream.finish().unwrap_err();
            assert!(error.to_string().ends_with("the stream ended before a reply began"), "{provider}: {error}");
        }
    }
}

#[test]
fn an_error_ends_the_stream_and_is_told_again() {
    for provider in PROVIDERS {
        let failed = json!({ "error": { "message": "Overloaded", "type": "overloaded_error" } });
        let mut stream = begun(provider);
        let error = stream.feed(&failed).unwrap_err();
        assert_eq!(error.provider_message(), Some("Overloaded"));
        assert_eq!(stream.feed(&json!({})).unwrap_err(), error);
        assert_eq!(stream.feed_bytes(b"data: {}\n\n").unwrap_err(), error);
        assert_eq!(stream.finish().unwrap_err(), error);
    }
    let mut stream = begun("anthropic");
    let error = stream.feed_bytes(b"event: error\ndata: upstream went away\n\n").unwrap_err();
    assert_eq!(error.provider_message(), Some("upstream went away"));
}

#[test]
fn a_server_that_does_not_stream_is_read_too() {
    let text = json!([{ "type": "text", "text": "Yes." }]);
    let output = json!([{ "type": "message", "content": [{ "type": "output_text", "text": "Yes." }] }]);
    let bodies = [
        (
            "openai-chat",
            json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": "Yes." },
            "finish_reason": "stop" }], "object": "chat.completion" }),
        ),
        ("openai-responses", json!({ "object": "response", "status": "completed", "error": null, "output": output })),
        ("anthropic", json!({ "type": "message", "role": "assistant", "content": text, "stop_reason": "end_turn" })),
        (
            "gemini",
            json!({ "candidates": [{ "content": { "parts": [{ "text": "Yes." }], "role": "model" },
            "finishReason": "STOP", "index": 0 }] }),
        ),
        ("bedrock", json!({ "output": { "message": { "content": [{ "text": "Yes." }] } }, "stopReason": "end_turn" })),
        ("cohere", json!({ "message": { "role": "assistant", "content": text }, "finish_reason": "COMPLETE" })),
        ("ollama", json!({ "message": { "role": "assistant", "content": "Yes." }, "done": true })),
    ];
    for (provider, whole) in bodies {
        let pretty = serde_json::to_string_pretty(&whole).unwrap();
        assert_eq!(read(provider, pretty.as_bytes().chunks(7)), (whole, "Yes.".to_owned()), "{provider}");
    }
}

#[test]
fn finished_calls_come_once_and_with_the_ids_of_the_whole() {
    let registry = crate::Registry::builder().build().unwrap();
    let export = Provider::OpenAiChat.export(&registry, &crate::ExportOptions::new()).unwrap();
    let call = |index: u32, id: &str| {
        let function = json!({ "name": "now", "arguments": "{}" });
        json!({ "choices": [{ "delta": { "tool_calls": [{ "index": index, "id": id, "function": function }] } }] })
    };
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] });
    let taken = |events: &[Value]| -> Vec<Vec<String>> {
        let mut stream = Provider::OpenAiChat.stream();
        let mut take = |event: &Value| {
            stream.feed(event).unwrap();
            stream.finished_calls(&export).iter().map(|call| call.call_id().to_owned()).collect()
        };
        events.iter().map(&mut take).collect()
    };
    let none = Vec::<String>::new();
    assert_eq!(
        taken(&[call(1, "b"), call(0, "a"), end.clone(), end.clone()]),
        [none.clone(), none.clone(), vec!["a".to_owned(), "b".to_owned()], none.clone()]
    );
    // What comes after an id that the whole body may still change waits for it.
    assert_eq!(taken(&[call(0, "a"), call(1, "a"), call(2, "b"), end.clone()]).last().unwrap(), &["a"]);
    assert_eq!(taken(&[call(0, ""), call(1, "b"), end]).last().unwrap(), &none);
}

/// Keys and values that the formats look for.
const WORDS: &str = "
    type index delta message choices tool_calls function name arguments id content text content_block
    partial_json output_index item output response candidates parts functionCall partialArgs jsonPath
    willContinue stringValue args contentBlockDelta toolUse contentBlockIndex contentBlockStart start input
    tool_plan done finish_reason usage content_block_start content_block_delta input_json_delta text_delta
    message_start thinking_delta response.output_item.added response.output_item.done response.output_text.delta
    content_index response.function_call_arguments.delta tool-call-start tool-call-delta content-delta thinking
    $.a[0] $.a.b $['a'][1] $ $. {} { } stop summary_index promptFeedback
";

const OUTERMOST: &str = "
    type index choices candidates delta message content_block item contentBlockDelta contentBlockStart output_index
    response done
";

/// Events with the right words in places where they do not belong.
fn any_event() -> impl Strategy<Value = Value> {
    let word = proptest::sample::select(WORDS.split_whitespace().chain([""]).collect::<Vec<_>>());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0u64..3).prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((word.clone(), inner), 0..4).prop_map(|fields| {
                Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
            }),
        ]
    });
    let outermost = proptest::sample::select(OUTERMOST.split_whitespace().collect::<Vec<_>>());
    vec((outermost, value), 1..5)
        .prop_map(|fields| Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
}

proptest! {
    #[test]
    fn pieces_cut_anywhere_are_the_same_as_the_whole(
        (sample, cuts) in (0..samples().len()).prop_flat_map(|sample| {
            let length = samples()[sample].1.len();
            (Just(sample), vec(0..=length, 0..12))
        })
    ) {
        let (provider, bytes) = samples().swap_remove(sample);
        let bytes = bytes.as_bytes();
        let mut cuts = cuts;
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]);
        prop_assert_eq!(read(provider, pieces), read(provider, [bytes]));
    }

    #[test]
    fn no_bytes_make_it_panic(
        provider in proptest::sample::select(&PROVIDERS[..]),
        head in proptest::sample::select(vec!["", "data: ", "{", "[", "\u{feff}", "event: error\ndata:"]),
        bytes in vec(any::<u8>(), 0..60),
        size in 1usize..8,
    ) {
        let mut stream = begun(provider);
        let all = [head.as_bytes(), &bytes].concat();
        for piece in all.chunks(size) {
            let _ = stream.feed_bytes(piece);
        }
        let _ = stream.finish();
    }

    #[test]
    fn no_events_make_it_panic(
        provider in proptest::sample::select(&PROVIDERS[..]),
        events in vec(any_event(), 0..8),
    ) {
        let mut stream = begun(provider);
        for event in &events {
            let _ = stream.feed(event);
            let _ = (stream.assembly.finished(), stream.assembly.finished_calls().map(|finished| finished.ids.len()));
        }
        let _ = stream.finish();
    }
}
