//! Numbers and hosts that nobody should have: refused when built, or borne.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use toolkit::testing::{ManualClock, Step, Trace, scripted};
use toolkit::{
    Approver, Backoff, Category, Confirmation, DynamicTool, ErrorClass, Event, Executor, ExecutorBuilder, Jitter,
    Permission, PermissionRequest, Registry, RetryPolicy, StopReason, ToolCall, ToolError,
};

const NONE: Duration = Duration::ZERO;
const EVER: Duration = Duration::MAX;
const SECOND: Duration = Duration::from_secs(1);

fn builder(category: Category, steps: impl IntoIterator<Item = Step>) -> (ExecutorBuilder, toolkit::testing::Played) {
    crate::scripted::quiet();
    let (tool, played) = scripted("play", steps);
    let tool = tool.category(category).idempotent(true).max_retries(u32::MAX);
    (Executor::builder(Registry::builder().dynamic(tool).build().unwrap()).seed(5), played)
}

fn call() -> ToolCall {
    ToolCall::new("play", "{}")
}

#[test]
fn a_limit_of_nothing_is_refused_wherever_it_is_given() {
    let body = async |_| -> Result<Value, ToolError> { Ok(json!(1)) };
    let tool = DynamicTool::new("t", "T.", json!({}), body).category(Category::Read).timeout(NONE);
    let error = Registry::builder().dynamic(tool).build().unwrap_err().to_string();
    assert!(error.contains("a time limit of zero lets no attempt begin"), "{error}");
    let (builder, _) = builder(Category::Read, []);
    let error = builder.default_timeout(NONE).concurrency(0).build().unwrap_err().to_string();
    assert!(error.contains("time limit of zero") && error.contains("concurrency of 0"), "{error}");
}

#[test]
fn endless_limits_limit_nothing() {
    let (builder, played) = builder(Category::Read, [Step::Hang]);
    let clock = ManualClock::new();
    let executor = builder.effects(clock.clone()).default_timeout(EVER).concurrency(usize::MAX).build().unwrap();
    let run = executor.run("").deadline(EVER);
    // It waits for nothing that a clock could bring.
    assert!(clock.run(run.call(call().deadline(EVER))).is_none());
    assert_eq!((played.attempts(), clock.next_wait()), (1, None));
    let result = clock.run(run.call(call().deadline(SECOND))).unwrap();
    assert_eq!((result.stop(), result.duration()), (Some(StopReason::Deadline), SECOND));
    let result = clock.run(run.call(call().deadline(NONE))).unwrap();
    assert_eq!((result.stop(), result.attempts().len()), (Some(StopReason::Deadline), 0));
}

/// By tokio's timers, which the library keeps from the end of the clock.
#[tokio::test(start_paused = true)]
async fn a_wait_of_a_year_is_waited_for() {
    let year = SECOND * (365 * 24 * 60 * 60);
    let later = ToolError::new(ErrorClass::RateLimit, "once a year").retry_after(year);
    let (builder, _) = builder(Category::Read, [Step::Fail(later), Step::succeed("done")]);
    let policy = RetryPolicy::builder().max_retry_after(year).build().unwrap();
    let result = builder.retry(policy).build().unwrap().call(call()).await;
    assert!(result.is_success() && result.duration() >= year, "{result:?}");
}

#[test]
fn the_largest_number_of_retries_of_a_tool_is_ten() {
    let (builder, played) = builder(Category::Write, [Step::fail(ErrorClass::Network)]);
    let policy = RetryPolicy::builder().class(ErrorClass::Network, Backoff::immediate()).without_budget();
    let clock = ManualClock::new();
    let executor = builder.effects(clock.clone()).retry(policy.build().unwrap()).build().unwrap();
    let result = clock.run(executor.call(call())).unwrap();
    assert_eq!((result.stop(), played.attempts(), clock.elapsed()), (Some(StopReason::Exhausted), 11, NONE));
}

#[test]
fn a_service_that_asks_for_all_time_is_not_waited_for() {
    let endless = Step::Fail(ToolError::new(ErrorClass::RateLimit, "come back never").retry_after(EVER));
    for ceiling in [SECOND, EVER] {
        let (builder, played) = builder(Category::Read, [endless.clone()]);
        let policy = RetryPolicy::builder().max_retry_after(ceiling).build().unwrap();
        let clock = ManualClock::new();
        let executor = builder.effects(clock.clone()).retry(policy).build().unwrap();
        let told = clock.run(executor.call(call().deadline(SECOND)));
        let stop = if ceiling == EVER { StopReason::Deadline } else { StopReason::RetryAfterTooLong };
        assert_eq!((told.unwrap().stop(), played.attempts(), clock.elapsed()), (Some(stop), 1, NONE));
        // Who accepts any wait, and sets no deadline, waits: without a timer, and without a turn of the loop.
        let patient = clock.run(executor.call(call()));
        assert_eq!((patient.is_none(), clock.next_wait()), (ceiling == EVER, None));
    }
}

