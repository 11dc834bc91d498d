//! A model that makes every mistake, over real HTTP, in one long conversation with each provider.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use toolkit::{
    Backoff, Conversation, EndReason, ErrorClass, Executor, ExportOptions, Jitter, Outcome, Provider, Registry,
    RetryPolicy, StopReason, ToolError, tool,
};

#[allow(dead_code, reason = "the order desk's, which needs more of it")]
#[path = "../../examples/order_desk/http.rs"]
mod http;

use self::http::{Reply, listen, read_request, write_reply};
use super::client::Client;
use super::{cut, question, words};
use crate::replies::{answer_ids, calls_of, reply};

/// What was really done.
type Done = Arc<Mutex<Vec<String>>>;

/// Books a hotel.
#[tool(category = Write)]
async fn book(
    city: String,
    #[arg(range = 1..=30)] nights: u8,
    vip: bool,
    tags: Vec<String>,
    #[state] done: &Done,
) -> String {
    done.lock().unwrap().push(format!("book {city} {nights} {vip} {tags:?}"));
    format!("booked {city}")
}

/// Searches.
#[tool(category = Read)]
async fn search(query: Option<String>, limit: Option<u8>) -> String {
    format!("{query:?} {limit:?}")
}

/// Sends a mail.
#[tool(category = Communicate)]
async fn send(to: String, #[state] done: &Done) -> String {
    done.lock().unwrap().push(format!("send {to}"));
    "sent".to_owned()
}

/// Deletes a file.
#[tool(category = Dangerous)]
async fn delete(path: String, #[state] done: &Done) -> String {
    done.lock().unwrap().push(format!("delete {path}"));
    "deleted".to_owned()
}

/// Posts a letter, and nobody knows whether it arrived.
#[tool(category = Communicate)]
async fn post(to: String, #[state] done: &Done) -> Result<(), std::io::Error> {
    done.lock().unwrap().push(format!("post {to}"));
    Err(std::io::ErrorKind::ConnectionReset.into())
}

/// Looks something up that is not there.
#[tool(category = Read)]
async fn look(what: String) -> Result<String, ToolError> {
    Err(ToolError::new(ErrorClass::NotFound, format!("there is no {what}")))
}

/// Takes nothing.
#[tool(category = Read)]
async fn now() -> &'static str {
    "noon"
}

