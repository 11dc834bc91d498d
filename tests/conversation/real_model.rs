//! A real model of 135 million parameters, which gets most things wrong, at twenty tasks over six tools.
//!
//! What it gets right is reported and not asserted. That every call of it is answered, and that nothing happens twice, is.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolkit::{
    Conversation, EndReason, Executor, Export, ExportOptions, Outcome, Provider, Registry, ToolContext, ToolResult,
    tool,
};

use super::client::Client;

/// The effects, by what was done and the key under which it was done.
type Effects = Arc<Mutex<Vec<(String, String)>>>;

/// Tells the weather in a city.
#[tool(category = Read)]
async fn get_weather(city: String) -> String {
    format!("sunny in {city}")
}

/// Adds two numbers.
#[tool(category = Compute)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Room {
    Single,
    Double,
    Suite,
}

/// Books a hotel room.
#[tool(category = Write)]
async fn book_hotel(
    city: String,
    #[arg(range = 1..=30)] nights: u8,
    room: Room,
    #[state] effects: &Effects,
    context: &ToolContext,
) -> String {
    let room = match room {
        Room::Single => "single",
        Room::Double => "double",
        Room::Suite => "suite",
    };
    effects.lock().unwrap().push((format!("{city} {nights} {room}"), context.idempotency_key().to_owned()));
    format!("booked a {room} room in {city} for {nights} nights")
}

/// Sends an e-mail.
#[tool(category = Communicate)]
async fn send_email(to: String, subject: String, #[state] effects: &Effects, context: &ToolContext) -> String {
    effects.lock().unwrap().push((format!("{to} {subject}"), context.idempotency_key().to_owned()));
    "sent".to_owned()
}

/// Searches the documentation.
#[tool(category = Read)]
async fn search_docs(query: String, #[arg(default = 5, range = 1..=50)] limit: u8) -> Value {
    json!({ "query": query, "found": limit })
}

/// Pays an invoice.
#[tool(category = Communicate)]
async fn pay_invoice(number: String, #[state] effects: &Effects, context: &ToolContext) -> Result<(), std::io::Error> {
    // It is paid, and the line goes dead: the model that tries again must not pay twice.
    effects.lock().unwrap().push((format!("pay {number}"), context.idempotency_key().to_owned()));
    Err(std::io::ErrorKind::ConnectionReset.into())
}

const TASKS: [&str; 20] = [
    "What is the weather in Oslo?",
    "How much is 17 plus 25?",
    "Book a single room in Rome for 3 nights.",
    "Send an e-mail to ann@example.com with the subject Hello.",
    "Search the documentation for error handling.",
    "Pay the invoice INV-1001.",
    "Tell me the weather in Paris and in Berlin.",
    "Add 2.5 and 4.",
    "I need a suite in Kyoto for a week.",
    "Write to bob@example.com, subject: the meeting is moved.",
    "Find 3 pages on serde in the documentation.",
    "Please pay invoice 77, and pay it again if it fails.",
    "Is it raining in London?",
    "What is the sum of 1000000 and -1?",
    "Book a double room in Vienna for 40 nights.",
    "Mail eve@example.com that I am late.",
    "Look up macros, 100 results.",
    "Pay INV-5 now.",
    "Add 1 and 2, then tell the weather in Madrid.",
    "Say hello without a tool.",
];

/// Of the five minutes that the suite has: the rest is for fetching and loading the model.
const TIME: Duration = Duration::from_secs(120);

#[derive(Default)]
struct Count {
    tasks: usize,
    calls: usize,
    exact: usize,
    repaired: usize,
    refused: usize,
    failed: usize,
    recovered: usize,
    unanswered: usize,
    doubled: usize,
    tokens: u64,
    time: Duration,
    ends: BTreeMap<&'static str, usize>,
}

impl Count {
    fn add(&mut self, talk: &Conversation, effects: &[(String, String)]) {
        self.tasks += 1;
        let results = talk.results();
        self.calls += results.len();
        for (place, result) in results.iter().enumerate() {
            match (result.is_success(), result.repairs().is_empty()) {
                (true, true) => self.exact += 1,
                (true, false) => self.repaired += 1,
                (false, _) if result.outcome() == Outcome::NotExecuted => self.refused += 1,
                (false, _) => self.failed += 1,
            }
            let is_refused = |earlier: &ToolResult| earlier.outcome() == Outcome::NotExecuted;
            self.recovered += usize::from(result.is_success() && results[..place].iter().any(is_refused));
        }
        let called = talk.steps().filter(|step| matches!(step, toolkit::Step::Called { .. })).count();
        let history = talk.request()["messages"].as_array().unwrap();
        let answers =
            |message: &Value| message["content"].as_str().unwrap_or_default().matches("<tool_response>").count();
        let answered: usize = history.iter().filter(|message| message["role"] == "user").map(answers).sum();
        self.unanswered += called.abs_diff(answered);
        for (place, (what, key)) in effects.iter().enumerate() {
            let again = |(other, under): &(String, String)| under == key || (what.starts_with("pay") && other == what);
            self.doubled += usize::from(effects[..place].iter().any(again));
        }
        self.tokens += talk.usage().output_tokens();
    }

