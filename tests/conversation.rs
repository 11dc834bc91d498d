//! Whole conversations: what ends them, and that the request is good at every moment.

mod adversary;
mod client;
mod cut_off;
mod ends;
mod histories;
mod interrupted;
mod models;
mod odd;
mod pauses;
mod prompt;
#[cfg(feature = "small-model")]
mod real_model;
mod stored;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use toolkit::{Classify, Conversation, Executor, ExecutorBuilder, ExportOptions, Provider, Registry, ToolError, tool};

use crate::replies::{answer_ids, body, call_ids, reply};

/// What the tools did, with the key of each call.
type Done = Arc<Mutex<Vec<(String, String)>>>;

/// Adds two numbers.
#[tool(category = Compute)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Sends a mail.
#[tool(category = Communicate)]
async fn send(to: String, #[state] done: &Done, context: &toolkit::ToolContext) -> String {
    done.lock().unwrap().push((format!("send {to}"), context.idempotency_key().to_owned()));
    "sent".to_owned()
}

/// Deletes a file.
#[tool(category = Dangerous)]
async fn delete(path: String, #[state] done: &Done, context: &toolkit::ToolContext) -> String {
    done.lock().unwrap().push((format!("delete {path}"), context.idempotency_key().to_owned()));
    format!("deleted {path}")
}

#[derive(Debug, thiserror::Error, Classify)]
enum Fault {
    #[error("it is broken")]
    #[class(conflict)]
    Broken,
    #[error("the line went dead")]
    #[class(network)]
    Dead,
}

/// Fails.
#[tool(category = Read)]
async fn fail() -> Result<(), Fault> {
    Err(Fault::Broken)
}

/// Posts a letter, and nobody knows whether it arrived.
#[tool(category = Communicate)]
async fn post(#[state] done: &Done) -> Result<(), Fault> {
    done.lock().unwrap().push(("post".to_owned(), String::new()));
    Err(Fault::Dead)
}

/// Waits for ever.
#[tool(category = Write, timeout = "10m")]
async fn hang(#[state] done: &Done) -> String {
    done.lock().unwrap().push(("hang".to_owned(), String::new()));
    std::future::pending().await
}

fn registry() -> Registry {
    let tools = Registry::builder().tool::<add>().tool::<send>().tool::<delete>().tool::<fail>();
    tools.tool::<post>().tool::<hang>().build().unwrap()
}

fn builder() -> (ExecutorBuilder, Done) {
    let done = Done::default();
    (Executor::builder(registry()).state(Arc::clone(&done)).seed(1), done)
}

fn executor() -> (Executor, Done) {
    let (builder, done) = builder();
    (builder.build().unwrap(), done)
}

fn conversation(executor: &Executor, provider: Provider) -> Conversation {
    let export = provider.export(executor.registry(), &ExportOptions::new()).unwrap();
    Conversation::new(executor.run("test"), export)
}

/// The providers that have conversations.
fn talking() -> impl Iterator<Item = Provider> {
    Provider::ALL.into_iter().filter(|provider| *provider != Provider::Mcp)
}

/// A model that replies by a list, and what it was asked.
#[derive(Clone, Default)]
struct Script {
    replies: Arc<Mutex<VecDeque<Result<Value, ToolError>>>>,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Script {
    fn new(replies: impl IntoIterator<Item = Result<Value, ToolError>>) -> Self {
        Self { replies: Arc::new(Mutex::new(replies.into_iter().collect())), ..Self::default() }
    }

    fn then(self, reply: Value) -> Self {
        self.replies.lock().unwrap().push_back(Ok(reply));
        self
    }

    fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().clone()
    }
}

impl toolkit::Model for Script {
    async fn send(&self, body: &Value) -> Result<Value, ToolError> {
        self.asked.lock().unwrap().push(body.clone());
        self.replies.lock().unwrap().pop_front().expect("the script has an end")
    }
}

/// A reply with these calls.
fn calls<const N: usize>(provider: Provider, calls: [(&str, Value); N]) -> Value {
    reply(provider, &calls.map(|(name, arguments)| (name.to_owned(), arguments)))
}

