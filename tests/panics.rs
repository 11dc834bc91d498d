//! Code of tools, of argument types and of the host that panics: the call has a result, the log has the words, the model
//! has neither, and the executor works on.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use proptest::prelude::*;
use serde::{Deserialize, Deserializer};
use serde_json::json;
use toolkit::{
    Approver, Category, Classification, Classify, Confirmation, ErrorClass, ErrorClassifier, Executor, ExecutorBuilder,
    Outcome, Permission, PermissionRequest, Registry, StopReason, ToolCall, ToolResult, tool,
};

use crate::captured::Captured;
use crate::scripted::{quiet, told};

/// Panics with what is asked for.
#[tool(category = Read)]
async fn explode(kind: String, #[arg(secret, default)] pin: String) -> Result<u32, std::io::Error> {
    struct Worse;
    struct Late;

    impl Drop for Worse {
        fn drop(&mut self) {
            panic!("scripted: the payload panics too");
        }
    }

    impl Drop for Late {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "scripted: in drop");
        }
    }

    match kind.as_str() {
        "str" => panic!("scripted: token=SECRET123abc"),
        "string" => panic!("scripted: {kind} and pin {pin}"),
        "number" => std::panic::panic_any(7_u32),
        "worse" => std::panic::panic_any(Worse),
        "drop" => {
            let _late = Late;
            Ok(1)
        }
        "drop of a waiting one" => {
            let _late = Late;
            std::future::pending().await
        }
        "later" => {
            tokio::task::yield_now().await;
            panic!("scripted: after a wait")
        }
        _ => Ok(1),
    }
}

/// Panics on its own thread.
#[tool(category = Read)]
#[expect(clippy::needless_pass_by_value, reason = "arguments are owned")]
fn explode_blocking(kind: String) -> u32 {
    match kind.as_str() {
        "str" => panic!("scripted: token=SECRET123abc"),
        "number" => std::panic::panic_any(7_u32),
        _ => 1,
    }
}

fn builder() -> ExecutorBuilder {
    quiet();
    let registry = Registry::builder().tool::<explode>().tool::<explode_blocking>().tool::<fussy>();
    Executor::builder(registry.tool::<moody>().build().unwrap())
}

fn executor() -> Executor {
    builder().build().unwrap()
}

/// What holds of every panic of a tool's body.
fn check_body(result: &ToolResult) {
    assert_eq!(result.error().unwrap().class(), ErrorClass::Internal, "{result:?}");
    assert_eq!((result.stop(), result.attempts().len()), (Some(StopReason::Permanent), 1));
    assert_eq!(result.outcome(), Outcome::Failed, "the tool says that it is idempotent");
    let told = told(result);
    assert!(told["message"].as_str().unwrap().starts_with("the tool failed inside (log reference "), "{told}");
    assert!(!result.text().contains("scripted") && !result.text().contains("SECRET"), "{}", result.text());
}

#[tokio::test(start_paused = true)]
async fn a_panic_of_a_tool_is_a_result_and_stays_in_the_log() {
    let executor = executor();
    for (kind, logged) in [
        ("str", "scripted: token=[redacted]"),
        ("string", "scripted: string and pin [secret]"),
        ("number", "a payload that is no text"),
        ("worse", "a payload that is no text"),
        ("drop", "scripted: in drop"),
        ("drop of a waiting one", "scripted: in drop"),
        ("later", "scripted: after a wait"),
    ] {
        let log = Captured::start();
        let result = executor.call(ToolCall::new("explode", json!({"kind": kind, "pin": "x-4711-x"}))).await;
        check_body(&result);
        let log = log.text();
        assert!(log.contains(logged), "{log}");
        assert!(!log.contains("SECRET123") && !log.contains("4711"), "{log}");
        let message = told(&result)["message"].as_str().unwrap().to_owned();
        let (_, reference) = message.trim_end_matches(')').rsplit_once(' ').unwrap();
        assert!(log.contains(reference), "{reference} in {log}");
        let next = executor.call(ToolCall::new("explode", json!({"kind": "none"}))).await;
        assert!(next.is_success(), "{next:?}");
    }
}

#[tokio::test]
async fn a_panic_on_another_thread_is_a_result_too() {
    let executor = executor();
    for kind in ["str", "number"] {
        let log = Captured::start();
        let result = executor.call(ToolCall::new("explode_blocking", json!({"kind": kind}))).await;
        check_body(&result);
        assert!(log.text().contains("a tool panicked") && !log.text().contains("SECRET123"), "{}", log.text());
        assert!(executor.call(ToolCall::new("explode_blocking", json!({"kind": ""}))).await.is_success());
    }
}

#[derive(schemars::JsonSchema)]
struct Fussy;

impl<'de> Deserialize<'de> for Fussy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "fine" => Ok(Fussy),
            other => panic!("scripted: cannot read {other}"),
        }
    }
}