    fn print(&self, mode: &str) {
        let Self { tasks, calls, exact, repaired, refused, failed, recovered, unanswered, doubled, tokens, time, ends } =
            self;
        println!(
            "{mode}: {tasks} of {} tasks, {calls} calls: {exact} exact, {repaired} repaired, {refused} refused, {failed} failed; \
             {recovered} recovered after feedback, {unanswered} unanswered, {doubled} double effects; \
             {tokens} tokens in {time:.0?}; ends: {ends:?}",
            TASKS.len()
        );
    }
}

/// A call or an answer, and nothing else.
fn grammar(export: &Export) -> Value {
    // What the schemas of the arguments refer to stands at their root, which is no longer theirs.
    let mut shared = json!({});
    let mut call = |tool: &Value| {
        let mut parameters = tool["parameters"].clone();
        if let Some(Value::Object(mut own)) = parameters.as_object_mut().and_then(|all| all.remove("$defs")) {
            shared.as_object_mut().unwrap().append(&mut own);
        }
        json!({
            "type": "object", "additionalProperties": false, "required": ["name", "arguments"],
            "properties": { "name": { "const": tool["name"] }, "arguments": parameters }
        })
    };
    let mut forms: Vec<Value> = export.tools().as_array().unwrap().iter().map(&mut call).collect();
    forms.push(json!({
        "type": "object", "additionalProperties": false, "required": ["answer"],
        "properties": { "answer": { "type": "string" } }
    }));
    let schema = json!({ "anyOf": forms, "$defs": shared });
    json!({ "type": "json_schema", "json_schema": { "name": "reply", "schema": schema } })
}

/// The model's server, which ends with its standard input.
fn start() -> (Child, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("small_model/server.py");
    let folder = std::env::var_os("TOOLKIT_SMALL_MODEL")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/small-model"), std::path::PathBuf::from);
    let mut command = Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
    command.arg(script).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = command.spawn().expect("Python 3.10 or later");
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim().trim_start_matches("http://").to_owned();
    assert!(!address.is_empty(), "the server did not start");
    (server, address)
}

#[tokio::test]
async fn every_call_of_a_real_model_is_answered_and_nothing_happens_twice() {
    let (mut server, address) = start();
    let tools = Registry::builder().tool::<get_weather>().tool::<add>().tool::<book_hotel>().tool::<send_email>();
    let registry = tools.tool::<search_docs>().tool::<pay_invoice>().build().unwrap();
    let export = Provider::Prompt.export(&registry, &ExportOptions::new()).unwrap();
    let model = Client { address, path: "/v1/chat/completions" };
    let end = Instant::now() + TIME;
    let left = || end.saturating_duration_since(Instant::now());
    let mut counts = [("with a grammar", Count::default()), ("without one", Count::default())];
    'tasks: for (number, task) in TASKS.iter().enumerate() {
        for (place, (mode, count)) in counts.iter_mut().enumerate() {
            // A busy machine does fewer of them, and says so.
            if left().is_zero() {
                break 'tasks;
            }
            let started = Instant::now();
            let effects = Effects::default();
            let executor = Executor::builder(registry.clone()).state(Arc::clone(&effects)).build().unwrap();
            let run = executor.run(format!("{mode} {number}")).deadline(left());
            let mut talk = Conversation::new(run, export.clone()).max_turns(3);
            let mut request = json!({
                "messages": [{ "role": "user", "content": task }], "temperature": 0, "max_tokens": 100, "seed": 1
            });
            if place == 0 {
                request["response_format"] = grammar(&export);
            }
            let mut end = talk.run(&model, request).await;
            while !talk.pending().is_empty() {
                let tokens: Vec<String> = talk.pending().iter().map(|call| call.token().to_owned()).collect();
                for token in &tokens {
                    talk.refuse(token, "it was paid already").unwrap();
                }
                end = talk.resume(&model).await;
            }
            if end.reason() == EndReason::ModelFailed {
                println!("{task}: {:?}", end.error());
            }
            *count.ends.entry(end.reason().as_str()).or_default() += 1;
            count.add(&talk, &effects.lock().unwrap());
            count.time += started.elapsed();
        }
    }
    let mut total = (0, 0, 0);
    for (mode, count) in &counts {
        count.print(mode);
        total = (total.0 + count.calls, total.1 + count.unanswered, total.2 + count.doubled);
    }
    drop(server.stdin.take());
    server.wait().unwrap();
    assert!(total.0 > 0, "the model called nothing at all");
    assert_eq!((total.1, total.2), (0, 0), "unanswered calls, and effects that happened twice");
}
