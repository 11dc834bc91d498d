//! The way of one call: time limits, threads, runtimes, and what is left when a call is dropped.

use std::future::Future as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::json;
use tokio::runtime::Builder;
use tokio::time::Instant;
use toolkit::testing::Trace;
use toolkit::{
    Backoff, ErrorClass, Executor, Outcome, Registry, RetryPolicy, StopReason, Tool, ToolCall, ToolContext, ToolError,
    tool,
};

use crate::scripted::{self, Script, Step, call, told};

const SECOND: Duration = Duration::from_secs(1);

fn with<T: Tool, S: Send + Sync + 'static>(state: S) -> Executor {
    Executor::builder(Registry::builder().tool::<T>().build().unwrap()).state(state).build().unwrap()
}

fn of<T: Tool>() -> Executor {
    Executor::builder(Registry::builder().tool::<T>().build().unwrap()).build().unwrap()
}

/// Adds two numbers.
#[tool(category = Compute)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Takes a second.
#[tool(category = Read)]
async fn slow() {
    tokio::time::sleep(SECOND).await;
}

/// Says what it knows of its call.
#[tool(category = Read)]
async fn report(context: &ToolContext) -> String {
    format!("{} {} {:?} {:?}", context.tool(), context.call_id(), context.time_left(), context.roles())
}

