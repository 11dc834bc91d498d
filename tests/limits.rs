//! How many attempts run at once: a limit over the executor, tools that run alone, calls in calls.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_util::future::join_all;
use proptest::prelude::*;
use serde_json::json;
use tokio::time::Instant;
use toolkit::testing::ManualClock;
use toolkit::{
    ErrorClass, Executor, ExecutorBuilder, Outcome, Registry, StopReason, ToolCall, ToolContext, ToolError, ToolResult,
    tool,
};

const SECOND: Duration = Duration::from_secs(1);

#[derive(Default)]
struct Seen {
    now: AtomicU32,
    most: AtomicU32,
    /// What began and what ended, in that order.
    log: Mutex<Vec<String>>,
}

impl Seen {
    fn enter(&self, who: &str) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.log.lock().unwrap().push(format!("+{who}"));
    }

    fn leave(&self, who: &str) {
        self.now.fetch_sub(1, Ordering::SeqCst);
        self.log.lock().unwrap().push(format!("-{who}"));
    }

    fn log(&self) -> String {
        self.log.lock().unwrap().join(" ")
    }
}

/// Waits.
#[tool(category = Read, max_retries = 1, timeout = "5s")]
async fn wait(who: String, millis: u64, #[state] seen: &Seen) -> String {
    seen.enter(&who);
    tokio::time::sleep(Duration::from_millis(millis)).await;
    seen.leave(&who);
    who
}

/// Waits, alone.
#[tool(category = Write, sequential)]
async fn alone(who: String, millis: u64, #[state] seen: &Seen) -> String {
    seen.enter(&who);
    tokio::time::sleep(Duration::from_millis(millis)).await;
    seen.leave(&who);
    who
}

/// Fails once, and is well again a second later.
#[tool(category = Read)]
async fn flaky(who: String, ctx: &ToolContext, #[state] seen: &Seen) -> Result<String, ToolError> {
    seen.enter(&who);
    seen.leave(&who);
    if ctx.attempt() == 1 { Err(ToolError::new(ErrorClass::Network, "no route")) } else { Ok(who) }
}

/// Calls another tool from inside.
#[tool(category = Read, timeout = "9s")]
async fn outer(name: String, millis: Option<u64>, #[state] inner: &Inner) -> Result<String, ToolError> {
    let arguments = json!({"who": "inner", "millis": millis.unwrap_or_default()});
    let arguments = if name == "down" { json!({}) } else { arguments };
    let executor = inner.0.lock().unwrap().clone().unwrap();
    let result = executor.call(ToolCall::new(&name, arguments)).await;
    match result.error() {
        None => Ok(result.text().to_owned()),
        Some(error) => Err(error.clone()),
    }
}

/// Calls another tool from inside, on a thread of its own.
#[tool(category = Read)]
fn outer_blocking(name: String, #[state] inner: &Inner) -> Result<String, ToolError> {
    let executor = inner.0.lock().unwrap().clone().unwrap();
    let call = executor.call(ToolCall::new(&name, json!({})));
    let result = tokio::runtime::Handle::current().block_on(call);
    result.error().map_or_else(|| Ok(result.text().to_owned()), |error| Err(error.clone()))
}

/// Spawns the call as work of its own.
#[tool(category = Read)]
async fn outer_spawning(name: String, #[state] inner: &Inner) -> String {
    let executor = inner.0.lock().unwrap().clone().unwrap();
    let call = async move { executor.call(ToolCall::new(&name, json!({}))).await };
    tokio::spawn(call).await.unwrap().attempts().len().to_string()
}

/// Is down.
#[tool(category = Read)]
async fn down(#[state] seen: &Seen, ctx: &ToolContext) -> Result<(), ToolError> {
    seen.enter(&ctx.time_left().map_or_else(String::new, |left| left.as_secs().to_string()));
    seen.leave("");
    Err(ToolError::new(ErrorClass::Network, "no route"))
}

#[derive(Clone, Default)]
struct Inner(Arc<Mutex<Option<Executor>>>);

fn builder() -> (ExecutorBuilder, Arc<Seen>, Inner) {
    let (seen, inner) = (Arc::new(Seen::default()), Inner::default());
    let tools = Registry::builder().tool::<wait>().tool::<alone>().tool::<flaky>().tool::<outer>().tool::<down>();
    let registry = tools.tool::<outer_blocking>().tool::<outer_spawning>().build().unwrap();
    (Executor::builder(registry).state(Arc::clone(&seen)).state(inner.clone()).seed(1), seen, inner)
}

