//! The Chat Completions dialect, from the request's tools to the answers in the history.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolkit::__private::Definition;
use toolkit::{
    Executor, Export, ExportOptions, Outcome, Provider, Registry, Run, StopReason, Tool, ToolCall, ToolChoice, tool,
};

use crate::every_type;

/// Adds two numbers.
#[tool(category = Compute)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says what time it is.
#[tool(category = Read)]
async fn now() -> &'static str {
    "noon"
}

/// Reads a file.
#[tool(category = Read)]
async fn read_file(path: String) -> String {
    format!("the text of {path}")
}

/// A tool with a name that came from elsewhere.
struct Dotted;

impl Tool for Dotted {
    const DEFINITION: &'static Definition = &Definition { name: "read.file", ..*<read_file as Tool>::DEFINITION };
}

fn tools() -> (Export, Run) {
    let registry = Registry::builder().tool::<add>().tool::<now>().tool::<Dotted>().build().unwrap();
    let export = Provider::OpenAiChat.export(&registry, &ExportOptions::new()).unwrap();
    (export, Executor::builder(registry).build().unwrap().run("test"))
}

fn reply(calls: &Value) -> Value {
    let message = json!({ "role": "assistant", "content": null, "tool_calls": calls });
    json!({ "id": "chatcmpl-1", "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
}

fn texts<'a>(messages: &'a [Value], key: &str) -> Vec<&'a str> {
    messages.iter().map(|message| message[key].as_str().unwrap()).collect()
}

fn turn_ids(turn: &Value) -> Vec<&str> {
    turn["tool_calls"].as_array().map_or_else(Vec::new, |calls| texts(calls, "id"))
}

#[test]
fn a_tool_stands_in_its_envelope() {
    let registry = Registry::builder().tool::<add>().build().unwrap();
    let parameters = json!({
        "type": "object",
        "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } },
        "required": ["a", "b"],
        "additionalProperties": false
    });
    let function =
        json!({ "name": "add", "description": "Adds two numbers.", "parameters": parameters, "strict": false });
    let expected = json!([{ "type": "function", "function": function }]);
    assert_eq!(Provider::OpenAiChat.tools(&registry).unwrap(), expected);
}

#[test]
fn every_argument_of_every_tool_is_exported() {
    let registry = every_type::registry();
    let export = Provider::OpenAiChat.export(&registry, &ExportOptions::new()).unwrap();
    let keys = |schema: &Value| -> Vec<String> { schema["properties"].as_object().unwrap().keys().cloned().collect() };
    for (spec, tool) in registry.iter().zip(export.tools().as_array().unwrap()) {
        let parameters = &tool["function"]["parameters"];
        assert_eq!(tool["function"]["name"], spec.name());
        assert_eq!(keys(parameters), keys(spec.input_schema()), "{}", spec.name());
        assert_eq!(parameters["required"], spec.input_schema()["required"], "{}", spec.name());
    }
    assert!(export.report().renamed().is_empty() && export.report().warnings().is_empty());
    assert_eq!(export.tools_text(), Provider::OpenAiChat.tools(&registry).unwrap().to_string());
}

#[test]
fn a_choice_is_said_in_the_provider_s_words() {
    let (export, _) = tools();
    assert_eq!(export.tool_choice(ToolChoice::Auto), "auto");
    assert_eq!(export.tool_choice(ToolChoice::None), "none");
    assert_eq!(export.tool_choice(ToolChoice::Required), "required");
    let one = json!({ "type": "function", "function": { "name": "read_file" } });
    assert_eq!(export.tool_choice(ToolChoice::Tool("read.file")), one);
}

#[tokio::test]
async fn a_turn_is_answered_call_by_call() {
    let (export, run) = tools();
    let calls = json!([
        { "id": "c1", "type": "function", "function": { "name": "add", "arguments": "{\"a\": 1, \"b\": 2}" } },
        { "id": "c2", "type": "function", "function": { "name": "now", "arguments": "" } },
        { "id": "c3", "type": "function", "function": { "name": "read_file", "arguments": "{\"path\": \"a.txt\"}" } }
    ]);
    let messages = run.answer(&export, &reply(&calls)).await.unwrap().unwrap();
    assert_eq!(turn_ids(&messages[0]), ["c1", "c2", "c3"]);
    assert_eq!(messages[0]["tool_calls"][1]["function"]["arguments"], "{}");
    assert_eq!(messages[0]["tool_calls"][2]["function"]["name"], "read_file");
    assert_eq!(texts(&messages[1..], "role"), ["tool", "tool", "tool"]);
    assert_eq!(texts(&messages[1..], "tool_call_id"), ["c1", "c2", "c3"]);
    assert_eq!(texts(&messages[1..], "content"), ["3", "noon", "the text of a.txt"]);
}