/// What the server does with one request.
enum Step {
    Fail(u16, &'static [(&'static str, &'static str)]),
    Say(Value),
}

/// Calls in a provider's shape, the arguments as whatever text the model wrote.
fn raw(provider: Provider, calls: &[(&str, &str)]) -> Value {
    let objects: Vec<_> = calls.iter().map(|(name, _)| ((*name).to_owned(), json!({}))).collect();
    let mut written = reply(provider, &objects);
    if provider == Provider::Prompt {
        let text = calls.iter().map(|(name, arguments)| {
            let name = Value::from(*name);
            // JSON stands as it is; what is none breaks the call's own JSON, as it does in life.
            format!("<tool_call>\n{{\"name\": {name}, \"arguments\": {arguments}}}\n</tool_call>")
        });
        return words(provider, &text.collect::<Vec<_>>().join("\n"));
    }
    for (place, (_, arguments)) in calls.iter().enumerate() {
        let at = match provider {
            Provider::OpenAiResponses => format!("/output/{place}/arguments"),
            Provider::Anthropic => format!("/content/{place}/input"),
            Provider::Gemini => format!("/candidates/0/content/parts/{place}/functionCall/args"),
            Provider::Bedrock => format!("/output/message/content/{place}/toolUse/input"),
            Provider::Ollama | Provider::Cohere => format!("/message/tool_calls/{place}/function/arguments"),
            _ => format!("/choices/0/message/tool_calls/{place}/function/arguments"),
        };
        *written.pointer_mut(&at).unwrap() = json!(arguments);
    }
    written
}

/// The ids of the calls, given by hand.
fn with_ids(provider: Provider, mut reply: Value, ids: &[&str]) -> Value {
    for (place, id) in ids.iter().enumerate() {
        let at = match provider {
            Provider::OpenAiResponses => format!("/output/{place}/call_id"),
            Provider::Anthropic => format!("/content/{place}/id"),
            Provider::Bedrock => format!("/output/message/content/{place}/toolUse/toolUseId"),
            Provider::Cohere => format!("/message/tool_calls/{place}/id"),
            Provider::Gemini | Provider::Ollama | Provider::Prompt => return reply,
            _ => format!("/choices/0/message/tool_calls/{place}/id"),
        };
        *reply.pointer_mut(&at).unwrap() = json!(id);
    }
    reply
}

/// Calls that are refused, each for itself.
fn refused() -> Vec<(&'static str, String)> {
    let deep = format!("{{\"query\": {}1{}}}", "[".repeat(200), "]".repeat(200));
    let mut calls = vec![
        ("get_wether", "{}".to_owned()),
        ("", "{}".to_owned()),
        ("../../etc/passwd", "{}".to_owned()),
        ("a b\n\u{0}c", "{}".to_owned()),
        ("search", deep),
    ];
    for name in ["get_weather<|channel|>", "multi_tool_use"] {
        calls.push((name, "{\"city\": \"Oslo\"}".to_owned()));
    }
    for arguments in [
        "book it, please",
        "[1, 2]",
        "\"Oslo\"",
        "5",
        "true",
        "null",
        "",
        "{}",
        r#"{"city": "Oslo"} {"city": "Rome"}"#,
        r#"{"city": "Oslo", "city": "Rome", "nights": 2, "vip": true, "tags": []}"#,
        r#"{"city": "\ud99c", "nights": 2, "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": "two", "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 2.5, "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": "1,000", "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 31, "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 1e400, "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 2, "vip": 1, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 2, "vip": "yes", "tags": []}"#,
        r#"{"city": 7, "nights": 2, "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 2, "vip": true, "tags": "a, b"}"#,
        r#"{"city": "Oslo", "nights": 2, "vip": true, "tags": {"0": "a"}}"#,
        r#"{"citty": "Oslo", "nights": 2, "vip": true, "tags": []}"#,
        r#"{"city": "Oslo", "nights": 2, "vip": true, "tags": [], "breakfast": true}"#,
        r#"{"city": "Oslo", "nights": 2, "vip": true, "tags": [], "ctx": {}, "done": []}"#,
        r#"["Oslo", 2, true, []]"#,
    ] {
        calls.push(("book", arguments.to_owned()));
    }
    calls.push(("delete", r#"{"path": "/", "#.to_owned() + r#""force": true}"#));
    calls.push(("delete", "```json\n{\"path\": \"/\"}\n```".to_owned()));
    calls
}

/// Calls that say plainly what is meant, oddly written.
const ODD: [(&str, &str); 9] = [
    ("now", "{}"),
    ("search", r#"{"query": "a", "limit": "3"}"#),
    ("search", r#""{\"query\": \"b\"}""#),
    ("search", "{'query': 'c', 'limit': 3,}"),
    ("search", r#"{"input": {"query": "d"}}"#),
    ("search", r#"{"Query": "e"}"#),
    ("search", r#"{"query": "f", "limit": null}"#),
    ("search", "{\"query\": \"g\nh\"}"),
    ("functions.search", r#"{"query": "i"}"#),
];

const RIGHT: &str = r#"{"city": "Oslo", "nights": 3, "vip": true, "tags": ["quiet"]}"#;
const ANSWER: &str = "Oslo is booked for three nights, and Ann knows.";

fn script(provider: Provider) -> Vec<Step> {
    let say = |calls: &[(&str, &str)]| Step::Say(raw(provider, calls));
    let mut steps = vec![Step::Fail(429, &[("Retry-After", "0")]), Step::Fail(529, &[])];
    let refused = refused();
    for calls in refused.chunks(7) {
        let calls: Vec<(&str, &str)> = calls.iter().map(|(name, text)| (*name, text.as_str())).collect();
        steps.push(say(&calls));
    }
    let whole = [("book", RIGHT), ("send", r#"{"to": "ann"}"#)];
    let half = &RIGHT[..12];
    steps.push(Step::Say(cut(provider, raw(provider, &whole))));
    steps.push(Step::Fail(503, &[]));
    steps.push(say(&[("send", r#"{"to": "ann"}"#), ("book", half)]));
    steps.push(say(&ODD));
    let equal = [("search", r#"{"query": "1"}"#), ("search", r#"{"query": "2"}"#), ("search", r#"{"query": "3"}"#)];
    steps.push(Step::Say(with_ids(provider, raw(provider, &equal), &["edit:22", "edit:22", "edit:22"])));
    steps.push(Step::Say(with_ids(provider, raw(provider, &equal), &["", "", "x"])));
    steps.push(Step::Say(with_ids(provider, raw(provider, &equal[..1]), &[LONG_ID])));
    if matches!(provider, Provider::OpenAiChat | Provider::OpenAiResponses) {
        let both = r#"{"tool_uses": [{"recipient_name": "functions.now", "parameters": {}},
            {"recipient_name": "functions.search", "parameters": {"query": "4"}}]}"#;
        steps.push(say(&[("multi_tool_use.parallel", both)]));
    }
    for _ in 0..5 {
        steps.push(say(&[("look", r#"{"what": "nothing"}"#)]));
    }
    steps.push(say(&[("delete", r#"{"path": "/srv/a"}"#), ("now", "{}"), ("delete", r#"{"path": "/etc"}"#)]));
    steps.push(say(&[("post", r#"{"to": "bob"}"#)]));
    steps.push(say(&[("post", r#"{"to": "bob"}"#)]));
    steps.push(say(&[("book", RIGHT)]));
    steps.push(say(&[("send", r#"{"to": "ann"}"#)]));
    steps.push(Step::Say(words(provider, ANSWER)));
    steps
}

const LONG_ID: &str = "0123456789012345678901234567890123456789012345678901234567890123456789";

/// Serves the script, and keeps what came.
async fn serve(steps: Vec<Step>) -> (std::net::SocketAddr, Arc<Mutex<Vec<Value>>>) {
    let (listener, address) = listen(([127, 0, 0, 1], 0).into()).await.unwrap();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&requests);
    tokio::spawn(async move {
        for step in steps {
            let (mut stream, _) = listener.accept().await.unwrap();
            let Ok(Some(request)) = read_request(&mut stream).await else { panic!("no request") };
            kept.lock().unwrap().push(serde_json::from_slice(&request.body).unwrap());
            let reply = match step {
                Step::Say(body) => Reply::json(200, body.to_string()),
                Step::Fail(status, headers) => headers.iter().fold(
                    Reply::json(status, json!({ "error": { "message": "not now" } }).to_string()),
                    |reply, (name, value)| reply.header(name, value),
                ),
            };
            write_reply(&mut stream, &reply).await;
        }
    });
    (address, requests)
}

/// A conversation with the adversary, to its end.
struct Played {
    /// Every request that came, and the one at the end.
    requests: Vec<Value>,
    conversation: Conversation,
    reason: EndReason,
    text: String,
    done: Vec<String>,
}

async fn play(provider: Provider) -> Played {
    let done = Done::default();
    let tools = Registry::builder().tool::<book>().tool::<search>().tool::<send>().tool::<delete>();
    let registry = tools.tool::<post>().tool::<look>().tool::<now>().build().unwrap();
    let short = || Backoff::fixed(Duration::from_millis(2)).jitter(Jitter::None);
    let policy = RetryPolicy::builder()
        .class(ErrorClass::ServiceUnavailable, short())
        .class(ErrorClass::RateLimit, short())
        .class(ErrorClass::Network, short())
        .build()
        .unwrap();
    let executor = Executor::builder(registry).state(Arc::clone(&done)).retry(policy).build().unwrap();
    let export = provider.export(executor.registry(), &ExportOptions::new()).unwrap();
    let run = executor.run("adversary").deadline(Duration::from_secs(90));
    let mut conversation = Conversation::new(run, export).max_turns(100).max_calls(1_000);
    let (address, requests) = serve(script(provider)).await;
    let model = Client { address: address.to_string(), path: "/" };
    let mut end = conversation.run(&model, question(provider)).await;
    while end.reason() == EndReason::NeedsConfirmation {
        requests.lock().unwrap().push(conversation.request().clone());
        let asked: Vec<_> =
            conversation.pending().iter().map(|call| (call.token().to_owned(), call.arguments().clone())).collect();
        for (token, arguments) in asked {
            if arguments == json!({ "path": "/srv/a" }) {
                conversation.approve(&token).unwrap();
            } else {
                conversation.refuse(&token, "no").unwrap();
            }
        }
        end = conversation.resume(&model).await;
    }
    let mut requests = requests.lock().unwrap().clone();
    requests.push(conversation.request().clone());
    let done = done.lock().unwrap().clone();
    Played { requests, reason: end.reason(), text: end.text().to_owned(), done, conversation }
}

#[tokio::test]
async fn every_mistake_is_answered_and_every_effect_happens_once() {
    for provider in super::talking() {
        let Played { requests, conversation, reason, text, done } = play(provider).await;
        let log = conversation.timeline();
        assert_eq!((reason, text.as_str()), (EndReason::Answered, ANSWER), "{provider}\n{log}");
        let right = ["delete /srv/a", "post bob", "book Oslo 3 true [\"quiet\"]", "send ann"];
        assert_eq!(done, right, "{provider}\n{log}");
        for request in &requests {
            super::check(provider, request);
        }
        if let Some(folder) = std::env::var_os("TOOLKIT_SAMPLES") {
            write_samples(provider, &requests, folder.as_ref());
        }
        for result in conversation.results() {
            if !result.is_success() {
                let told: Value = serde_json::from_str(result.text()).unwrap();
                assert_eq!(told["outcome"], result.outcome().as_str(), "{provider}: {}", result.text());
                assert!(result.text().chars().count() <= 2_000, "{provider}");
            }
        }
        let repaired = conversation.results().iter().filter(|result| !result.repairs().is_empty()).count();
        // What stands in words has been read as tolerantly once already.
        assert!(repaired >= if provider == Provider::Prompt { 4 } else { 7 }, "{provider}: {repaired} repaired\n{log}");
        let repeated = |result: &&toolkit::ToolResult| result.stop() == Some(StopReason::Repeated);
        assert_eq!(conversation.results().iter().filter(repeated).count(), 2, "{provider}\n{log}");
        let doubtful = conversation.results().iter().filter(|result| result.outcome() == Outcome::Unknown).count();
        assert_eq!(doubtful, 1, "{provider}\n{log}");
    }
}

/// Writes every call and every answer that any of the requests held, for `oracles/run.sh` to check.
fn write_samples(provider: Provider, requests: &[Value], folder: &Path) {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    for message in requests.iter().flat_map(|request| super::history(provider, request)) {
        let made = calls_of(provider, message.clone());
        let is_answer =
            made.is_empty() && answer_ids(provider, std::slice::from_ref(&message)).iter().any(|id| !id.is_empty());
        if is_answer && !results.contains(&message) {
            results.push(message);
        }
        for call in made {
            if !calls.contains(&call) {
                calls.push(call);
            }
        }
    }
    let checker = match provider {
        // No API checks what stands in words.
        Provider::Prompt => return,
        Provider::Xai | Provider::DeepSeek => "openai-chat",
        other => other.as_str(),
    };
    assert!(calls.len() > 50 && !results.is_empty(), "{provider}: {} calls", calls.len());
    for (kind, found) in [("calls", calls), ("results", results)] {
        let file = folder.join(format!("{checker}.{provider}-talk.{kind}.json"));
        std::fs::write(file, Value::from(found).to_string()).unwrap();
    }
}
