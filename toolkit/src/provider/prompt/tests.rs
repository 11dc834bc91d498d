use serde_json::{Value, json};

use super::text::find;

/// The calls as name and arguments, and the words beside them.
fn read(text: &str) -> (Vec<(String, String)>, String, bool) {
    let known = |name: &str| matches!(name, "add" | "now");
    match find(text, known) {
        None => (Vec::new(), text.to_owned(), false),
        Some(found) => {
            let calls = found.calls.iter().map(|call| (call.name.clone(), call.arguments.text().into_owned()));
            (calls.collect(), found.words, found.cut_off)
        }
    }
}

fn calls(text: &str) -> Vec<(String, String)> {
    read(text).0
}

fn call(name: &str, arguments: &str) -> (String, String) {
    (name.to_owned(), arguments.to_owned())
}

#[test]
fn one_call_in_every_form_is_one_call() {
    let forms = [
        r#"{"name": "add", "arguments": {"a":2,"b":40}}"#,
        r#"<tool_call>{"name": "add", "arguments": {"a":2,"b":40}}</tool_call>"#,
        "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\":2,\"b\":40}}\n</tool_call>\n",
        r#"<tool_call>{"name": "add", "arguments": {"a":2,"b":40}}"#,
        "```json\n{\"name\": \"add\", \"arguments\": {\"a\":2,\"b\":40}}\n```",
        "```\n{\"name\": \"add\", \"arguments\": {\"a\":2,\"b\":40}}",
        "<tool_call>\n```json\n{\"name\": \"add\", \"arguments\": {\"a\":2,\"b\":40}}\n```\n</tool_call>",
        r#"[{"name": "add", "arguments": {"a":2,"b":40}}]"#,
        r#"{"tool_calls": [{"name": "add", "arguments": {"a":2,"b":40}}]}"#,
        r#"{"type": "function", "function": {"name": "add", "arguments": "{\"a\":2,\"b\":40}"}}"#,
        r#"{"tool": "add", "parameters": {"a":2,"b":40}}"#,
        "{'name': 'add', 'arguments': {'a': 2, 'b': 40,},}",
    ];
    for form in forms {
        let found = calls(form);
        assert_eq!(found.len(), 1, "{form}");
        let arguments: Value = serde_json::from_str(&found[0].1).unwrap_or_else(|_| panic!("{form}: {}", found[0].1));
        assert_eq!((found[0].0.as_str(), arguments), ("add", json!({"a": 2, "b": 40})), "{form}");
    }
}

#[test]
fn several_calls_keep_their_order_and_the_text_beside_them() {
    let text = "I add first.\n<tool_call>\n{\"name\":\"add\",\"arguments\":{\"a\":1}}\n</tool_call>\nThen the time:\n\
                <tool_call>\n{\"name\":\"now\",\"arguments\":{}}\n</tool_call>";
    let (found, words, cut_off) = read(text);
    assert_eq!(found, [call("add", r#"{"a":1}"#), call("now", "{}")]);
    assert_eq!((words.as_str(), cut_off), ("I add first.\n\nThen the time:", false));
    let lines = "{\"name\":\"add\",\"arguments\":{\"a\":1}}\n{\"name\":\"now\",\"arguments\":{}}";
    assert_eq!(calls(lines), [call("add", r#"{"a":1}"#), call("now", "{}")]);
    let in_one_tag = format!("<tool_call>{lines}</tool_call>");
    assert_eq!(calls(&in_one_tag), [call("add", r#"{"a":1}"#), call("now", "{}")]);
    let unclosed = "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":1}}\n<tool_call>{\"name\":\"now\"}";
    assert_eq!(calls(unclosed), [call("add", r#"{"a":1}"#), call("now", "{}")]);
}

#[test]
fn every_digit_is_kept() {
    let text = r#"{"name": "add", "arguments": {"a": 340282366920938463463374607431768211455, "b": 1.10}}"#;
    assert_eq!(calls(text), [call("add", r#"{"a":340282366920938463463374607431768211455,"b":1.10}"#)]);
}

#[test]
fn a_text_is_no_call() {
    for text in [
        "",
        "The sum is 42.",
        "Call {\"name\": \"add\", \"arguments\": {}} to add.",
        "{\"name\": \"add\", \"arguments\": {}} is how I would call it.",
        "{\"name\": \"Bob\", \"age\": 7}",
        "{\"sum\": 42}",
        "```python\nprint({'name': 'Bob'})\n```",
        "{\"name\": \"add\", \"description\": \"Adds.\", \"parameters\": {\"type\": \"object\"}}",
        "[1, 2]",
        "{ not JSON",
        "``` {",
    ] {
        assert_eq!(calls(text), [], "{text}");
    }
}

#[test]
fn a_call_that_is_no_json_is_one_all_the_same_where_it_was_meant() {
    assert_eq!(calls("<tool_call>add(2, 40)</tool_call>"), [call("", "add(2, 40)")]);
    let cut = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\"";
    assert_eq!(read(cut), (vec![call("add", "{\"a\": 2, \"b\"")], String::new(), true));
    let bare = "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\"";
    assert_eq!(read(bare), (vec![call("add", "{\"a\": 2, \"b\"")], String::new(), true));
    let two = "<tool_call>{\"name\":\"now\"}</tool_call><tool_call>{\"name\": \"add\", \"argu";
    assert_eq!(read(two), (vec![call("now", "{}"), call("add", "{")], String::new(), true));
    assert_eq!(calls("<tool_call></tool_call>"), []);
}

#[test]
fn a_tag_inside_of_an_argument_ends_nothing() {
    let text = "<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":\"</tool_call> {\"}}</tool_call> done";
    let (found, words, _) = read(text);
    assert_eq!(found, [call("add", "{\"a\":\"</tool_call> {\"}")]);
    assert_eq!(words, "done");
}

#[test]
fn answers_that_the_model_makes_up_are_not_shown() {
    let text =
        "<tool_call>{\"name\":\"now\"}</tool_call>\n<tool_response>\n{\"result\": \"noon\"}\n</tool_response>\nNoon.";
    let (found, words, _) = read(text);
    assert_eq!((found.len(), words.as_str()), (1, ""));
}

proptest::proptest! {
    #[test]
    fn no_text_panics_or_takes_for_ever(text in "(<tool_call>|</tool_call>|```|json\n|[{}\\[\\],:\n a]|\"name\"|\"add\"|\"arguments\"|é|\\\\|\"){0,40}") {
        let (found, ..) = read(&text);
        proptest::prop_assert!(found.len() <= text.len());
    }
}