#[tokio::test]
async fn a_reply_in_words_needs_no_answer() {
    let (export, run) = tools();
    for calls in [json!(null), json!([])] {
        assert_eq!(run.answer(&export, &reply(&calls)).await.unwrap(), None);
    }
    let words = json!({ "choices": [{ "message": { "content": "Hello." }, "finish_reason": "stop" }] });
    assert_eq!(run.answer(&export, &words).await.unwrap(), None);
    assert_eq!(export.assistant_turn(&words), json!({ "role": "assistant", "content": "Hello." }));
    let refused = json!({ "error": { "message": "Rate limit reached", "type": "requests" } });
    let error = run.answer(&export, &refused).await.unwrap_err();
    assert_eq!(error.provider_message(), Some("Rate limit reached"));
}

#[tokio::test]
async fn arguments_mean_the_same_in_every_form() {
    let (export, run) = tools();
    let sum = |arguments: Value| json!({ "id": "c", "function": { "name": "add", "arguments": arguments } });
    let given = json!({ "a": 1, "b": 2 });
    for form in [given.clone(), json!(given.to_string()), json!(json!(given.to_string()).to_string())] {
        let messages = run.answer(&export, &reply(&json!([sum(form)]))).await.unwrap().unwrap();
        assert_eq!(messages[1]["content"], "3");
        let back = messages[0]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(back).unwrap(), given);
    }
    let time = |function: Value| json!({ "id": "c", "function": function });
    let nothing = [json!({ "name": "now" }), json!({ "name": "now", "arguments": null })];
    for call in nothing.into_iter().chain([json!({ "name": "now", "arguments": "" })]) {
        let messages = run.answer(&export, &reply(&json!([time(call)]))).await.unwrap().unwrap();
        assert_eq!(messages[1]["content"], "noon");
        assert_eq!(messages[0]["tool_calls"][0]["function"]["arguments"], "{}");
    }
}

#[tokio::test]
async fn calls_that_share_an_id_all_run() {
    let (export, run) = tools();
    let call = |b: i64| json!({ "id": "edit:22", "function": { "name": "add", "arguments": { "a": 1, "b": b } } });
    let messages = run.answer(&export, &reply(&json!([call(1), call(2), call(1)]))).await.unwrap().unwrap();
    let ids = ["edit:22", "edit:22_1", "edit:22_2"];
    assert_eq!(turn_ids(&messages[0]), ids);
    assert_eq!(texts(&messages[1..], "tool_call_id"), ids);
    assert_eq!(texts(&messages[1..], "content"), ["2", "3", "2"]);
}

#[tokio::test]
async fn invented_names_are_answered_and_go_back_as_names_that_are_taken() {
    let (export, run) = tools();
    let long = "x".repeat(300);
    let invented = ["functions.sub", "sub<|channel|>commentary", "SUM", "", "../../etc/passwd", "a b\n\0c", &long];
    let calls: Vec<Value> =
        invented.iter().map(|name| json!({ "id": "", "function": { "name": name, "arguments": "{}" } })).collect();
    let response = reply(&json!(calls));
    let results = run.call_all(export.parse_calls(&response).unwrap()).await;
    let turn = export.assistant_turn(&response);
    let sent = turn["tool_calls"].as_array().unwrap();
    for (at, ((result, name), sent)) in results.iter().zip(invented).zip(sent).enumerate() {
        assert_eq!(result.name(), name);
        assert_eq!(result.stop(), Some(StopReason::UnknownTool));
        // A run tells the names of its tools three times.
        assert_eq!(result.text().contains("`add`"), at < 3, "{}", result.text());
        let sent = sent["function"]["name"].as_str().unwrap();
        let is_taken = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!((1..=64).contains(&sent.len()) && sent.chars().all(is_taken), "{sent}");
        assert!(!["add", "now", "read_file"].contains(&sent), "{sent}");
    }
}

