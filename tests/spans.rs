//! The spans of a call, as a subscriber gets them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use serde_json::json;
use toolkit::{ErrorClass, Executor, Registry, ToolCall, ToolError, tool};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::scripted::{self, Step, call};

#[derive(Clone, Debug, Default)]
struct Seen {
    name: &'static str,
    parent: Option<u64>,
    fields: BTreeMap<&'static str, String>,
    /// The events inside, and whether it has ended.
    events: Vec<String>,
    closed: bool,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.to_owned());
    }
}

/// Writes down every span.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<BTreeMap<u64, Seen>>>);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let parent = context.span(id).and_then(|span| span.parent().map(|parent| parent.id().into_u64()));
        let mut seen = Seen { name: attributes.metadata().name(), parent, ..Seen::default() };
        attributes.record(&mut seen);
        self.0.lock().unwrap().insert(id.into_u64(), seen);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        values.record(self.0.lock().unwrap().get_mut(&id.into_u64()).unwrap());
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut words = Seen::default();
        event.record(&mut words);
        if let Some(span) = context.event_span(event) {
            let mut all = self.0.lock().unwrap();
            all.get_mut(&span.id().into_u64()).unwrap().events.extend(words.fields.remove("message"));
        }
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        self.0.lock().unwrap().get_mut(&id.into_u64()).unwrap().closed = true;
    }
}

/// The spans of what runs on this thread from now on.
fn listen() -> (Spans, tracing::subscriber::DefaultGuard) {
    let spans = Spans::default();
    let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(spans.clone()));
    (spans, guard)
}

/// Greets.
#[tool(category = Read)]
async fn greet(name: String, #[arg(secret)] phrase: String) -> Result<String, ToolError> {
    tracing::info!("inside");
    match name.as_str() {
        "nobody" => Err(ToolError::new(ErrorClass::NotFound, format!("nobody, {phrase}"))),
        _ => Ok(format!("hello {name}, {phrase} https://ann:canary@h.example/x")),
    }
}

/// Greets from a thread of its own, which has no subscriber but the one that it is given.
#[tool(category = Read)]
fn greet_blocking(#[state] dispatch: &Dispatch) {
    tracing::dispatcher::with_default(dispatch, || tracing::info!("inside"));
}

fn executor(content: bool) -> Executor {
    let registry = Registry::builder().tool::<greet>().build().unwrap();
    Executor::builder(registry).trace_content(content).build().unwrap()
}

fn greeting(name: &str) -> ToolCall {
    ToolCall::new("greet", json!({"name": name, "phrase": "xyzzy-canary"})).id("call_7")
}

fn text<'a>(seen: &'a Seen, field: &str) -> Option<&'a str> {
    seen.fields.get(field).map(String::as_str)
}

#[tokio::test]
async fn a_call_is_a_span_by_the_conventions_and_its_attempt_one_in_it() {
    let (spans, guard) = listen();
    let outer = tracing::info_span!("turn");
    tracing::Instrument::instrument(executor(false).call(greeting("Ada")), outer.clone()).await;
    drop((outer, guard));
    let all: Vec<(u64, Seen)> = spans.0.lock().unwrap().clone().into_iter().collect();
    let find = |name: &str| all.iter().find(|(_, seen)| seen.name == name).unwrap();
    let (turn, (id, seen), (_, attempt)) = (find("turn").0, find("execute_tool").clone(), find("attempt"));
    assert_eq!((all.len(), seen.parent, attempt.parent), (3, Some(turn), Some(id)));
    for (field, value) in [
        ("otel.name", "execute_tool greet"),
        ("otel.kind", "internal"),
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "greet"),
        ("gen_ai.tool.description", "Greets."),
        ("gen_ai.tool.type", "function"),
        ("gen_ai.tool.call.id", "call_7"),
        ("toolkit.attempts", "1"),
        ("toolkit.outcome", "succeeded"),
    ] {
        assert_eq!(text(&seen, field), Some(value), "{field}: {seen:?}");
    }
    assert_eq!(seen.fields.len(), 9, "{seen:?}");
    assert_eq!((text(attempt, "toolkit.attempt"), text(attempt, "otel.kind")), (Some("1"), Some("internal")));
    assert_eq!((attempt.fields.len(), &attempt.events), (2, &vec!["inside".to_owned()]));
    assert!(all.iter().all(|(_, seen)| seen.closed));
}

