//! Calls that are dropped: no later attempt, nothing lost, nothing left, and an answer all the same.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use serde_json::json;
use toolkit::testing::Trace;
use toolkit::{
    Backoff, Cancellation, ErrorClass, Executor, ExecutorBuilder, Language, Outcome, Registry, RetryPolicy, StopReason,
    ToolCall, ToolContext, ToolError, tool,
};

const SECOND: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Seen {
    begun: AtomicUsize,
    /// Bodies that are there: begun, and neither ended nor dropped.
    alive: AtomicUsize,
    tokens: Mutex<Vec<Cancellation>>,
}

struct Alive<'a>(&'a Seen);

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        self.0.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Seen {
    fn enter(&self) -> Alive<'_> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        self.alive.fetch_add(1, Ordering::SeqCst);
        Alive(self)
    }
}

/// Waits twice, then fails.
#[tool(category = Read, max_retries = 3)]
async fn slow(#[state] seen: &Seen) -> Result<(), ToolError> {
    let _alive = seen.enter();
    tokio::time::sleep(Duration::from_millis(20)).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    Err(ToolError::new(ErrorClass::Network, "no route"))
}

/// Pays, which takes a while.
#[tool(category = Communicate, max_retries = 0)]
async fn pay(amount: u32, #[state] seen: &Seen) -> u32 {
    let _alive = seen.enter();
    tokio::time::sleep(SECOND).await;
    amount
}

/// Looks, which takes a while.
#[tool(category = Read, max_retries = 0)]
async fn look(amount: u32, #[state] seen: &Seen) -> u32 {
    let _alive = seen.enter();
    tokio::time::sleep(SECOND).await;
    amount
}

/// Spawns work.
#[tool(category = Read, max_retries = 1, timeout = "1s")]
async fn spawning(how: String, ctx: &ToolContext, #[state] seen: &Seen) -> Result<String, ToolError> {
    seen.tokens.lock().unwrap().extend([ctx.cancellation(), ctx.cancellation()]);
    match how.as_str() {
        "hang" if ctx.attempt() == 1 => std::future::pending().await,
        "panic" => panic!("scripted: it panics"),
        "fail" => Err(ToolError::new(ErrorClass::Network, "no route")),
        _ => Ok(how),
    }
}

/// Blocks its thread until it is told to stop.
#[tool(category = Read, max_retries = 0, timeout = "250ms")]
fn blocking(#[state] seen: &Seen, ctx: &ToolContext) -> String {
    let _alive = seen.enter();
    let token = ctx.cancellation();
    seen.tokens.lock().unwrap().push(token.clone());
    tokio::runtime::Handle::current().block_on(token.cancelled());
    assert!(ctx.cancellation().is_cancelled());
    "stopped".to_owned()
}

fn executor() -> (Executor, Arc<Seen>) {
    let (builder, seen) = builder();
    (builder.build().unwrap(), seen)
}

fn builder() -> (ExecutorBuilder, Arc<Seen>) {
    crate::scripted::quiet();
    let seen = Arc::new(Seen::default());
    let tools = Registry::builder().tool::<slow>().tool::<pay>().tool::<look>().tool::<spawning>().tool::<blocking>();
    let executor = Executor::builder(tools.build().unwrap()).state(Arc::clone(&seen)).seed(3).concurrency(2);
    (executor, seen)
}

