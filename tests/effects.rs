//! Executors whose clock, waits and attempts are not tokio's.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolkit::testing::{ManualClock, Played, Step, Trace, scripted};
use toolkit::{
    Backoff, Category, Conversation, Effects, EndReason, ErrorClass, Executor, ExportOptions, Outcome, Provider,
    Registry, RetryPolicy, StopReason, ToolCall, ToolContext, ToolError, ToolFuture, ToolOutput, Wait, tool,
};

const SECOND: Duration = Duration::from_secs(1);

fn builder(steps: &[Step]) -> (toolkit::ExecutorBuilder, Played) {
    crate::scripted::quiet();
    let (tool, played) = scripted("play", steps.to_vec());
    let registry = Registry::builder().dynamic(tool.max_retries(3)).build().unwrap();
    (Executor::builder(registry).seed(1), played)
}

fn call() -> ToolCall {
    ToolCall::new("play", json!({"n": 1})).id("c")
}

#[test]
fn a_whole_call_runs_without_a_runtime() {
    let steps = [Step::Hang, Step::fail(ErrorClass::Network), Step::succeed(json!({"ok": true}))];
    let (builder, played) = builder(&steps);
    let (clock, trace) = (ManualClock::new(), Trace::new());
    let executor = builder.effects(clock.clone()).observer(trace.clone()).default_timeout(SECOND * 2).build().unwrap();
    let result = clock.run(executor.call(call())).unwrap();
    assert_eq!((result.value().unwrap(), result.attempts().len()), (&json!({"ok": true}), 3));
    assert_eq!((result.attempts()[0].duration(), result.duration()), (SECOND * 2, clock.elapsed()));
    assert_eq!((played.attempts(), played.arguments()), (3, vec![json!({"n": 1}); 3]));
    let events = trace.events();
    let names: Vec<_> = events.iter().map(|event| event.name).collect();
    let attempt = ["attempt_started", "attempt_finished"];
    assert_eq!(
        names,
        [&attempt[..], &["retry_scheduled"], &attempt, &["retry_scheduled"], &attempt, &["call_finished"]].concat()
    );
    assert_eq!(events[2].time, result.attempts()[0].delay());
    let last = format!("play call_finished call=c attempts=3 outcome=succeeded time={:?}", clock.elapsed());
    assert_eq!(events.last().unwrap().to_string(), last);
}

#[test]
fn the_same_script_and_seed_give_the_same_trace() {
    let trace = || {
        let steps = [Step::fail(ErrorClass::RateLimit), Step::Panic];
        let (builder, _) = builder(&steps);
        let (clock, trace) = (ManualClock::new(), Trace::new());
        let executor = builder.effects(clock.clone()).observer(trace.clone()).build().unwrap();
        let run = executor.run("");
        let results = clock.run(run.call_all([call(), call().deadline(SECOND / 10)])).unwrap();
        assert_eq!(results[0].stop(), Some(StopReason::Permanent));
        (trace.events(), trace.to_string())
    };
    let one = trace();
    assert_eq!(one, trace());
    assert!(one.1.contains("play call_finished call=c attempts=2 outcome=failed stop=permanent"), "{}", one.1);
}

#[test]
fn a_clock_that_is_moved_by_hand_wakes_who_is_due_and_nobody_else() {
    let clock = ManualClock::new();
    let mut waits = [1, 2, 3].map(|seconds| clock.sleep_until(clock.now() + SECOND * seconds).unwrap());
    let mut task = Context::from_waker(Waker::noop());
    assert_eq!(clock.next_wait(), None);
    let mut polled =
        |waits: &mut [Wait]| waits.iter_mut().map(|wait| wait.as_mut().poll(&mut task).is_ready()).collect::<Vec<_>>();
    assert_eq!((polled(&mut waits), clock.next_wait()), (vec![false; 3], Some(SECOND)));
    clock.advance(SECOND * 2);
    assert_eq!((polled(&mut waits), clock.next_wait()), (vec![true, true, false], Some(SECOND)));
    clock.advance(Duration::MAX);
    assert_eq!(clock.elapsed(), SECOND * 2);
    drop(waits);
    assert_eq!(clock.next_wait(), None);
    assert_eq!(clock.run(std::future::pending::<()>()), None);
    assert_eq!(clock.run(async { 7 }), Some(7));
}

/// The attempts that were made, by the key of their call and their number.
type Entries = BTreeMap<(String, u32), Result<Value, ErrorClass>>;

