//! What the log is told of an attempt that failed: the raw error with everything behind it, field by field.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::process::Command;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use serde_json::json;
use toolkit::{
    Approver, Classify, Confirmation, ErrorClass, Event, Executor, Registry, ToolCall, ToolError, ToolResult, tool,
};
use tracing::field::{Field, Visit};
use tracing::span;

type Fields = BTreeMap<&'static str, String>;

/// Keeps the fields of every event.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Fields>>>);

struct Reader<'a>(&'a mut Fields);

impl Visit for Reader<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl tracing::Subscriber for Recorder {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut fields = Fields::from([("level", event.metadata().level().to_string())]);
        event.record(&mut Reader(&mut fields));
        self.0.lock().unwrap().push(fields);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// The result of a call, and the failed attempts that were logged meanwhile.
async fn logged(tool: &str, arguments: serde_json::Value) -> (ToolResult, Vec<Fields>) {
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    let tools = Registry::builder().tool::<fetch>().tool::<report>().tool::<local>().tool::<sign_up>();
    let registry = tools.tool::<at_length>().build();
    let executor = Executor::builder(registry.unwrap()).build().unwrap();
    let result = executor.call(ToolCall::new(tool, arguments).id("call_7")).await;
    drop(guard);
    let mut events = recorder.0.lock().unwrap().clone();
    events.retain(|fields| fields["message"] == "a tool failed");
    (result, events)
}

#[derive(Debug, thiserror::Error)]
#[error("shard 3 of ledger.db")]
struct Shard(#[source] io::Error);

#[derive(Debug, thiserror::Error, Classify)]
enum FetchError {
    #[error("the shop did not answer")]
    #[class(timeout)]
    Slow(#[source] Shard),
    #[error("bad reply")]
    #[class(internal, hidden)]
    Bad(#[source] Shard),
}

/// Fetches a page, and fails twice.
#[tool(category = Read, max_retries = 3)]
async fn fetch(ctx: &toolkit::ToolContext) -> Result<u32, FetchError> {
    let shard = || Shard(io::Error::other("page 0x1f, token=sk_live_4eC39HqLyjWDarjtT1zdp7dc"));
    Err(if ctx.attempt() == 1 { FetchError::Slow(shard()) } else { FetchError::Bad(shard()) })
}

#[tokio::test(start_paused = true)]
async fn every_attempt_that_failed_is_logged_with_its_raw_error() {
    let (result, events) = logged("fetch", json!({})).await;
    assert_eq!(result.attempts().len(), 2);
    assert_eq!(events.len(), 2);
    for (event, (attempt, class, text)) in
        events.iter().zip([("1", "timeout", "the shop did not answer"), ("2", "internal", "bad reply")])
    {
        assert_eq!(event["level"], "WARN");
        assert_eq!((event["tool"].as_str(), event["call_id"].as_str()), ("fetch", "call_7"));
        assert_eq!((event["attempt"].as_str(), event["class"].as_str()), (attempt, class));
        assert_eq!(event["error"], format!("{text}: shard 3 of ledger.db: page 0x1f, token=[redacted]"));
    }
    assert!(!events[0].contains_key("reference"), "the model reads its text");
    let reference = &events[1]["reference"];
    assert!(result.text().contains(reference.as_str()), "{reference}: {}", result.text());
    assert!(!result.text().contains("ledger") && !result.text().contains("bad reply"), "{}", result.text());
}

/// Fails with a report.
#[tool(category = Read, max_retries = 0)]
async fn report() -> anyhow::Result<u32> {
    Err(Shard(io::Error::new(ErrorKind::PermissionDenied, "no"))).context("reading")
}

#[tokio::test]
async fn a_report_is_logged_with_a_backtrace_where_it_has_one() {
    let (_, events) = logged("report", json!({})).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["error"], "reading: shard 3 of ledger.db: no");
    let is_on = Backtrace::capture().status() == BacktraceStatus::Captured;
    assert_eq!(events[0].contains_key("backtrace"), is_on);
}

/// Set in the process that a test starts, since a backtrace is made only where the environment asks for it.
const ASKED: &str = "TOOLKIT_TEST_BACKTRACE";

#[tokio::test]
async fn the_backtrace_of_a_report_goes_to_the_log_and_to_no_model() {
    if std::env::var_os(ASKED).is_none() {
        let this = std::env::current_exe().unwrap();
        let name = "logged::the_backtrace_of_a_report_goes_to_the_log_and_to_no_model";
        let mut test = Command::new(this);
        test.args([name, "--exact"]).env("RUST_LIB_BACKTRACE", "1").env(ASKED, "1");
        let output = test.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    let (result, events) = logged("report", json!({})).await;
    let trace = &events[0]["backtrace"];
    assert!(trace.to_lowercase().starts_with("stack backtrace:") && trace.contains("logged::report"), "{trace}");
    assert!(!events[0]["error"].contains("backtrace"), "{}", events[0]["error"]);
    assert!(!result.text().contains("backtrace"), "{}", result.text());
    assert_eq!(result.error().map(ToolError::class), Some(ErrorClass::PermissionDenied));
}

/// An error that is bound to its thread.
#[derive(Debug, Classify)]
#[class(internal, hidden)]
struct Local(Rc<Shard>);

impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("local")
    }
}

impl Error for Local {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

/// Fails where it stands.
#[tool(category = Read, max_retries = 0)]
async fn local() -> Result<u32, Local> {
    Err(Local(Rc::new(Shard(io::Error::other("page 0x1f")))))
}

#[tokio::test]
async fn an_error_that_stays_on_its_thread_is_logged_with_its_causes() {
    let (_, events) = logged("local", json!({})).await;
    assert_eq!(events[0]["error"], "local: shard 3 of ledger.db: page 0x1f");
}

/// Signs up, and tells a secret in its cause.
#[tool(category = Write, max_retries = 0)]
async fn sign_up(#[arg(secret)] phrase: String) -> Result<(), ToolError> {
    let cause = io::Error::other(Traced(phrase.clone()));
    Err(ToolError::new(ErrorClass::Conflict, format!("{phrase} is taken")).source(cause))
}

#[derive(thiserror::Error)]
#[error("tried {0}")]
struct Traced(String);

impl fmt::Debug for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n\nStack backtrace:\n   0: sign_up({})", self.0)
    }
}

#[tokio::test]
async fn no_field_of_the_log_holds_a_secret() {
    let (_, events) = logged("sign_up", json!({"phrase": "canary-9f2c71"})).await;
    assert_eq!(events.len(), 1);
    for (field, text) in &events[0] {
        assert!(!text.contains("canary"), "{field}: {text}");
    }
    assert_eq!(events[0]["error"], "[secret] is taken: tried [secret]");
    assert!(events[0]["backtrace"].contains("0: sign_up([secret])"), "{}", events[0]["backtrace"]);
}

/// How much of an error's `Debug` form was asked for.
#[derive(Default)]
struct Endless(AtomicUsize);

impl fmt::Debug for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..4096 {
            f.write_str(&"endless ".repeat(125))?;
            self.0.fetch_add(1000, Ordering::SeqCst);
        }
        Ok(())
    }
}

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("endless")
    }
}