/// Takes what panics when it is read.
#[tool(category = Read)]
async fn fussy(value: Fussy) {
    let Fussy = value;
}

#[derive(Deserialize)]
struct Schemaless;

impl schemars::JsonSchema for Schemaless {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Schemaless".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        panic!("scripted: no schema")
    }
}

/// Takes what has no schema.
#[tool(category = Read)]
async fn schemaless(value: Schemaless) {
    let Schemaless = value;
}

#[tokio::test]
async fn a_panic_while_arguments_are_read_comes_before_anything_was_done() {
    let executor = executor();
    let log = Captured::start();
    let result = executor.call(ToolCall::new("fussy", r#"{"value": "odd"}"#)).await;
    assert_eq!((result.error().unwrap().class(), result.outcome()), (ErrorClass::Internal, Outcome::NotExecuted));
    assert_eq!(result.attempts().len(), 0);
    assert!(log.text().contains("scripted") && !result.text().contains("scripted"), "{}", result.text());
    // That a type panicked is nothing that the model could act on; a developer may want to see it.
    let why = "a type of the arguments panicked";
    assert!(!result.text().contains(why), "{}", result.text());
    let open = builder().show_internal_errors(true).build().unwrap();
    let shown = open.call(ToolCall::new("fussy", r#"{"value": "odd"}"#)).await;
    assert!(shown.text().contains(why) && !shown.text().contains("scripted"), "{}", shown.text());
    assert!(executor.call(ToolCall::new("fussy", r#"{"value": "fine"}"#)).await.is_success());
}

#[test]
fn a_schema_that_panics_is_an_error_of_the_registry() {
    quiet();
    let error = Registry::builder().tool::<schemaless>().build().unwrap_err().to_string();
    assert!(error.starts_with("tool `schemaless`: its schema cannot be made: scripted: no schema, "), "{error}");
}

/// An error that cannot even be shown.
#[derive(Debug)]
struct Moody(&'static str);

impl fmt::Display for Moody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "display" => panic!("scripted: in Display"),
            "display fails" => Err(fmt::Error),
            other => f.write_str(other),
        }
    }
}

impl Error for Moody {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        (self.0 == "source").then(|| panic!("scripted: in source"))
    }
}

impl Classify for Moody {
    fn classify(&self) -> Classification {
        assert!(self.0 != "classify", "scripted: in classify");
        Classification::new(ErrorClass::Conflict).message("what the model reads")
    }
}

/// Fails with an error of a bad temper.
#[tool(category = Read)]
async fn moody(kind: String) -> Result<(), Moody> {
    Err(Moody(
        ["display", "display fails", "source", "classify"].into_iter().find(|one| *one == kind).unwrap_or("calm"),
    ))
}

#[tokio::test]
async fn an_error_that_panics_is_a_result() {
    let executor = executor();
    for kind in ["display", "display fails", "source", "classify", "calm"] {
        let log = Captured::start();
        let result = executor.call(ToolCall::new("moody", json!({"kind": kind}))).await;
        assert!(log.text().contains("a tool failed"), "{kind}: {}", log.text());
        let class = result.error().unwrap().class();
        let expected = if kind == "classify" { ErrorClass::Internal } else { ErrorClass::Conflict };
        assert!(class == expected || kind == "source" && class == ErrorClass::Internal, "{kind}: {result:?}");
        told(&result);
    }
}

#[tokio::test]
async fn a_log_that_panics_takes_no_call_with_it() {
    let executor = executor();
    let subscriber =
        tracing_subscriber::fmt().with_writer(|| -> std::io::Sink { panic!("scripted: the log") }).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let failed = executor.call(ToolCall::new("moody", json!({"kind": "calm"}))).await;
    assert_eq!(failed.error().unwrap().class(), ErrorClass::Conflict);
    let panicked = executor.call(ToolCall::new("explode", json!({"kind": "str"}))).await;
    assert_eq!(panicked.error().unwrap().class(), ErrorClass::Internal);
    let refused = executor.call(ToolCall::new("nobody", "")).await;
    assert_eq!(refused.stop(), Some(StopReason::UnknownTool));
}

#[tokio::test]
async fn a_classifier_of_the_host_that_panics_is_a_result() {
    #[derive(Debug)]
    struct Opaque;

    impl fmt::Display for Opaque {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("opaque")
        }
    }

    impl Error for Opaque {}

    /// Fails with what only the host knows.
    #[tool(category = Write)]
    async fn opaque() -> Result<(), Opaque> {
        Err(Opaque)
    }

    quiet();
    let classifier = ErrorClassifier::standard().on::<Opaque>(|_| panic!("scripted: in the classifier"));
    let registry = Registry::builder().tool::<opaque>().build().unwrap();
    let executor = Executor::builder(registry).classifier(classifier).build().unwrap();
    let result = executor.call(ToolCall::new("opaque", "")).await;
    assert_eq!((result.error().unwrap().class(), result.outcome()), (ErrorClass::Internal, Outcome::Unknown));
}

#[tokio::test]
async fn rules_that_panic_allow_nothing() {
    quiet();
    let registry = Registry::builder().tool::<explode>().build().unwrap();
    for late in [false, true] {
        let rules = move |request: &PermissionRequest<'_>| {
            assert!(late && request.arguments().is_none(), "scripted: rules, {:?}", request.arguments());
            Permission::Allow
        };
        let executor = Executor::builder(registry.clone()).permissions(rules).build().unwrap();
        let log = Captured::start();
        let call = ToolCall::new("explode", json!({"kind": "none", "pin": "x-4711-x"}));
        let result = executor.call(call.confirmed(true)).await;
        assert_eq!(result.stop(), Some(StopReason::PermissionDenied), "{result:?}");
        assert_eq!((result.outcome(), result.attempts().len()), (Outcome::NotExecuted, 0));
        assert!(log.text().contains("scripted: rules") && !log.text().contains("4711"), "{}", log.text());
        assert!(!result.text().contains("scripted"));
    }
}

/// Whose end may be a panic.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
struct Fragile(String);

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0 != "odd" || std::thread::panicking(), "scripted: in drop of {}", self.0);
    }
}