/// A reply in words.
fn words(provider: Provider, text: &str) -> Value {
    match provider {
        Provider::OpenAiResponses => {
            let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
            let message = json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": content });
            json!({ "output": [message], "status": "completed" })
        }
        Provider::Anthropic => body(provider, json!([{ "type": "text", "text": text }])),
        Provider::Gemini | Provider::Bedrock => body(provider, json!([{ "text": text }])),
        Provider::Ollama => json!({ "message": { "role": "assistant", "content": text }, "done_reason": "stop" }),
        Provider::Cohere => json!({
            "id": "1", "finish_reason": "COMPLETE",
            "message": { "role": "assistant", "content": [{ "type": "text", "text": text }] }
        }),
        _ => {
            let message = json!({ "role": "assistant", "content": text });
            json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] })
        }
    }
}

/// The same reply, cut off by the limit of its length.
fn cut(provider: Provider, mut reply: Value) -> Value {
    let (place, reason) = match provider {
        Provider::OpenAiResponses => ("/incomplete_details", json!({ "reason": "max_output_tokens" })),
        Provider::Anthropic => ("/stop_reason", json!("max_tokens")),
        Provider::Gemini => ("/candidates/0/finishReason", json!("MAX_TOKENS")),
        Provider::Bedrock => ("/stopReason", json!("max_tokens")),
        Provider::Ollama => ("/done_reason", json!("length")),
        Provider::Cohere => ("/finish_reason", json!("MAX_TOKENS")),
        _ => ("/choices/0/finish_reason", json!("length")),
    };
    if provider == Provider::OpenAiResponses {
        reply["incomplete_details"] = Value::Null;
    }
    *reply.pointer_mut(place).unwrap() = reason;
    reply
}

/// A first request.
fn question(provider: Provider) -> Value {
    let text = "How much is 2 + 40?";
    match provider {
        Provider::OpenAiResponses => json!({ "model": "m", "input": text }),
        Provider::Gemini => json!({ "contents": [{ "role": "user", "parts": [{ "text": text }] }] }),
        Provider::Bedrock => json!({ "messages": [{ "role": "user", "content": [{ "text": text }] }] }),
        _ => json!({ "model": "m", "messages": [{ "role": "user", "content": text }] }),
    }
}

fn history(provider: Provider, request: &Value) -> Vec<Value> {
    let key = match provider {
        Provider::OpenAiResponses => "input",
        Provider::Gemini => "contents",
        _ => "messages",
    };
    request[key].as_array().unwrap().clone()
}

/// That every call in the history is answered in order, directly behind its turn. Panics where not.
fn check(provider: Provider, request: &Value) {
    if provider == Provider::Prompt {
        return check_prompt(request);
    }
    let mut open: Vec<String> = Vec::new();
    for message in history(provider, request) {
        // An item of OpenAI's Responses has the same key in a call and in its answer.
        let answers = match &message["type"] {
            Value::String(kind) if kind == "function_call" => Vec::new(),
            _ => answer_ids(provider, std::slice::from_ref(&message)),
        };
        let answers: Vec<String> = answers.into_iter().filter(|id| !id.is_empty()).collect();
        if !answers.is_empty() {
            assert_eq!(answers, open[..answers.len().min(open.len())], "{provider}: {request:#}");
            open.drain(..answers.len());
            continue;
        }
        let calls = call_ids(provider, message);
        // The items of one turn of OpenAI's Responses stand one after the other.
        assert!(open.is_empty() || provider == Provider::OpenAiResponses, "{provider}: {open:?} in {request:#}");
        assert!(calls.iter().all(|id| !id.is_empty()), "{provider}: {request:#}");
        open.extend(calls);
    }
    assert!(open.is_empty(), "{provider}: {open:?} has no answer in {request:#}");
}

/// That the roles take turns, and every turn with calls is followed by as many answers.
fn check_prompt(request: &Value) {
    let count = |text: &str, tag: &str| text.matches(tag).count();
    let mut before = (String::new(), 0);
    for message in history(Provider::Prompt, request) {
        let (role, text) = (message["role"].as_str().unwrap(), message["content"].as_str().unwrap());
        assert_ne!(role, before.0, "{request:#}");
        if role == "user" {
            assert_eq!(count(text, "<tool_response>"), before.1, "{request:#}");
        }
        before = (role.to_owned(), if role == "assistant" { count(text, "<tool_call>") } else { 0 });
    }
    assert_ne!(before.0, "assistant", "{request:#}");
}