#[tokio::test]
async fn what_a_call_failed_with_is_its_error_type() {
    let (spans, guard) = listen();
    executor(false).call(greeting("nobody")).await;
    drop(guard);
    let all = spans.0.lock().unwrap();
    for seen in all.values() {
        assert_eq!((text(seen, "error.type"), text(seen, "otel.status_code")), (Some("not_found"), Some("ERROR")));
        assert!(!format!("{seen:?}").contains("canary"), "{seen:?}");
    }
    let call = all.values().find(|seen| seen.name == "execute_tool").unwrap();
    assert_eq!((text(call, "toolkit.stop"), text(call, "toolkit.outcome")), (Some("permanent"), Some("failed")));
    let attempt = all.values().find(|seen| seen.name == "attempt").unwrap();
    assert_eq!((&*call.events, &*attempt.events), (&[][..], &["inside", "a tool failed"].map(str::to_owned)[..]));
}

#[tokio::test]
async fn a_refused_call_has_a_span_without_attempts() {
    let (spans, guard) = listen();
    executor(false).call(ToolCall::new("greet", json!({"name": 7}))).await;
    executor(false).call(ToolCall::new("made_up", "{}")).await;
    drop(guard);
    let all = spans.0.lock().unwrap();
    let [seen] = all.values().collect::<Vec<_>>()[..] else { panic!("{all:?}") };
    assert_eq!((text(seen, "error.type"), text(seen, "toolkit.attempts")), (Some("invalid_argument"), Some("0")));
    assert_eq!((text(seen, "toolkit.stop"), text(seen, "gen_ai.tool.call.id")), (Some("invalid_arguments"), None));
    assert_eq!(seen.events, ["a call was refused"]);
}