/// Holds its place for half a minute.
#[tool(category = Read, max_retries = 0, timeout = "2m")]
async fn hold(value: Fragile) {
    tokio::time::sleep(Duration::from_secs(30)).await;
    drop(value);
}

#[tokio::test(start_paused = true)]
async fn arguments_that_panic_at_their_end_do_so_in_no_queue() {
    quiet();
    let registry = Registry::builder().tool::<hold>().build().unwrap();
    let executor = Executor::builder(registry).concurrency(1).build().unwrap();
    let call = |value: &str| ToolCall::new("hold", json!({"value": value}));
    let log = Captured::start();
    let late = async { executor.call(call("odd").deadline(Duration::from_secs(1))).await };
    let dropped = async { tokio::time::timeout(Duration::from_secs(1), executor.call(call("odd"))).await.is_err() };
    let (first, late, is_dropped) = tokio::join!(executor.call(call("fine")), late, dropped);
    assert!(first.is_success() && is_dropped);
    assert_eq!((late.stop(), late.outcome()), (Some(StopReason::Deadline), Outcome::NotExecuted));
    assert_eq!(log.text().matches("scripted: in drop of odd").count(), 2, "{}", log.text());
}

#[tokio::test(start_paused = true)]
async fn arguments_that_panic_when_their_call_is_dropped_do_so_in_its_attempt() {
    quiet();
    let registry = Registry::builder().tool::<hold>().build().unwrap();
    let executor = Executor::builder(registry).build().unwrap();
    let log = Captured::start();
    let call = executor.call(ToolCall::new("hold", json!({"value": "odd"})));
    assert!(tokio::time::timeout(Duration::from_secs(1), call).await.is_err());
    assert!(log.text().contains("scripted: in drop of odd"), "{}", log.text());
}

/// Answers, or does not, and panics at its end.
struct Leaving(bool);

impl Approver for Leaving {
    fn approve<'a>(&'a self, _: &'a Confirmation) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        let end = Fragile("odd".to_owned());
        let is_answered = self.0;
        Box::pin(std::future::poll_fn(move |_| {
            let _kept = &end;
            if is_answered { Poll::Ready(true) } else { Poll::Pending }
        }))
    }
}

#[tokio::test(start_paused = true)]
async fn an_approver_that_panics_at_its_end_changes_nothing() {
    quiet();
    for (is_answered, stop) in [(true, None), (false, Some(StopReason::NeedsConfirmation))] {
        let (tool, _) = toolkit::testing::scripted("asks", []);
        let registry = Registry::builder().dynamic(tool.category(Category::Dangerous)).build().unwrap();
        let executor = Executor::builder(registry).approver(Leaving(is_answered)).build().unwrap();
        let result = executor.call(ToolCall::new("asks", "{}").deadline(Duration::from_secs(1))).await;
        assert_eq!(result.stop(), stop);
        let dropped = tokio::time::timeout(Duration::from_secs(1), executor.call(ToolCall::new("asks", "{}"))).await;
        assert_eq!(dropped.is_ok(), is_answered);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_panics_whatever_the_name_and_the_arguments_are(
        name in prop_oneof![Just("explode".to_owned()), Just("fussy".to_owned()), ".{0,40}"],
        arguments in prop_oneof!["\\PC{0,60}", r#"\{"(kind|value)": ?("[a-z\\]{0,8}"|[0-9.e-]{0,9}|\[*\]*)[},]?"#],
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let result = executor().call(ToolCall::new(name, arguments)).await;
            assert!(result.is_success() || told(&result).is_object());
        });
    }
}