#[tokio::test]
async fn nothing_of_a_reply_that_broke_off_is_run() {
    let (export, run) = tools();
    let calls = json!([
        { "id": "c1", "function": { "name": "now", "arguments": "{}" } },
        { "id": "c2", "function": { "name": "add", "arguments": "{\"a\": 1, \"b\": 2" } }
    ]);
    let mut response = reply(&calls);
    response["choices"][0]["finish_reason"] = json!("length");
    let results = run.call_all(export.parse_calls(&response).unwrap()).await;
    assert!(results.iter().all(|result| result.outcome() == Outcome::NotExecuted && result.attempts().is_empty()));
    let back = &export.assistant_turn(&response)["tool_calls"][1]["function"]["arguments"];
    assert_eq!(back, r#"{"invalid":"{\"a\": 1, \"b\": 2"}"#);

    // A server that says something else is not believed: the text itself is cut off.
    response["choices"][0]["finish_reason"] = json!("tool_calls");
    let results = run.call_all(export.parse_calls(&response).unwrap()).await;
    assert!(results[0].is_success());
    assert_eq!(results[1].stop(), Some(StopReason::InvalidArguments));
    assert!(results[1].text().contains("cut off"), "{}", results[1].text());
}

#[tokio::test]
async fn calls_in_one_call_are_answered_one_by_one() {
    let (export, run) = tools();
    let uses = json!({ "tool_uses": [
        { "recipient_name": "functions.now", "parameters": {} },
        { "recipient_name": "functions.add", "parameters": { "a": 1, "b": 2 } }
    ] });
    let call = json!({ "id": "c", "function": { "name": "multi_tool_use.parallel", "arguments": uses.to_string() } });
    let messages = run.answer(&export, &reply(&json!([call]))).await.unwrap().unwrap();
    assert_eq!(turn_ids(&messages[0]), ["c", "c_1"]);
    assert_eq!(messages[0]["tool_calls"][1]["function"]["name"], "add");
    assert_eq!(texts(&messages[1..], "tool_call_id"), ["c", "c_1"]);
    assert_eq!(texts(&messages[1..], "content"), ["noon", "3"]);
}

/// Any JSON, with the keys of a reply among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let key = prop_oneof![
        Just("choices"),
        Just("message"),
        Just("tool_calls"),
        Just("function"),
        Just("function_call"),
        Just("name"),
        Just("arguments"),
        Just("id"),
        Just("error"),
        Just("finish_reason"),
        Just("content"),
        Just("tool_uses"),
    ];
    let text = prop_oneof![
        Just("parallel".to_owned()),
        Just("add".to_owned()),
        Just("length".to_owned()),
        Just("{\"a\":1}".to_owned()),
        Just("{\"tool_uses\":[null,{}]}".to_owned()),
        ".{0,8}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 48, 4, move |inner| {
        let object = vec((key.clone(), inner.clone()), 0..4).prop_map(|entries| {
            entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
        });
        prop_oneof![vec(inner, 0..4).prop_map(Value::from), object]
    })
}

/// Any call, readable or not.
fn any_call() -> impl Strategy<Value = Value> {
    let id = option::of(prop_oneof!["call_[0-3]", "c(_[12])?", Just(String::new()), Just(" ".to_owned())]);
    let name = option::of(prop_oneof![Just("add".to_owned()), Just("read.file".to_owned()), ".{0,8}"]);
    let whole = (id, name, any_json()).prop_map(|(id, name, arguments)| {
        let mut function = json!({ "arguments": arguments });
        if let Some(name) = name {
            function["name"] = name.into();
        }
        match id {
            Some(id) => json!({ "id": id, "type": "function", "function": function }),
            None => json!({ "function": function }),
        }
    });
    prop_oneof![4 => whole, 1 => any_json()]
}

/// Whether this is the history that the API takes: a turn whose calls each have an id, a name and an object.
fn check_turn(turn: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(&turn["role"], "assistant");
    let calls = turn["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
    prop_assert_eq!(turn.get("tool_calls").is_some(), !calls.is_empty());
    prop_assert!(!calls.is_empty() || !turn["content"].is_null());
    for call in calls {
        prop_assert_eq!(&call["type"], "function");
        prop_assert!(call["function"]["name"].as_str().is_some_and(|name| !name.is_empty()));
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        prop_assert!(serde_json::from_str::<Map<String, Value>>(arguments).is_ok(), "{}", arguments);
    }
    Ok(())
}

proptest! {
    #[test]
    fn each_call_gets_its_answer_under_its_id(calls in vec(any_call(), 0..6)) {
        let (export, run) = tools();
        let response = reply(&json!(calls));
        let parsed = export.parse_calls(&response).unwrap();
        prop_assert!(parsed.len() >= calls.len());
        let ids: Vec<String> = parsed.iter().map(|call| call.call_id().to_owned()).collect();
        prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        let turn = export.assistant_turn(&response);
        check_turn(&turn)?;
        prop_assert_eq!(turn_ids(&turn), ids.clone());
        let results = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
            .block_on(run.call_all(parsed));
        let answers = export.render_results(&results);
        prop_assert_eq!(texts(&answers, "tool_call_id"), ids);
        prop_assert!(texts(&answers, "content").iter().all(|content| !content.trim().is_empty()));
    }

    #[test]
    fn any_json_is_a_reply_or_an_error(body in any_json(), calls in any_json()) {
        let (export, _) = tools();
        for body in [body, reply(&calls)] {
            let parsed: Vec<ToolCall> = export.parse_calls(&body).unwrap_or_default();
            let turn = export.assistant_turn(&body);
            check_turn(&turn)?;
            prop_assert_eq!(turn_ids(&turn).len(), parsed.len());
        }
    }
}