/// A journal of attempts: what is in it is not made again.
#[derive(Clone)]
struct Journal {
    clock: ManualClock,
    entries: Arc<Mutex<Entries>>,
}

impl Effects for Journal {
    fn now(&self) -> Instant {
        self.clock.now()
    }

    fn sleep_until(&self, until: Instant) -> Option<Wait> {
        self.clock.sleep_until(until)
    }

    fn attempt<'a>(&'a self, context: &'a ToolContext, body: ToolFuture<'a>) -> ToolFuture<'a> {
        let key = (context.idempotency_key().to_owned(), context.attempt());
        Box::pin(async move {
            let entry = self.entries.lock().unwrap().get(&key).cloned();
            if let Some(entry) = entry {
                return entry.map(ToolOutput::json).map_err(|class| ToolError::new(class, "as it was written down"));
            }
            let result = body.await;
            let entry = result.as_ref().map(|output| output.value().clone()).map_err(ToolError::class);
            self.entries.lock().unwrap().insert(key, entry);
            result
        })
    }
}

#[test]
fn a_call_goes_on_in_another_process_where_it_broke_off_in_the_first() {
    let clock = ManualClock::new();
    let journal = Journal { clock: clock.clone(), entries: Arc::default() };
    let process = |steps: &[Step]| {
        let (builder, played) = builder(steps);
        (builder.effects(journal.clone()).build().unwrap(), played)
    };
    // It fails once, and the process ends while it sleeps.
    let (first, played) = process(&[Step::fail(ErrorClass::Network)]);
    {
        let run = first.run("job 7");
        let mut call = Box::pin(run.call(call()));
        let mut task = Context::from_waker(Waker::noop());
        assert!(call.as_mut().poll(&mut task).is_pending());
        assert!(clock.next_wait().is_some());
    }
    assert_eq!(played.attempts(), 1);
    // The next one makes the second attempt, and not the first again.
    let (second, played) = process(&[Step::succeed("done")]);
    let result = clock.run(second.run("job 7").call(call())).unwrap();
    assert_eq!((result.text(), result.attempts().len(), played.attempts()), ("done", 2, 1));
    // A third one has nothing to do.
    let (third, played) = process(&[Step::Panic]);
    let result = clock.run(third.run("job 7").call(call())).unwrap();
    assert_eq!((result.value().unwrap(), played.attempts()), (&json!("done"), 0));
}

/// No clock to speak of, or one that fails.
struct Broken(bool);

/// Makes no attempt.
struct Unwilling;

impl Effects for Unwilling {
    fn now(&self) -> Instant {
        panic!("scripted: no time")
    }

    fn sleep_until(&self, _: Instant) -> Option<Wait> {
        None
    }

    fn attempt<'a>(&'a self, _: &'a ToolContext, _: ToolFuture<'a>) -> ToolFuture<'a> {
        panic!("scripted: no attempt")
    }
}

#[test]
fn effects_that_panic_fail_the_attempt_and_not_the_call() {
    let (builder, played) = builder(&[]);
    let executor = builder.effects(Unwilling).build().unwrap();
    let result = ManualClock::new().run(executor.run("").call(call())).unwrap();
    assert_eq!((result.error().unwrap().class(), played.attempts()), (ErrorClass::Internal, 0));
}

impl Effects for Broken {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep_until(&self, _: Instant) -> Option<Wait> {
        assert!(!self.0, "scripted: no wait");
        None
    }
}

#[test]
fn without_anything_to_wait_by_a_call_ends_all_the_same() {
    for panics in [true, false] {
        for step in [Step::Hang, Step::fail(ErrorClass::Network)] {
            let (builder, played) = builder(std::slice::from_ref(&step));
            let executor = builder.effects(Broken(panics)).build().unwrap();
            let result = ManualClock::new().run(executor.call(call())).unwrap();
            assert!(!result.is_success() && played.attempts() == 1, "{result:?}");
        }
    }
}

#[test]
fn a_scripted_tool_repeats_its_last_step_and_takes_any_category() {
    let clock = ManualClock::new();
    let (tool, played) = scripted("write", [Step::fail(ErrorClass::Timeout)]);
    let tool = tool.category(Category::Write).max_retries(5);
    let executor = Executor::builder(Registry::builder().dynamic(tool).build().unwrap());
    let executor = executor.effects(clock.clone()).build().unwrap();
    let result = clock.run(executor.call(ToolCall::new("write", "{}"))).unwrap();
    assert_eq!((result.stop(), played.attempts()), (Some(StopReason::NotIdempotent), 1));
    let (tool, _) = scripted("nothing", []);
    let executor = Executor::builder(Registry::builder().dynamic(tool).build().unwrap()).build().unwrap();
    assert_eq!(clock.run(executor.call(ToolCall::new("nothing", "{}"))).unwrap().text(), "done");
}