impl Error for Endless {}

/// Fails at length.
#[tool(category = Read, max_retries = 0)]
async fn at_length() -> Result<(), ToolError> {
    Err(ToolError::new(ErrorClass::Internal, "too long").source(Endless::default()))
}

#[tokio::test]
async fn of_a_debug_form_without_an_end_a_quarter_of_a_megabyte_is_read() {
    let (result, events) = logged("at_length", json!({})).await;
    assert_eq!(events.len(), 1);
    let source = result.error().unwrap().source().unwrap();
    assert_eq!(source.downcast_ref::<Endless>().unwrap().0.load(Ordering::SeqCst), 262_000);
}

/// Panics with what it is asked about: when it is asked, or when it should answer.
struct Startled(bool);

impl Approver for Startled {
    fn approve<'a>(&'a self, question: &'a Confirmation) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        assert!(!self.0, "scripted: {}", question.arguments());
        Box::pin(async { panic!("scripted: {}", question.arguments()) })
    }
}

/// Erases something.
#[tool(category = Dangerous)]
async fn erase(path: String, #[arg(secret)] phrase: String) {
    drop((path, phrase));
}

#[tokio::test]
async fn what_an_approver_panicked_with_is_logged_without_secrets() {
    crate::scripted::quiet();
    for at_once in [true, false] {
        let registry = Registry::builder().tool::<erase>().build().unwrap();
        let executor = Executor::builder(registry).approver(Startled(at_once)).build().unwrap();
        let log = crate::captured::Captured::start();
        let call = ToolCall::new("erase", json!({"path": "a/b", "phrase": "canary-9f2c71"}));
        drop(executor.call(call.clone()).await);
        crate::captured::Captured::hears_all();
        assert_eq!(executor.call(call).await.stop(), Some(toolkit::StopReason::NeedsConfirmation));
        let text = log.text();
        assert!(text.contains("an approver panicked") && text.contains("a/b") && !text.contains("canary"), "{text}");
    }
}

/// A log that fails whatever it is told.
struct Furious;

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Furious {
    fn on_event(&self, _: &tracing::Event<'_>, _: tracing_subscriber::layer::Context<'_, S>) {
        panic!("scripted: on an event")
    }

    fn on_enter(&self, _: &span::Id, _: tracing_subscriber::layer::Context<'_, S>) {
        panic!("scripted: on entering")
    }

    fn on_exit(&self, _: &span::Id, _: tracing_subscriber::layer::Context<'_, S>) {
        panic!("scripted: on leaving")
    }
}

/// Looks aside, on a thread of its own.
#[tool(category = Read)]
fn aside() -> &'static str {
    "nothing there"
}

#[tokio::test(start_paused = true)]
async fn an_observer_and_a_log_that_both_panic_take_no_call_with_them() {
    use tracing_subscriber::layer::SubscriberExt as _;

    crate::scripted::quiet();
    let steps = [toolkit::testing::Step::succeed("done"), toolkit::testing::Step::Hang];
    let (tool, _) = toolkit::testing::scripted("play", steps);
    let builder = Executor::builder(Registry::builder().dynamic(tool).build().unwrap());
    let executor = builder.observer(|_: &Event<'_>| panic!("scripted: observer")).build().unwrap();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(Furious));
    assert!(executor.call(ToolCall::new("play", "{}")).await.is_success());
    let waiting = executor.call(ToolCall::new("play", "{}"));
    assert!(tokio::time::timeout(std::time::Duration::from_secs(1), waiting).await.is_err());
}

#[tokio::test]
async fn a_log_that_panics_keeps_no_tool_from_its_thread() {
    use tracing_subscriber::layer::SubscriberExt as _;

    crate::scripted::quiet();
    let registry = Registry::builder().tool::<aside>().build().unwrap();
    let executor = Executor::builder(registry).build().unwrap();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(Furious));
    let result = executor.call(ToolCall::new("aside", "")).await;
    assert!(result.is_success(), "{result:?}");
}
