//! Calls on a runtime that lacks something, or on none: a result each time, and never a panic.

use std::future::Future as _;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tokio::runtime::Builder;
use toolkit::{Backoff, ErrorClass, Executor, Outcome, Registry, RetryPolicy, ToolCall, tool};

use crate::captured::Captured;
use crate::scripted::{self, Step, call};

/// Adds two numbers.
#[tool(category = Compute)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Fails for now, at once.
#[tool(category = Read)]
async fn unreachable_service() -> Result<(), std::io::Error> {
    Err(std::io::ErrorKind::ConnectionReset.into())
}

/// Waits for what never comes.
#[tool(category = Read)]
async fn forever() {
    std::future::pending::<()>().await;
}

/// Blocks nobody.
#[tool(category = Read)]
fn quick() -> &'static str {
    "quick"
}

/// What a call gives on this way of running it, for four tools.
fn results(run: impl Fn(&Executor, ToolCall) -> toolkit::ToolResult) -> [toolkit::ToolResult; 4] {
    scripted::quiet();
    let tools = Registry::builder().tool::<add>().tool::<unreachable_service>().tool::<forever>().tool::<quick>();
    let executor = Executor::builder(tools.build().unwrap()).build().unwrap();
    [("add", r#"{"a": 1, "b": 2}"#), ("unreachable_service", ""), ("forever", ""), ("quick", "")]
        .map(|(name, arguments)| run(&executor, ToolCall::new(name, arguments)))
}

#[test]
fn a_runtime_without_a_timer_gives_results_and_no_panic() {
    let runtime = Builder::new_current_thread().build().unwrap();
    let log = Captured::start();
    let [plain, unreachable, forever, quick] = results(|executor, call| runtime.block_on(executor.call(call)));
    assert_eq!(plain.text(), "3");
    assert_eq!(unreachable.error().unwrap().class(), ErrorClass::Network);
    assert_eq!((unreachable.attempts().len(), unreachable.is_success()), (1, false));
    assert!(log.text().contains("no retry: the runtime has no timer to wait by"), "{}", log.text());
    assert_eq!(forever.error().unwrap().class(), ErrorClass::Internal);
    assert!(forever.error().unwrap().message().contains("enable_time"));
    // Whether its thread was quicker than the first look decides.
    assert!(quick.is_success() || quick.error().unwrap().class() == ErrorClass::Internal);
}

#[test]
fn a_wait_of_zero_needs_no_timer() {
    let (builder, script) = scripted::builder();
    let policy = RetryPolicy::builder().class(ErrorClass::Network, Backoff::immediate()).build().unwrap();
    let executor = builder.retry(policy).build().unwrap();
    script.play(&[Step::Network, Step::Network]);
    let result = Builder::new_current_thread().build().unwrap().block_on(executor.call(call("safe_3")));
    assert!(result.is_success(), "{result:?}");
    assert_eq!(script.invocations(), 3);
}

#[test]
fn no_runtime_at_all_gives_results_and_no_panic() {
    let [plain, unreachable, forever, quick] = results(|executor, call| {
        let mut future = pin!(executor.call(call));
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(result) => result,
            Poll::Pending => panic!("nobody would ever wake this call"),
        }
    });
    assert_eq!(plain.text(), "3");
    assert_eq!(unreachable.error().unwrap().class(), ErrorClass::Network);
    assert_eq!(forever.error().unwrap().class(), ErrorClass::Internal);
    assert_eq!(quick.error().unwrap().class(), ErrorClass::Internal);
    assert_eq!((quick.outcome(), quick.attempts().len()), (Outcome::NotExecuted, 1));
}