/// A clock moved by hand whose waits panic at their end.
struct Brittle(ManualClock);

struct BrittleWait(Wait);

impl Future for BrittleWait {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(task)
    }
}

impl Drop for BrittleWait {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "scripted: in drop of a wait");
    }
}

impl Effects for Brittle {
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn sleep_until(&self, until: Instant) -> Option<Wait> {
        Some(Box::pin(BrittleWait(self.0.sleep_until(until)?)))
    }
}

#[test]
fn a_wait_that_panics_at_its_end_changes_nothing() {
    let steps = [Step::Hang, Step::fail(ErrorClass::Network), Step::succeed(json!({"ok": true}))];
    for polls in 0..4 {
        let (builder, _) = builder(&steps);
        let clock = ManualClock::new();
        let executor = builder.effects(Brittle(clock.clone())).build().unwrap();
        let mut dropped = Box::pin(executor.call(call()));
        for _ in 0..polls {
            assert!(dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
            clock.advance(clock.next_wait().unwrap());
        }
        drop(dropped);
    }
    let (builder, _) = builder(&steps);
    let clock = ManualClock::new();
    let executor = builder.effects(Brittle(clock.clone())).build().unwrap();
    let result = clock.run(executor.call(call())).unwrap();
    assert_eq!((result.value().unwrap(), result.attempts().len()), (&json!({"ok": true}), 3));
}

/// A clock that works so many times.
struct Worn(AtomicUsize);

impl Effects for Worn {
    fn now(&self) -> Instant {
        let left = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        assert!(left.is_ok(), "scripted: no time any more");
        Instant::now()
    }

    fn sleep_until(&self, _: Instant) -> Option<Wait> {
        Some(Box::pin(async {}))
    }
}

#[test]
fn a_clock_that_panics_ends_no_conversation_by_a_panic() {
    let model = async |_: Value| Err::<Value, _>(ToolError::new(ErrorClass::Network, "no route"));
    for times in 0..12 {
        let (builder, _) = builder(&[]);
        let executor = builder.effects(Worn(AtomicUsize::new(times))).build().unwrap();
        let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new()).unwrap();
        let mut conversation = Conversation::new(executor.run(""), export);
        let request = json!({"model": "m", "messages": []});
        let end = ManualClock::new().run(conversation.run(&model, request)).unwrap();
        assert_eq!(end.reason(), EndReason::ModelFailed);
    }
}

/// Gives every attempt up after a while.
struct Impatient;

impl Effects for Impatient {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep_until(&self, until: Instant) -> Option<Wait> {
        Some(Box::pin(tokio::time::sleep_until(until.into())))
    }

    fn attempt<'a>(&'a self, _: &'a ToolContext, body: ToolFuture<'a>) -> ToolFuture<'a> {
        Box::pin(async {
            let late = |_| Err(ToolError::new(ErrorClass::Timeout, "given up"));
            tokio::time::timeout(SECOND / 4, body).await.unwrap_or_else(late)
        })
    }
}

/// Works on, on a thread of its own, until somebody lets it go.
#[tool(category = Read)]
fn work(#[state] begun: &AtomicUsize, context: &ToolContext) {
    begun.fetch_add(1, Ordering::SeqCst);
    tokio::runtime::Handle::current().block_on(context.cancellation().cancelled());
    // It does not stop at once.
    std::thread::sleep(SECOND / 5);
    begun.fetch_add(100, Ordering::SeqCst);
}

#[tokio::test]
async fn a_body_that_goes_on_when_the_host_gives_its_attempt_up_is_not_run_beside_itself() {
    let begun = Arc::new(AtomicUsize::new(0));
    let policy = RetryPolicy::builder().class(ErrorClass::Timeout, Backoff::immediate()).build().unwrap();
    let builder = Executor::builder(Registry::builder().tool::<work>().build().unwrap());
    let executor = builder.state(Arc::clone(&begun)).retry(policy).effects(Impatient).build().unwrap();
    let result = executor.call(ToolCall::new("work", "{}")).await;
    assert_eq!((result.stop(), result.outcome()), (Some(StopReason::StillRunning), Outcome::Unknown));
    assert_eq!(begun.load(Ordering::SeqCst), 1);
}
