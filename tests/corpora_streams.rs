//! Recorded streams, and recorded bodies made into streams: whole, in pieces, and broken off.

mod made;
mod plain;

use std::env;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use self::made::streamed;
use self::plain::{events, listed};
use toolkit::{Provider, ReplyStream};

/// Id, name and arguments, which are an object or, where they are none, the text.
type Called = (Option<String>, String, Value);

struct Row {
    provider: &'static str,
    response: Value,
    /// The calls in a whole body.
    calls: Vec<Called>,
}

fn rows(kind: &str) -> Vec<Row> {
    let folder = env::var("TOOLKIT_CORPORA").expect("TOOLKIT_CORPORA names the folder of the recorded replies");
    let text = fs::read_to_string(Path::new(&folder).join("replies.jsonl")).expect("the recorded replies");
    let row = |line: &str| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        let calls = row["calls"].as_array().cloned().unwrap_or_default();
        let calls = calls.iter().map(|call| called(&call["id"], &call["name"], &call["arguments"])).collect();
        (row["kind"] == kind).then(|| Row {
            provider: provider(&row["provider"]),
            response: row["response"].take(),
            calls,
        })
    };
    let rows: Vec<Row> = text.lines().filter_map(row).collect();
    assert!(!rows.is_empty(), "there are no recorded replies of kind {kind}");
    rows
}

fn stream(provider: &str) -> ReplyStream {
    provider.parse::<Provider>().unwrap().stream()
}

fn provider(name: &Value) -> &'static str {
    let all = ["openai-chat", "openai-responses", "anthropic", "gemini", "bedrock", "mistral", "cohere"];
    all.into_iter().find(|one| name == one).unwrap_or_else(|| panic!("{name} is not tested"))
}

fn called(id: &Value, name: &Value, arguments: &Value) -> Called {
    let arguments = match arguments {
        Value::String(text) if text.is_empty() => json!({}),
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| arguments.clone()),
        Value::Null => json!({}),
        other => other.clone(),
    };
    (id.as_str().map(str::to_owned), name.as_str().unwrap_or_default().to_owned(), arguments)
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The calls of a whole body.
fn calls(provider: &str, body: &Value) -> Vec<Called> {
    let tool_calls = |path: &str| -> Vec<Called> {
        let calls = list(body.pointer(path)).iter();
        calls.map(|call| called(&call["id"], &call["function"]["name"], &call["function"]["arguments"])).collect()
    };
    match provider {
        "openai-responses" => list(body.get("output"))
            .iter()
            .filter(|item| item["type"] == "function_call")
            .map(|item| called(&item["call_id"], &item["name"], &item["arguments"]))
            .collect(),
        "anthropic" => list(body.get("content"))
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .map(|block| called(&block["id"], &block["name"], &block["input"]))
            .collect(),
        "gemini" => list(body.pointer("/candidates/0/content/parts"))
            .iter()
            .filter_map(|part| part.get("functionCall"))
            .map(|call| called(&call["id"], &call["name"], call.get("args").unwrap_or(&Value::Null)))
            .collect(),
        "bedrock" => list(body.pointer("/output/message/content"))
            .iter()
            .filter_map(|block| block.get("toolUse"))
            .map(|call| called(&call["toolUseId"], &call["name"], &call["input"]))
            .collect(),
        "cohere" => tool_calls("/message/tool_calls"),
        _ => tool_calls("/choices/0/message/tool_calls"),
    }
}

/// Why the reply ended.
fn reason<'a>(provider: &str, body: &'a Value) -> &'a Value {
    let path = match provider {
        "openai-responses" => "/status",
        "anthropic" => "/stop_reason",
        "gemini" => "/candidates/0/finishReason",
        "bedrock" => "/stopReason",
        "cohere" => "/finish_reason",
        _ => "/choices/0/finish_reason",
    };
    body.pointer(path).unwrap_or(&Value::Null)
}

/// A stream's bytes in pieces.
fn read<'a>(provider: &'static str, pieces: impl IntoIterator<Item = &'a [u8]>) -> (ReplyStream, String) {
    let mut stream = stream(provider);
    let mut text = String::new();
    for piece in pieces {
        stream.feed_bytes(piece).unwrap();
        text.push_str(stream.new_text());
    }
    (stream, text)
}

