use serde_json::json;

use super::*;
use crate::provider::Provider;

fn frames(bytes: &[u8]) -> Result<Vec<Frame>, String> {
    let mut reader = Frames::default();
    let mut frames = Vec::new();
    reader.push(bytes, &mut frames).map_err(|problem| problem.into_error(Provider::OpenAiChat).to_string())?;
    frames.extend(reader.end());
    Ok(frames)
}

fn events(bytes: &str) -> Vec<Value> {
    let event = |frame| match frame {
        Frame::Event(event) => event,
        other => panic!("{other:?}"),
    };
    frames(bytes.as_bytes()).unwrap().into_iter().map(event).collect()
}

#[test]
fn an_event_ends_with_an_empty_line() {
    let both = [json!({ "a": 1 }), json!({ "b": 2 })];
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("event: x{end}data: {{\"a\":1}}{end}{end}id: 7{end}data:{{\"b\":2}}{end}retry: 5{end}{end}");
        assert_eq!(events(&text), both, "{end:?}");
    }
    assert_eq!(events("data: {\"a\":\ndata: 1}\n\ndata: {\"b\":2}\n\n"), both);
}

#[test]
fn what_is_no_data_is_passed_over() {
    assert_eq!(events(": keep alive\n\n:\n\ndata\n\ndata:\n\nnonsense: {}\n\ndata: {}\n\n"), [json!({})]);
    assert_eq!(events("\u{feff}data: {}\n\n"), [json!({})]);
    assert_eq!(events("\n\ndata: {}\n\n"), [json!({})]);
    assert_eq!(events("data: {\"text\": \"\u{feff}\"}\n\n"), [json!({ "text": "\u{feff}" })]);
}

#[test]
fn events_without_an_empty_line_between_them_are_told_apart() {
    assert_eq!(
        events("data: {\"a\":1}\ndata: {\"b\":2}\ndata: {\"c\":3}"),
        [json!({"a": 1}), json!({"b": 2}), json!({"c": 3})]
    );
    let text = b"event: a\ndata: {}\nevent: error\ndata: {\"error\":{\"message\":\"no\"}}\ndata: [DONE]\n";
    assert_eq!(frames(text).unwrap(), [Frame::Event(json!({})), Frame::Failed("no".to_owned()), Frame::Done]);
}

#[test]
fn the_last_event_needs_no_end_but_must_be_whole() {
    assert_eq!(events("data: {\"a\":1}"), [json!({ "a": 1 })]);
    assert_eq!(events("data: {\"a\":"), Vec::<Value>::new());
    assert_eq!(events("{\"a\":1}{\"b\":"), [json!({ "a": 1 })]);
    assert_eq!(frames(b"data: [DONE]").unwrap(), [Frame::Done]);
}

#[test]
fn json_values_follow_each_other_in_lines_or_in_an_array() {
    let both = [json!({ "a": "}\\\"{" }), json!({ "b": [[1], {}] })];
    for text in [
        format!("{}\n{}\n", both[0], both[1]),
        format!("{}{}", both[0], both[1]),
        format!("[{}\n,\r\n{}\n]\n", both[0], both[1]),
        serde_json::to_string_pretty(&both).unwrap(),
    ] {
        assert_eq!(events(&text), both, "{text}");
    }
}

#[test]
fn what_is_no_json_is_an_error() {
    assert!(frames(b"data: pong\n\n").unwrap_err().contains("an event is not JSON"));
    assert!(frames(b"{\"a\":1} and more").unwrap_err().contains("something else between its JSON values"));
    assert!(frames(b"{\"a\":}").unwrap_err().contains("an event is not JSON"));
    assert!(frames(b"\0\0\0\x83\0\0\0R").unwrap_err().contains("it is a binary stream"));
}

#[test]
fn a_character_that_is_none_does_not_cost_the_event() {
    assert_eq!(frames(b"data: {\"a\":\"\xff\"}\n\n").unwrap(), [Frame::Event(json!({ "a": "\u{fffd}" }))]);
    assert_eq!(frames(b"{\"a\":\"\xff\"}").unwrap(), [Frame::Event(json!({ "a": "\u{fffd}" }))]);
}

#[test]
fn an_event_without_end_is_not_kept_for_ever() {
    let long = vec![b'x'; LONGEST / 2 + 1];
    for head in [&b"data: "[..], b"{\"a\": \""] {
        let mut reader = Frames::default();
        let mut feed = |bytes: &[u8]| reader.push(bytes, &mut Vec::new()).is_ok();
        assert!(feed(head) && feed(&long), "{head:?}");
        assert!(!feed(&long), "{head:?}");
    }
}