#[tokio::test]
async fn arguments_and_result_are_there_when_they_are_asked_for_and_without_secrets() {
    for name in ["Ada", "nobody"] {
        let (spans, guard) = listen();
        let result = executor(true).call(greeting(name)).await;
        drop(guard);
        let all = spans.0.lock().unwrap();
        let seen = all.values().find(|seen| seen.name == "execute_tool").unwrap();
        let arguments = text(seen, "gen_ai.tool.call.arguments").unwrap();
        assert_eq!(arguments.replace(' ', ""), format!(r#"{{"name":"{name}","phrase":"[secret]"}}"#));
        let told = text(seen, "gen_ai.tool.call.result").unwrap();
        assert!(told.contains(if name == "Ada" { "hello Ada, [secret]" } else { "not_found" }), "{told}");
        assert!(!format!("{all:?}").contains("canary"), "{all:?}");
        assert_eq!(result.text().contains("canary"), name == "Ada", "the model reads what the tool answers");
    }
}

#[tokio::test(start_paused = true)]
async fn every_attempt_is_a_span_of_its_own() {
    let (executor, script) = scripted::executor();
    script.play(&[Step::Network, Step::Hang]);
    let (spans, guard) = listen();
    executor.call(call("safe_3")).await;
    drop(guard);
    let all = spans.0.lock().unwrap();
    let call = all.iter().find(|(_, seen)| seen.name == "execute_tool").unwrap();
    let mut attempts: Vec<&Seen> = all.values().filter(|seen| seen.parent == Some(*call.0)).collect();
    attempts.sort_by_key(|seen| text(seen, "toolkit.attempt"));
    let told: Vec<_> = attempts.iter().map(|seen| (text(seen, "toolkit.attempt"), text(seen, "error.type"))).collect();
    assert_eq!(told, [(Some("1"), Some("network")), (Some("2"), Some("timeout")), (Some("3"), None)]);
    let logged: Vec<_> = attempts.iter().map(|seen| seen.events.concat()).collect();
    assert_eq!(logged, ["a tool failed", "a tool failed", ""]);
    assert_eq!((text(call.1, "error.type"), text(call.1, "toolkit.attempts")), (None, Some("3")));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_says_so_in_its_spans() {
    let (executor, script) = scripted::executor();
    let (spans, guard) = listen();
    // In the pause after the first attempt, and in the second one.
    for (millis, attempts) in [(1, 1), (1500, 2)] {
        spans.0.lock().unwrap().clear();
        script.play(&[Step::Network, Step::Hang]);
        assert!(
            tokio::time::timeout(std::time::Duration::from_millis(millis), executor.call(call("safe_3")))
                .await
                .is_err()
        );
        let all = spans.0.lock().unwrap();
        let call = all.values().find(|seen| seen.name == "execute_tool").unwrap();
        assert_eq!((text(call, "toolkit.stop"), text(call, "toolkit.outcome")), (Some("cancelled"), Some("unknown")));
        let types: Vec<_> =
            all.values().filter(|seen| seen.name == "attempt").map(|seen| text(seen, "error.type")).collect();
        assert_eq!(types, [Some("network"), Some("unknown")][..attempts]);
        assert!(all.values().all(|seen| seen.closed));
    }
    drop(guard);
}

#[tokio::test]
async fn what_a_blocking_tool_logs_stands_in_its_attempt() {
    let spans = Spans::default();
    let dispatch = Dispatch::new(tracing_subscriber::registry().with(spans.clone()));
    let guard = tracing::dispatcher::set_default(&dispatch);
    let registry = Registry::builder().tool::<greet_blocking>().build().unwrap();
    let executor = Executor::builder(registry).state(dispatch.clone()).build().unwrap();
    executor.call(ToolCall::new("greet_blocking", "")).await;
    drop(guard);
    let all = spans.0.lock().unwrap();
    let attempt = all.values().find(|seen| seen.name == "attempt").unwrap();
    assert_eq!(attempt.events, ["inside"]);
}

#[tokio::test]
async fn who_listens_to_warnings_alone_gets_no_span() {
    let spans = Spans::default();
    let filter = tracing_subscriber::filter::LevelFilter::from_level(Level::WARN);
    let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(spans.clone()).with(filter));
    executor(true).call(greeting("Ada")).await;
    drop(guard);
    assert!(spans.0.lock().unwrap().is_empty());
}

/// Where a layer panics.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    New,
    Enter,
    Exit,
    Record,
    Close,
}

struct Panics(At);

impl Panics {
    fn reached(&self, at: At) {
        assert!(self.0 != at, "scripted: the subscriber panics");
    }
}

impl<S: Subscriber> Layer<S> for Panics {
    fn on_new_span(&self, _: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        self.reached(At::New);
    }

    fn on_enter(&self, _: &Id, _: Context<'_, S>) {
        self.reached(At::Enter);
    }

    fn on_exit(&self, _: &Id, _: Context<'_, S>) {
        self.reached(At::Exit);
    }

    fn on_record(&self, _: &Id, _: &Record<'_>, _: Context<'_, S>) {
        self.reached(At::Record);
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        self.reached(At::Close);
    }
}

#[tokio::test]
async fn a_subscriber_that_panics_changes_nothing() {
    scripted::quiet();
    for at in [At::New, At::Enter, At::Exit, At::Record, At::Close] {
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(Panics(at)));
        let result = executor(true).call(greeting("Ada")).await;
        let (tool, _) = toolkit::testing::scripted("hangs", [toolkit::testing::Step::Hang]);
        let hanging = Executor::builder(Registry::builder().dynamic(tool).build().unwrap()).build().unwrap();
        let mut dropped = Box::pin(hanging.call(ToolCall::new("hangs", "{}")));
        let is_waiting =
            dropped.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_pending();
        drop(dropped);
        drop(guard);
        assert!(result.is_success() && is_waiting, "{at:?}");
    }
}