fn waiting(who: impl Into<String>, millis: u64) -> ToolCall {
    ToolCall::new("wait", json!({"who": who.into(), "millis": millis}))
}

fn at(name: &str, who: &str, millis: u64) -> ToolCall {
    ToolCall::new(name, json!({"who": who, "millis": millis}))
}

#[test]
fn a_concurrency_of_nothing_is_refused() {
    let (builder, ..) = builder();
    let error = builder.concurrency(0).build().unwrap_err().to_string();
    assert_eq!(error, "a concurrency of 0 lets no attempt begin");
}

#[tokio::test(start_paused = true)]
async fn no_more_attempts_run_at_once_than_are_let_and_they_run_in_the_order_of_arrival() {
    for (limit, length) in [(1, 10), (3, 4), (10, 1), (usize::MAX, 1)] {
        let (builder, seen, _) = builder();
        let executor = builder.concurrency(limit).build().unwrap();
        let before = Instant::now();
        let clones = (0..10).map(|who| (executor.clone(), who));
        let calls = clones.map(|(executor, who)| async move { executor.call(waiting(who.to_string(), 1000)).await });
        let results = join_all(calls).await;
        assert_eq!(before.elapsed(), SECOND * length);
        assert_eq!(seen.most.load(Ordering::SeqCst), u32::try_from(limit.min(10)).unwrap());
        assert!(results.iter().all(|result| result.is_success() && result.attempts()[0].duration() == SECOND));
        let begun: Vec<String> = seen.log().split(' ').filter(|one| one.starts_with('+')).map(str::to_owned).collect();
        assert_eq!(begun, (0..10).map(|who| format!("+{who}")).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_place_counts_against_the_deadline_and_not_against_the_attempt() {
    let (builder, seen, _) = builder();
    let executor = builder.concurrency(1).default_timeout(SECOND * 3).build().unwrap();
    // Four seconds in the queue and two of work, with a limit of five for the attempt.
    let calls = [waiting("a", 4000), waiting("b", 2000), waiting("c", 10).deadline(SECOND * 5)];
    let results = executor.run("").call_all(calls).await;
    assert!(results[0].is_success() && results[1].is_success());
    assert_eq!(results[1].attempts()[0].started(), SECOND * 4);
    assert_eq!((results[1].attempts()[0].duration(), results[1].duration()), (SECOND * 2, SECOND * 6));
    let late = &results[2];
    assert_eq!((late.stop(), late.outcome()), (Some(StopReason::Deadline), Outcome::NotExecuted));
    assert_eq!((late.attempts().len(), late.duration()), (0, SECOND * 5));
    assert!(!seen.log().contains('c'));
    assert!(crate::scripted::told(late)["message"].as_str().unwrap().contains("no time is left"));
    // The place that nobody took is free again.
    assert!(executor.call(waiting("d", 1)).await.is_success());
}

/// Holds its place until it is let go.
#[tool(category = Read, timeout = "60m")]
async fn hold(#[state] gate: &tokio::sync::Notify) {
    gate.notified().await;
}

/// Needs no time.
#[tool(category = Read)]
async fn quick() {}

#[test]
fn a_place_that_comes_at_the_deadline_comes_too_late() {
    let registry = Registry::builder().tool::<hold>().tool::<quick>().build().unwrap();
    for (after, stop) in
        [(SECOND / 2, None), (SECOND, Some(StopReason::Deadline)), (SECOND * 2, Some(StopReason::Deadline))]
    {
        let (clock, gate) = (ManualClock::new(), Arc::new(tokio::sync::Notify::new()));
        let builder =
            Executor::builder(registry.clone()).concurrency(1).effects(clock.clone()).state(Arc::clone(&gate));
        let executor = builder.build().unwrap();
        let mut task = Context::from_waker(Waker::noop());
        let mut holder = Box::pin(executor.call(ToolCall::new("hold", "")));
        let mut waiter = Box::pin(executor.call(ToolCall::new("quick", "").deadline(SECOND)));
        assert!(holder.as_mut().poll(&mut task).is_pending() && waiter.as_mut().poll(&mut task).is_pending());
        clock.advance(after);
        gate.notify_one();
        assert!(holder.as_mut().poll(&mut task).is_ready());
        let Poll::Ready(result) = waiter.as_mut().poll(&mut task) else { panic!("it waits on") };
        assert_eq!((result.stop(), result.attempts().len()), (stop, usize::from(stop.is_none())), "{after:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_sleeps_takes_no_place_away() {
    let (builder, seen, _) = builder();
    let executor = builder.concurrency(1).build().unwrap();
    let calls = [ToolCall::new("flaky", json!({"who": "f"})), waiting("w", 500)];
    let before = Instant::now();
    let results = executor.run("").call_all(calls).await;
    assert!(results.iter().all(ToolResult::is_success));
    assert_eq!(seen.log(), "+f -f +w -w +f -f");
    assert!(before.elapsed() < SECOND + SECOND / 5);
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_gets_no_place_in_time_ends_with_the_real_error_and_is_paid_back() {
    let (builder, _, _) = builder();
    let executor = builder.concurrency(1).build().unwrap();
    for _ in 0..30 {
        let run = executor.run("");
        let calls = [ToolCall::new("flaky", json!({"who": "f"})).deadline(SECOND * 2), waiting("w", 3000)];
        let results = run.call_all(calls).await;
        assert_eq!((results[0].stop(), results[0].attempts().len()), (Some(StopReason::Deadline), 1));
        assert_eq!(results[0].error().unwrap().class(), ErrorClass::Network);
        assert_eq!((results[0].attempts()[0].delay(), results[0].duration()), (None, SECOND * 2));
        assert!(results[1].is_success());
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_in_the_queue_or_at_work_gives_its_place_back() {
    let (builder, seen, _) = builder();
    let executor = builder.concurrency(1).build().unwrap();
    for (first, second) in [(100, 50), (50, 100)] {
        let one = tokio::time::timeout(Duration::from_millis(first), executor.call(waiting("one", 9000)));
        let two = tokio::time::timeout(Duration::from_millis(second), executor.call(waiting("two", 9000)));
        let (one, two) = tokio::join!(one, two);
        assert!(one.is_err() && two.is_err());
        assert!(executor.call(waiting("three", 1)).await.is_success());
    }
    assert_eq!(seen.log(), "+one +three -three +one +two +three -three");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_runs_alone_is_a_barrier() {
    let (builder, seen, _) = builder();
    let run = builder.build().unwrap().run("");
    let calls = [
        at("wait", "a", 300),
        at("wait", "b", 100),
        at("alone", "c", 200),
        at("Alone", "d", 100),
        at("wait", "e", 200),
        at("nobody", "f", 0),
        at("wait", "g", 100),
        at("alone", "h", 100),
    ];
    let before = Instant::now();
    let results = run.call_all(calls).await;
    let told: Vec<_> = results.iter().map(|one| if one.is_success() { one.text() } else { "?" }).collect();
    assert_eq!(told, ["a", "b", "c", "d", "e", "?", "g", "h"]);
    assert_eq!(seen.log(), "+a +b -b -a +c -c +d -d +e +g -g -e +h -h");
    assert_eq!(before.elapsed(), Duration::from_millis(300 + 200 + 100 + 200 + 100));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn whatever_runs_alone_has_nothing_beside_it(
        calls in prop::collection::vec((any::<bool>(), 0_u64..50), 0..12),
        limit in prop::option::of(1_usize..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (builder, seen, _) = builder();
            let builder = match limit {
                Some(limit) => builder.concurrency(limit),
                None => builder,
            };
            let call = |(place, (is_alone, millis)): (usize, &(bool, u64))| {
                at(if *is_alone { "alone" } else { "wait" }, &place.to_string(), *millis)
            };
            let results = builder.build().unwrap().run("").call_all(calls.iter().enumerate().map(call)).await;
            let texts: Vec<_> = results.iter().map(|one| one.text().parse::<usize>().unwrap()).collect();
            assert_eq!(texts, (0..calls.len()).collect::<Vec<_>>());
            let (mut running, mut ended) = (0_usize, 0_usize);
            for event in seen.log().split(' ').filter(|event| !event.is_empty()) {
                let place: usize = event[1..].parse().unwrap();
                if event.starts_with('-') {
                    running -= 1;
                    ended += 1;
                    continue;
                }
                running += 1;
                assert!(limit.is_none_or(|limit| running <= limit));
                if calls[place].0 {
                    assert_eq!((running, ended), (1, place));
                }
                // All up to the last barrier before it have ended.
                let barrier = calls[..place].iter().rposition(|call| call.0).map_or(0, |at| at + 1);
                assert!(ended >= barrier, "{}", seen.log());
            }
        });
    }
}

fn nested(name: &str) -> ToolCall {
    ToolCall::new("outer", json!({"name": name}))
}

#[tokio::test(start_paused = true)]
async fn a_call_from_inside_a_tool_is_not_tried_again_by_itself() {
    for (retries, times) in [(false, 3), (true, 9)] {
        let (builder, seen, inner) = builder();
        let executor = builder.nested_retries(retries).build().unwrap();
        *inner.0.lock().unwrap() = Some(executor.clone());
        let result = executor.call(nested("down")).await;
        assert_eq!((result.stop(), result.attempts().len()), (Some(StopReason::Exhausted), 3));
        assert_eq!(seen.log().matches('+').count(), times);
        // What is called from outside is tried again as ever, right after and in between.
        assert_eq!(executor.call(ToolCall::new("down", "{}")).await.attempts().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn only_what_a_tool_itself_waits_for_is_inside() {
    let (builder, _, inner) = builder();
    let executor = builder.build().unwrap();
    *inner.0.lock().unwrap() = Some(executor.clone());
    let run = executor.run("");
    let results = run.call_all([nested("wait"), ToolCall::new("down", "{}"), nested("wait")]).await;
    assert_eq!(results[1].attempts().len(), 3, "a call beside one that is in a tool is not in it");
    let spawned = executor.call(ToolCall::new("outer_spawning", json!({"name": "down"}))).await;
    assert_eq!(spawned.text(), "3");
}

#[tokio::test]
async fn a_tool_on_a_thread_of_its_own_is_outside_of_nothing() {
    let (builder, seen, inner) = builder();
    let executor = builder.concurrency(1).build().unwrap();
    *inner.0.lock().unwrap() = Some(executor.clone());
    let call = ToolCall::new("outer_blocking", json!({"name": "down"})).deadline(SECOND / 2);
    let result = executor.call(call).await;
    // One attempt of the inner tool; the deadline ends the wait for another one of the outer tool.
    assert_eq!((result.stop(), seen.log().as_str()), (Some(StopReason::Deadline), "+0 -"));
}

#[tokio::test(start_paused = true)]
async fn a_call_from_inside_a_tool_ends_when_the_outer_one_must() {
    let (outer_builder, _, inner) = builder();
    let (other, seen, _) = builder();
    *inner.0.lock().unwrap() = Some(other.build().unwrap());
    let executor = outer_builder.build().unwrap();
    let result = executor.call(nested("down").deadline(SECOND * 5)).await;
    assert_eq!(result.attempts().len(), 3);
    // The waits are spread, but what is left only gets less.
    let left: Vec<u64> = seen.log().split(['+', '-', ' ']).filter_map(|part| part.parse().ok()).collect();
    assert!(left.len() == 3 && left[0] == 5 && left.is_sorted_by(|a, b| a > b), "{}", seen.log());
    let endless = executor.call(nested("down")).await;
    assert_eq!(endless.attempts().len(), 3);
    assert!(seen.log().ends_with("+ - + - + -"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_calls_its_own_executor_is_not_kept_waiting_for_its_own_place() {
    let (builder, seen, inner) = builder();
    let executor = builder.concurrency(1).build().unwrap();
    *inner.0.lock().unwrap() = Some(executor.clone());
    let arguments = json!({"name": "wait", "millis": 1000});
    let calls = [ToolCall::new("outer", arguments), waiting("beside", 1000)];
    let before = Instant::now();
    let results = executor.run("").call_all(calls).await;
    assert!(results.iter().all(ToolResult::is_success), "{results:?}");
    assert_eq!((before.elapsed(), seen.log().as_str()), (SECOND * 2, "+inner -inner +beside -beside"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_calls_another_executor_waits_for_a_place_there() {
    let (outer, _, inner) = builder();
    let (other, seen, _) = builder();
    *inner.0.lock().unwrap() = Some(other.concurrency(1).build().unwrap());
    let call = || ToolCall::new("outer", json!({"name": "wait", "millis": 1000}));
    let before = Instant::now();
    let results = outer.build().unwrap().run("").call_all([call(), call()]).await;
    assert!(results.iter().all(ToolResult::is_success), "{results:?}");
    assert_eq!((before.elapsed(), seen.log().as_str()), (SECOND * 2, "+inner -inner +inner -inner"));
}