#[tokio::test(start_paused = true)]
async fn a_call_that_succeeds_at_once_has_one_attempt_and_no_error() {
    let result = of::<add>().call(ToolCall::new("add", json!({"a": 2, "b": 40})).id("call_1")).await;
    assert_eq!((result.text(), result.call_id(), result.name()), ("42", "call_1", "add"));
    assert_eq!((result.outcome(), result.stop(), result.attempts().len()), (Outcome::Succeeded, None, 1));
    assert_eq!((result.attempts()[0].number(), result.attempts()[0].delay()), (1, None));
    assert!(result.error().is_none() && result.repairs().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_tool_knows_its_call() {
    let executor = of::<report>();
    let bare = executor.call(ToolCall::new("report", "").id("c7")).await;
    assert_eq!(bare.text(), r#"report c7 None ["user"]"#);
    let run = executor.run("job").roles(["support", "admin"]).deadline(SECOND * 3);
    tokio::time::advance(SECOND).await;
    let result = run.call(ToolCall::new("report", "{}").id("c8")).await;
    assert_eq!(result.text(), r#"report c8 Some(2s) ["support", "admin"]"#);
    let nearer = run.call(ToolCall::new("report", "{}").deadline(SECOND / 2)).await;
    assert_eq!(nearer.text(), r#"report  Some(500ms) ["support", "admin"]"#);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_ends_at_its_limit_and_a_result_that_is_ready_then_counts() {
    /// Takes its time.
    #[tool(category = Read, max_retries = 0, timeout = "2s")]
    async fn wait(millis: u64) -> &'static str {
        tokio::time::sleep(Duration::from_millis(millis)).await;
        "there"
    }

    let executor = of::<wait>();
    let late = executor.call(ToolCall::new("wait", json!({"millis": 2001}))).await;
    assert_eq!((late.duration(), late.error().unwrap().class()), (SECOND * 2, ErrorClass::Timeout));
    assert_eq!(told(&late)["message"], "the tool gave no answer within 2s");
    let just = executor.call(ToolCall::new("wait", json!({"millis": 2000}))).await;
    assert_eq!((just.duration(), just.text()), (SECOND * 2, "there"));
}

/// Has always something at hand to go on with, so that it yields only because the runtime tells it to.
#[tool(category = Read, max_retries = 0, timeout = "2s")]
async fn busy() {
    for _ in 0..100 {
        while tokio::task::coop::has_budget_remaining() {
            tokio::task::consume_budget().await;
        }
        tokio::time::advance(SECOND).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_uses_up_its_turns_ends_at_its_limit_and_at_the_deadline() {
    let executor = of::<busy>();
    for (deadline, limit) in [(SECOND * 50, SECOND * 2), (SECOND, SECOND)] {
        let result = executor.call(ToolCall::new("busy", "").deadline(deadline)).await;
        assert_eq!(result.error().map(ToolError::class), Some(ErrorClass::Timeout));
        assert!(result.duration() <= limit + SECOND, "{:?}", result.duration());
    }
}

#[tokio::test(start_paused = true)]
async fn ten_seconds_are_the_limit_where_the_tool_sets_none() {
    /// Never answers.
    #[tool(category = Read, max_retries = 0)]
    async fn never() {
        std::future::pending::<()>().await;
    }

    let result = of::<never>().call(ToolCall::new("never", "")).await;
    assert_eq!(result.duration(), SECOND * 10);
    let registry = Registry::builder().tool::<never>().build().unwrap();
    for limit in [SECOND * 3, Duration::MAX] {
        let executor = Executor::builder(registry.clone()).default_timeout(limit).build().unwrap();
        let result = executor.call(ToolCall::new("never", "").deadline(SECOND * 5)).await;
        assert_eq!(result.duration(), limit.min(SECOND * 5));
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_at_the_end_of_the_clock_is_no_fault() {
    let (executor, script) = scripted::executor();
    let registry = Registry::builder().tool::<slow>().build().unwrap();
    for far in [Duration::MAX, longest_time(), longest_time().saturating_sub(SECOND / 2)] {
        script.play(&[Step::Hang, Step::Network, Step::Hang]);
        let result = executor.call(call("safe_3").deadline(far)).await;
        assert!(result.is_success(), "{far:?}: {result:?}");
    }
    for limit in [Duration::MAX, longest_time()] {
        let patient = Executor::builder(registry.clone()).default_timeout(limit.min(longest_time())).build().unwrap();
        let result = patient.call(ToolCall::new("slow", "")).await;
        assert!(result.is_success(), "{limit:?}: {result:?}");
    }
}

/// The time from now to the end of the clock, to the nanosecond.
fn longest_time() -> Duration {
    let fits = |time: Duration| Instant::now().into_std().checked_add(time).is_some();
    let seconds = (0..64)
        .rev()
        .map(|bit| 1_u64 << bit)
        .fold(0, |sum, bit| if fits(Duration::from_secs(sum + bit)) { sum + bit } else { sum });
    let nanos = (0..30).rev().map(|bit| 1_u32 << bit).fold(0, |sum, bit| {
        if sum + bit < 1_000_000_000 && fits(Duration::new(seconds, sum + bit)) { sum + bit } else { sum }
    });
    Duration::new(seconds, nanos)
}

#[tokio::test(start_paused = true)]
async fn without_time_nothing_is_run() {
    let (executor, script) = scripted::executor();
    script.play(&[]);
    let run = executor.run("job").deadline(SECOND);
    tokio::time::advance(SECOND).await;
    let results = [executor.call(call("once_0").deadline(Duration::ZERO)).await, run.call(call("once_0")).await];
    for result in results {
        assert_eq!((result.stop(), result.outcome()), (Some(StopReason::Deadline), Outcome::NotExecuted));
        assert_eq!((script.invocations(), result.attempts().len()), (0, 0));
        assert_eq!(told(&result)["arguments"]["argument"], "same");
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_the_whole_call_cuts_its_attempts() {
    let (executor, script) = scripted::executor();
    script.play(&[Step::Hang; 4]);
    let result = executor.call(call("safe_3").deadline(Duration::from_millis(3_500))).await;
    // The first is cut by its own limit, the second by what is left.
    let lengths: Vec<_> = result.attempts().iter().map(toolkit::Attempt::duration).collect();
    assert_eq!(lengths.len(), 2);
    assert_eq!((lengths[0], result.duration()), (SECOND * 2, Duration::from_millis(3_500)));
    assert_eq!(result.stop(), Some(StopReason::Deadline));
}

#[tokio::test(start_paused = true)]
async fn one_thread_goes_on_with_other_work_while_a_call_sleeps() {
    let (executor, script) = scripted::executor();
    let ticks = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&ticks);
    let ticker = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(10)).await;
            counter.fetch_add(1, Ordering::Relaxed);
        }
    });
    script.play(&[Step::Network, Step::Hang, Step::Throttled]);
    let result = executor.call(call("safe_3")).await;
    ticker.abort();
    let expected = result.duration().as_millis() / 10;
    assert!(result.is_success());
    assert!(u128::from(ticks.load(Ordering::Relaxed)).abs_diff(expected) <= 1, "{ticks:?} of {expected}");
}

/// Polls a call so many times that something happens, then drops it. Says whether it was still on its way.
async fn drop_after(executor: &Executor, call: ToolCall, polls: usize) -> bool {
    let mut future = Box::pin(executor.call(call));
    for _ in 0..polls {
        let polled = std::future::poll_fn(|task| Poll::Ready(future.as_mut().poll(task))).await;
        if polled.is_ready() {
            return false;
        }
        // The paused clock goes on to whatever timer is next.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    true
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_makes_no_further_attempt() {
    let (executor, script) = scripted::executor();
    let steps = [Step::Network, Step::Hang, Step::RateLimited];
    let mut unfinished = 0;
    for polls in 0..100 {
        script.play(&steps);
        if !drop_after(&executor, call("safe_3"), polls).await {
            break;
        }
        unfinished += 1;
        let invocations = script.invocations();
        tokio::time::sleep(SECOND * 60).await;
        assert_eq!(script.invocations(), invocations, "dropped after {polls} polls");
        assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
    }
    assert!(unfinished > 10, "{unfinished}");
}

#[tokio::test(start_paused = true)]
async fn what_a_tool_holds_is_freed_when_its_attempt_is_given_up() {
    struct Guard(Arc<AtomicBool>);

    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    /// Holds something for a while.
    #[tool(category = Read, max_retries = 0)]
    async fn hold(millis: u64, #[state] (freed, finished): &(Arc<AtomicBool>, AtomicBool)) {
        let _guard = Guard(Arc::clone(freed));
        tokio::time::sleep(Duration::from_millis(millis)).await;
        finished.store(true, Ordering::SeqCst);
    }

    let freed = Arc::new(AtomicBool::new(false));
    let states = Arc::new((Arc::clone(&freed), AtomicBool::new(false)));
    let executor = with::<hold, _>(Arc::clone(&states));
    assert!(drop_after(&executor, ToolCall::new("hold", json!({"millis": 900})), 2).await);
    assert!(freed.swap(false, Ordering::SeqCst));
    assert!(!executor.call(ToolCall::new("hold", json!({"millis": 90_000}))).await.is_success());
    assert!(freed.load(Ordering::SeqCst) && !states.1.load(Ordering::SeqCst));
}

/// Where the body of a blocking tool stands.
#[derive(Default)]
struct Work {
    begun: AtomicU32,
    ended: AtomicU32,
    thread: Mutex<Option<std::thread::ThreadId>>,
}

macro_rules! blocking {
    ($($name:ident: $category:ident;)*) => {$(
        /// Blocks its thread.
        #[tool(category = $category, max_retries = 3, timeout = "40ms")]
        fn $name(millis: u64, #[state] work: &Arc<Work>) -> &'static str {
            work.begun.fetch_add(1, Ordering::SeqCst);
            *work.thread.lock().unwrap() = Some(std::thread::current().id());
            std::thread::sleep(Duration::from_millis(millis));
            work.ended.fetch_add(1, Ordering::SeqCst);
            "done"
        }
    )*};
}

blocking! {
    block_read: Read;
    block_write: Write;
}

#[tokio::test]
async fn a_blocking_tool_runs_beside_the_runtime_and_not_on_it() {
    let work = Arc::new(Work::default());
    let result = with::<block_read, _>(Arc::clone(&work)).call(ToolCall::new("block_read", json!({"millis": 1}))).await;
    assert_eq!(result.text(), "done");
    assert_ne!(work.thread.lock().unwrap().unwrap(), std::thread::current().id());
}

#[tokio::test]
async fn a_blocking_tool_that_ran_out_of_time_is_not_run_beside_itself() {
    let work = Arc::new(Work::default());
    let executor = with::<block_read, _>(Arc::clone(&work));
    let result = executor.call(ToolCall::new("block_read", json!({"millis": 150}))).await;
    assert_eq!((result.stop(), result.outcome()), (Some(StopReason::StillRunning), Outcome::Unknown));
    assert_eq!((result.error().unwrap().class(), result.attempts().len()), (ErrorClass::Timeout, 1));
    assert_eq!((work.begun.load(Ordering::SeqCst), work.ended.load(Ordering::SeqCst)), (1, 0));
    let told = told(&result);
    assert!(told["next"].as_str().unwrap().contains("may have taken effect"));
    assert_eq!(told["may_call_again"], false);
    tokio::time::sleep(Duration::from_millis(250)).await;
    assert_eq!((work.begun.load(Ordering::SeqCst), work.ended.load(Ordering::SeqCst)), (1, 1));

    let executor = with::<block_write, _>(Arc::clone(&work));
    let result = executor.call(ToolCall::new("block_write", json!({"millis": 80}))).await;
    assert_eq!((result.stop(), result.outcome()), (Some(StopReason::NotIdempotent), Outcome::Unknown));
}

/// A runtime with one thread for blocking work, which is held until the barrier is passed.
fn with_its_blocking_thread_held(test: impl AsyncFnOnce(Arc<Barrier>)) {
    let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
    let gate = Arc::new(Barrier::new(2));
    let held = Arc::clone(&gate);
    runtime.spawn_blocking(move || held.wait());
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(gate))));
    // The thread may still be held, and a test that failed must not wait for it.
    runtime.shutdown_background();
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

#[test]
fn a_blocking_tool_that_had_not_begun_never_begins_and_did_nothing() {
    with_its_blocking_thread_held(async |gate| {
        let work = Arc::new(Work::default());
        let executor = with::<block_write, _>(Arc::clone(&work));
        let call = ToolCall::new("block_write", json!({"millis": 0})).deadline(Duration::from_millis(200));
        let result = executor.call(call).await;
        assert_eq!((result.stop(), result.outcome()), (Some(StopReason::Deadline), Outcome::NotExecuted));
        assert_eq!(told(&result)["error"], "timeout");

        let trace = Trace::new();
        let registry = Registry::builder().tool::<block_write>().build().unwrap();
        let executor = Executor::builder(registry).state(Arc::clone(&work)).observer(trace.clone()).build().unwrap();
        let mut dropped = Box::pin(executor.call(ToolCall::new("block_write", json!({"millis": 0}))));
        assert!(dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(dropped);
        let end = trace.events().pop().unwrap();
        assert_eq!((end.name, end.outcome, end.attempts), ("call_finished", Some(Outcome::NotExecuted), Some(1)));
        gate.wait();
        tokio::task::spawn_blocking(|| ()).await.unwrap();
        assert_eq!(work.begun.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn a_blocking_tool_that_had_not_begun_is_tried_again() {
    with_its_blocking_thread_held(async |gate| {
        let work = Arc::new(Work::default());
        let policy = RetryPolicy::builder().class(ErrorClass::Timeout, Backoff::immediate()).build().unwrap();
        let registry = Registry::builder().tool::<block_write>().build().unwrap();
        let executor = Executor::builder(registry).state(Arc::clone(&work)).retry(policy).build().unwrap();
        let opened = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(60)).await;
            gate.wait();
        });
        let result = executor.call(ToolCall::new("block_write", json!({"millis": 0}))).await;
        opened.await.unwrap();
        assert!(result.is_success() && result.attempts().len() > 1, "{result:?}");
        assert_eq!(work.begun.load(Ordering::SeqCst), 1);
    });
}

#[test]
fn an_executor_is_shared_by_threads() {
    fn shared<T: Clone + Send + Sync + 'static>(_: &T) {}
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let executor = of::<add>();
    shared(&executor);
    drop(sent(executor.call(ToolCall::new("add", ""))));
    let run = executor.run("");
    drop(sent(run.call_all([ToolCall::new("add", "")])));
    let _: Script = Script::default();
}