fn durations() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(NONE),
        Just(Duration::from_nanos(1)),
        Just(SECOND),
        Just(EVER),
        any::<u64>().prop_map(Duration::from_nanos),
        any::<u64>().prop_map(Duration::from_secs),
    ]
}

fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![Just(1e308), Just(f64::INFINITY), Just(f64::NAN), Just(-1.0), Just(0.0), Just(1.0), any::<f64>()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn a_policy_is_refused_or_ends_every_call_in_few_steps(
        (base, cap, ceiling, refill, limit) in (durations(), durations(), durations(), durations(), durations()),
        (factor, jitter, ratio) in (numbers(), numbers(), numbers()),
        (burst, cost) in (any::<u32>(), any::<u32>()),
        (fixed, wait) in (any::<bool>(), prop::option::of(durations())),
        deadline in prop::option::of(durations()),
        concurrency in prop_oneof![Just(0_usize), Just(1), Just(usize::MAX)],
    ) {
        let backoff = if fixed { Backoff::fixed(base) } else { Backoff::exponential(base).factor(factor) };
        let policy = RetryPolicy::builder()
            .class(ErrorClass::RateLimit, backoff.cap(cap).jitter(Jitter::Proportional(jitter)))
            .max_retry_after(ceiling)
            .budget(burst, ratio, refill)
            .retry_cost(cost)
            .build();
        let Ok(policy) = policy else { return Ok(()) };
        prop_assert!(base > NONE && cap >= base && (0.0..=1.0).contains(&jitter) && (0.0..=1.0).contains(&ratio));
        prop_assert!(fixed || (factor >= 1.0 && factor.is_finite()));
        let error = ToolError::new(ErrorClass::RateLimit, "slow down");
        let error = match wait {
            Some(wait) => error.retry_after(wait),
            None => error,
        };
        let (builder, played) = builder(Category::Read, [Step::Fail(error)]);
        let clock = ManualClock::new();
        let executor = builder.effects(clock.clone()).retry(policy).default_timeout(limit).concurrency(concurrency).build();
        let Ok(executor) = executor else {
            prop_assert!(limit == NONE || concurrency == 0);
            return Ok(());
        };
        let call = match deadline {
            Some(deadline) => call().deadline(deadline),
            None => call(),
        };
        let result = clock.run(executor.call(call));
        prop_assert!(played.attempts() <= 11);
        // Only who has no deadline can be waiting for the end of all time.
        prop_assert!(result.is_some() || deadline.is_none_or(|deadline| deadline > SECOND));
        if let (Some(result), Some(deadline)) = (&result, deadline) {
            prop_assert!(result.duration() <= deadline);
        }
    }
}

/// Everything that a host hands in panics.
struct Panics;

impl Approver for Panics {
    fn approve<'a>(&'a self, _: &'a Confirmation) -> std::pin::Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        panic!("scripted: the approver panics")
    }
}

#[test]
fn a_host_that_panics_changes_nothing_but_its_own_line() {
    let steps = [Step::fail(ErrorClass::Network), Step::Hang, Step::fail(ErrorClass::RateLimit), Step::succeed("done")];
    let trace = |panics: bool| {
        let (builder, played) = builder(Category::Read, steps.clone());
        let (clock, trace, heard) = (ManualClock::new(), Trace::new(), Arc::new(AtomicU32::new(0)));
        let ear = Arc::clone(&heard);
        let builder = builder.observer(move |_: &Event<'_>| {
            ear.fetch_add(1, Ordering::SeqCst);
            assert!(!panics, "scripted: the observer panics");
        });
        let executor = builder.observer(trace.clone()).effects(clock.clone()).approver(Panics).build().unwrap();
        let result = clock.run(executor.run("job").call(call())).unwrap();
        assert_eq!((result.text(), played.attempts()), ("done", 4));
        assert_eq!(heard.load(Ordering::SeqCst) as usize, trace.events().len());
        trace.to_string()
    };
    assert_eq!(trace(true), trace(false));

    let (asking, played) = builder(Category::Dangerous, steps.clone());
    let executor = asking.approver(Panics).build().unwrap();
    let result = ManualClock::new().run(executor.call(call())).unwrap();
    assert_eq!((result.stop(), played.attempts()), (Some(StopReason::NeedsConfirmation), 0));
    assert!(result.confirmation().is_some());

    let (ruled, played) = builder(Category::Read, steps);
    let rules = |_: &PermissionRequest<'_>| -> Permission { panic!("scripted: the rules panic") };
    let executor = ruled.permissions(rules).build().unwrap();
    let result = ManualClock::new().run(executor.call(call())).unwrap();
    assert_eq!((result.stop(), played.attempts()), (Some(StopReason::PermissionDenied), 0));
    let absent = ManualClock::new().run(executor.call(ToolCall::new("plain", "{}"))).unwrap();
    assert_eq!(absent.stop(), Some(StopReason::UnknownTool));
    assert!(executor.run("").registry().is_empty());
}