#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_anywhere_leaves_nothing_behind() {
    let (executor, seen) = executor();
    let runtime = tokio::runtime::Handle::current();
    let tasks = runtime.metrics().num_alive_tasks();
    // Every wait of a call of four attempts: two in each, and the three between them.
    let mut waits = 0;
    for polls in 0.. {
        seen.begun.store(0, Ordering::SeqCst);
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        let is_over = {
            let mut call = pin!(executor.call(ToolCall::new("slow", "{}")));
            let mut polled = Poll::Pending;
            for _ in 0..polls {
                polled = call.as_mut().poll(&mut Context::from_waker(&waker)).map(|result| result.stop());
                // To the next timer, whichever it is, and past it.
                let before = woken.0.load(Ordering::SeqCst);
                for _ in 0..3000 {
                    if polled.is_ready() || woken.0.load(Ordering::SeqCst) > before {
                        break;
                    }
                    tokio::time::advance(Duration::from_millis(1)).await;
                }
            }
            polled.is_ready()
        };
        let (begun, woken_before) = (seen.begun.load(Ordering::SeqCst), woken.0.load(Ordering::SeqCst));
        assert_eq!(seen.alive.load(Ordering::SeqCst), 0);
        tokio::time::advance(SECOND * 100).await;
        tokio::task::yield_now().await;
        assert_eq!((seen.begun.load(Ordering::SeqCst), woken.0.load(Ordering::SeqCst)), (begun, woken_before));
        assert_eq!((runtime.metrics().num_alive_tasks(), Arc::strong_count(&woken)), (tasks, 2));
        // Neither a token nor a place is lost: a whole call still makes all its attempts, and two run at once.
        let [one, two] = [(); 2].map(|()| executor.call(ToolCall::new("slow", "{}")));
        let (one, two) = tokio::join!(one, two);
        assert_eq!((one.attempts().len(), two.attempts().len()), (4, 4), "after {polls} polls");
        tokio::time::advance(SECOND * 100).await;
        if is_over {
            waits = polls;
            break;
        }
    }
    assert_eq!(waits, 12, "eleven waits and the end");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_dropped_runs_nothing_more_and_its_calls_can_be_answered() {
    let (executor, seen) = executor();
    for _ in 0..2 {
        seen.begun.store(0, Ordering::SeqCst);
        let run = executor.run("");
        let calls = [("pay", 1), ("look", 2), ("pay", 3)].map(|(name, n)| ToolCall::new(name, json!({"amount": n})));
        assert!(tokio::time::timeout(SECOND / 2, run.call_all(calls.clone())).await.is_err());
        // Two began, and the third waited for its place.
        assert_eq!((seen.begun.load(Ordering::SeqCst), seen.alive.load(Ordering::SeqCst)), (2, 0));
        tokio::time::advance(SECOND * 100).await;
        assert_eq!(seen.begun.load(Ordering::SeqCst), 2);
        // What may have been paid is paid again only when a person says so; what was looked up is looked up again.
        let again = run.call(calls[0].clone()).await;
        assert_eq!((again.stop(), again.outcome()), (Some(StopReason::Repeated), Outcome::NotExecuted));
        assert!(again.confirmation().is_some());
        assert!(run.call(calls[1].clone()).await.is_success());
        assert!(run.call(calls[2].clone()).await.is_success());
        assert!(run.call(calls[0].clone().confirmed(true)).await.is_success());
    }
}

#[tokio::test(start_paused = true)]
async fn observers_are_told_of_the_end_of_a_call_that_is_dropped() {
    let trace = Trace::new();
    let tools = Registry::builder().tool::<slow>().build().unwrap();
    let builder = Executor::builder(tools).state(Seen::default()).concurrency(1);
    let executor = builder.observer(trace.clone()).build().unwrap();
    let dropped = async |millis| {
        let calls = [ToolCall::new("slow", "{}"), ToolCall::new("slow", "{}")].map(|call| executor.call(call));
        let [one, two] = calls;
        let both = async { tokio::join!(one, two) };
        assert!(tokio::time::timeout(Duration::from_millis(millis), both).await.is_err());
        let attempts = ["attempt_started", "attempt_finished"]
            .map(|name| trace.events().iter().filter(|event| event.name == name).count());
        assert_eq!(attempts[0], attempts[1], "{trace}");
        let ends = trace.events().into_iter().filter(|event| event.name == "call_finished");
        let ends: Vec<_> = ends.map(|end| (end.outcome.unwrap(), end.attempts.unwrap(), end.stop.unwrap())).collect();
        trace.clear();
        ends
    };
    let stop = StopReason::Cancelled;
    assert_eq!(dropped(10).await, [(Outcome::Unknown, 1, stop), (Outcome::NotExecuted, 0, stop)]);
    assert_eq!(dropped(60).await, [(Outcome::Unknown, 1, stop); 2]);
    let whole = executor.call(ToolCall::new("slow", "{}")).await;
    assert_eq!(whole.stop(), Some(StopReason::Exhausted));
    assert_eq!(trace.events().iter().filter(|event| event.name == "call_finished").count(), 1);
}