/// Ends of pieces, different ones for each seed.
fn cuts(length: usize, seed: u64) -> Vec<usize> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below).unwrap()).unwrap()
    };
    let count = next(30);
    let mut cuts: Vec<usize> = (0..count).map(|_| next(length + 1)).chain([0, length]).collect();
    cuts.sort_unstable();
    cuts
}

fn in_pieces(provider: &'static str, bytes: &[u8], seed: u64) -> (Value, String) {
    let cuts = cuts(bytes.len(), seed);
    let (stream, text) = read(provider, cuts.windows(2).map(|ends| &bytes[ends[0]..ends[1]]));
    (stream.finish().unwrap(), text)
}

#[test]
fn every_recorded_stream_holds_the_calls_that_are_in_it() {
    let (mut streams, mut found) = (0, 0);
    for row in rows("stream") {
        let events = events(&row);
        let expected = listed(&row, &events);
        let mut stream = stream(row.provider);
        for event in &events {
            stream.feed(event).unwrap();
        }
        assert!(stream.is_complete(), "{}", row.provider);
        let body = stream.finish().unwrap();
        assert_eq!(calls(row.provider, &body), expected, "{}", row.provider);
        (streams, found) = (streams + 1, found + expected.len());
        if row.provider == "bedrock" {
            continue;
        }
        let bytes = row.response.as_str().unwrap().as_bytes();
        let (stream, text) = read(row.provider, [bytes]);
        assert_eq!(stream.finish().unwrap(), body, "{}", row.provider);
        assert_eq!(in_pieces(row.provider, bytes, 0), (body.clone(), text.clone()));
        let (stream, one_by_one) = read(row.provider, bytes.chunks(1));
        assert_eq!((stream.finish().unwrap(), &one_by_one), (body.clone(), &text));
        for seed in 1..50 {
            assert_eq!(in_pieces(row.provider, bytes, seed), (body.clone(), text.clone()), "{}", row.provider);
        }
    }
    println!("{streams} streams, {found} calls");
    assert!(found > 0);
}

#[test]
fn a_recorded_stream_that_breaks_off_says_so() {
    for row in rows("stream").iter().filter(|row| row.provider != "bedrock") {
        let bytes = row.response.as_str().unwrap().as_bytes();
        for end in (0..100).map(|part| bytes.len() * part / 100) {
            let (stream, _) = read(row.provider, [&bytes[..end]]);
            let complete = stream.is_complete();
            let Ok(body) = stream.finish() else { continue };
            let cut = ["length", "incomplete", "max_tokens", "MAX_TOKENS"]
                .iter()
                .any(|cut| reason(row.provider, &body) == cut);
            // The last event may lack no more than its empty line.
            let (whole, _) = read(row.provider, [bytes]);
            assert!(complete || cut || body == whole.finish().unwrap(), "{} at {end}: {body}", row.provider);
        }
    }
}

#[test]
fn every_recorded_body_is_the_same_after_it_was_a_stream() {
    let (mut bodies, mut found) = (0, 0);
    for row in rows("body") {
        assert_eq!(calls(row.provider, &row.response), row.calls, "{}: {}", row.provider, row.response);
        for size in [1, 3, 1000] {
            let mut stream = stream(row.provider);
            for event in streamed(row.provider, &row.response, size) {
                stream.feed(&event).unwrap();
            }
            assert!(stream.is_complete());
            let body = stream.finish().unwrap();
            assert_eq!(calls(row.provider, &body), row.calls, "{}: {body}", row.provider);
            assert_eq!(reason(row.provider, &body), reason(row.provider, &row.response), "{}", row.provider);
        }
        // A server may answer without streaming.
        let (stream, _) = read(row.provider, [row.response.to_string().as_bytes()]);
        assert!(stream.is_complete());
        assert_eq!(calls(row.provider, &stream.finish().unwrap()), row.calls, "{}", row.provider);
        (bodies, found) = (bodies + 1, found + row.calls.len());
    }
    println!("{bodies} bodies, {found} calls");
}