#[tokio::test]
async fn an_answer_to_a_cancelled_call_is_neutral() {
    let (executor, _) = executor();
    let call = ToolCall::new("pay", json!({"amount": 1})).id("call_7");
    for (begun, outcome) in [(false, Outcome::NotExecuted), (true, Outcome::Unknown)] {
        let result = executor.run("").cancelled(&call, begun);
        assert_eq!((result.call_id(), result.name(), result.stop()), ("call_7", "pay", Some(StopReason::Cancelled)));
        assert_eq!((result.outcome(), result.error().is_none(), result.is_success()), (outcome, true, false));
        let told: serde_json::Value = serde_json::from_str(result.text()).unwrap();
        assert_eq!((&told["stop"], &told["outcome"]), (&json!("cancelled"), &json!(outcome.as_str())));
        assert!(told.get("error").is_none());
        assert_eq!(result.text().contains("may have taken effect"), begun);
        serde_json::to_value(&result).unwrap();
    }
    let tools = Registry::builder().tool::<look>().build().unwrap();
    let chinese = Executor::builder(tools).state(Seen::default()).language(Language::Zh).build().unwrap();
    assert!(chinese.run("").cancelled(&call, true).text().contains("取消"));
}

fn tokens(seen: &Seen) -> Vec<bool> {
    seen.tokens.lock().unwrap().iter().map(Cancellation::is_cancelled).collect()
}

#[tokio::test(start_paused = true)]
async fn work_that_a_tool_spawned_is_told_when_its_attempt_is_given_up_and_only_then() {
    let call = |how: &str| ToolCall::new("spawning", json!({"how": how}));
    // Each attempt has a token of its own, and both that it asked for say the same.
    let (executor, seen) = executor();
    assert!(executor.call(call("hang")).await.is_success());
    assert_eq!(tokens(&seen), [true, true, false, false]);
    for (how, cancelled) in [("succeed", vec![false; 2]), ("fail", vec![false; 4]), ("panic", vec![true; 2])] {
        seen.tokens.lock().unwrap().clear();
        executor.call(call(how)).await;
        assert_eq!(tokens(&seen), cancelled, "{how}");
    }
    seen.tokens.lock().unwrap().clear();
    let dropped = tokio::time::timeout(SECOND / 2, executor.call(call("hang"))).await;
    assert!(dropped.is_err());
    assert_eq!(tokens(&seen), [true, true]);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_the_end_of_an_attempt_that_is_given_up_is_woken_and_nobody_else() {
    let (executor, seen) = executor();
    let call = executor.call(ToolCall::new("spawning", json!({"how": "hang"})));
    let watching = async {
        tokio::task::yield_now().await;
        let token = seen.tokens.lock().unwrap()[0].clone();
        let before = tokio::time::Instant::now();
        token.cancelled().await;
        before.elapsed()
    };
    let (result, waited) = tokio::join!(call, watching);
    assert!(result.is_success() && waited == SECOND);
    let second = seen.tokens.lock().unwrap()[2].clone();
    assert!(tokio::time::timeout(SECOND * 100, second.cancelled()).await.is_err());
    let detached = ToolContext::detached();
    let token = detached.cancellation();
    assert!(!token.is_cancelled());
    drop(detached);
    assert!(tokio::time::timeout(SECOND, token.cancelled()).await.is_err());
}

#[tokio::test]
async fn a_tool_on_a_thread_of_its_own_can_be_told_to_stop() {
    let (executor, seen) = executor();
    let run = executor.run("");
    for _ in 0..2 {
        // It still runs, and nobody has to be asked for what can be done twice.
        let result = run.call(ToolCall::new("blocking", "{}")).await;
        assert_eq!((result.stop(), result.outcome()), (Some(StopReason::StillRunning), Outcome::Unknown));
    }
    for _ in 0..500 {
        if seen.alive.load(Ordering::SeqCst) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it goes on and on");
}

#[tokio::test]
async fn a_tool_that_still_runs_is_in_doubt_whatever_ended_its_call() {
    let (builder, _) = builder();
    let policy = RetryPolicy::builder().class(ErrorClass::Timeout, Backoff::never()).build().unwrap();
    let result = builder.retry(policy).build().unwrap().call(ToolCall::new("blocking", "{}")).await;
    assert_eq!((result.stop(), result.outcome()), (Some(StopReason::Permanent), Outcome::Unknown));
}
