//! When a failed call is tried again, and what it then was.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::json;
use toolkit::{
    Attempt, Backoff, ErrorClass, Executor, Outcome, Registry, RetryPolicy, StopReason, ToolCall, ToolError,
    ToolResult, tool,
};

use crate::scripted::{self, LIMIT, Script, Step, call, exact_policy, name, told, trace};

/// The largest part that is added to the wait of one second which a service asked for.
const SPREAD: Duration = Duration::from_millis(100);
/// A timer fires at the next millisecond.
const TICK: Duration = Duration::from_millis(1);

const SECOND: Duration = Duration::from_secs(1);

/// What the rules say follows a failed attempt; `None` where the random spread decides.
fn decision(
    step: Step,
    idempotent: bool,
    retries: u32,
    max_retries: u32,
    left: Option<Duration>,
) -> Option<Result<Duration, StopReason>> {
    let class = step.class().unwrap();
    if !class.is_transient() {
        return Some(Err(StopReason::Permanent));
    }
    if !idempotent && !step.has_no_effect() {
        return Some(Err(StopReason::NotIdempotent));
    }
    if retries >= max_retries {
        return Some(Err(StopReason::Exhausted));
    }
    if step == Step::FarOff {
        return Some(Err(StopReason::RetryAfterTooLong));
    }
    let delay = match class {
        ErrorClass::Network | ErrorClass::ServiceUnavailable => SECOND,
        ErrorClass::RateLimit => SECOND * 2_u32.pow(retries),
        _ => SECOND / 2 * 2_u32.pow(retries),
    };
    let spread = if step == Step::Throttled { SPREAD } else { Duration::ZERO };
    match left {
        Some(left) if delay >= left => Some(Err(StopReason::Deadline)),
        Some(left) if delay + spread >= left => None,
        _ => Some(Ok(delay)),
    }
}

/// Follows a call by its script and checks everything that its result says.
fn check(script: &Script, result: &ToolResult, idempotent: bool, max_retries: u32, deadline: Option<Duration>) {
    let attempts = result.attempts();
    let mut time = Duration::ZERO;
    let mut in_doubt = false;
    let mut effect_possible = false;
    let mut left_to_chance = false;
    for (index, attempt) in attempts.iter().enumerate() {
        let step = script.step(index);
        let left = deadline.map(|deadline| deadline.saturating_sub(time));
        assert_eq!(attempt.number() as usize, index + 1);
        assert_eq!(attempt.started(), time);
        let length = if step == Step::Hang { left.map_or(LIMIT, |left| left.min(LIMIT)) } else { Duration::ZERO };
        assert!(attempt.duration() >= length && attempt.duration() <= length + TICK, "{attempt:?}");
        time += attempt.duration();
        assert_eq!(attempt.error().map(ToolError::class), step.class());

        let last = index + 1 == attempts.len();
        if step == Step::Succeed {
            assert!(last && result.is_success());
            assert_eq!((result.stop(), result.outcome(), result.error().is_none()), (None, Outcome::Succeeded, true));
            break;
        }
        effect_possible |= !step.has_no_effect();
        in_doubt |= !step.has_no_effect() && step != Step::Missing;
        let left = deadline.map(|deadline| deadline.saturating_sub(time));
        let decided = decision(step, idempotent, u32::try_from(index).unwrap(), max_retries, left);
        left_to_chance = decided.is_none();
        if last {
            assert!(matches!(decided, None | Some(Err(_))), "{decided:?} after {step:?}: {result:?}");
            assert_eq!(result.stop(), Some(decided.and_then(Result::err).unwrap_or(StopReason::Deadline)));
            assert_eq!(result.error().map(ToolError::class), step.class());
            assert_eq!(attempt.delay(), None);
        } else {
            assert!(matches!(decided, None | Some(Ok(_))), "{decided:?} after {step:?}: {result:?}");
            let delay = attempt.delay().unwrap();
            if let Some(Ok(least)) = decided {
                let most = least + if step == Step::Throttled { SPREAD } else { Duration::ZERO };
                assert!(least <= delay && delay <= most, "{attempt:?}");
            }
            let next = attempts[index + 1].started();
            assert!(next >= time + delay && next <= time + delay + TICK, "{attempt:?}");
            time = next;
        }
    }
    // Only a timer that woke at the deadline, less than a tick late, leaves a wait without an attempt behind it.
    let woke_late = left_to_chance && deadline.is_some_and(|deadline| deadline <= result.duration());
    assert!(result.duration() == time || woke_late && result.stop() == Some(StopReason::Deadline), "{result:?}");
    assert!(deadline.is_none_or(|deadline| result.duration() <= deadline + TICK));
    assert!(deadline.is_none_or(|deadline| time <= deadline + TICK));

    assert_eq!(script.invocations(), attempts.len());
    assert!(attempts.len() <= max_retries as usize + 1);
    let seen = script.seen();
    for (index, seen_now) in seen.iter().enumerate() {
        assert_eq!(seen_now.number as usize, index + 1);
        assert_eq!((&seen_now.key, seen_now.argument.as_str()), (&seen[0].key, "same"));
        assert_eq!(seen_now.at - seen[0].at, attempts[index].started());
    }
    if !idempotent {
        let effects = script.effects();
        assert!(effects <= 1, "{effects} effects");
    }
    if result.is_success() {
        return;
    }
    let outcome = match (effect_possible, idempotent) {
        (false, _) => Outcome::NotExecuted,
        (true, false) if in_doubt => Outcome::Unknown,
        (true, _) => Outcome::Failed,
    };
    assert_eq!(result.outcome(), outcome, "{result:?}");
    let told = told(result);
    assert!(told["outcome"] != "not_executed" || script.effects() == 0);
    assert_eq!(told["tool"], name(idempotent, max_retries));
    assert_eq!(told["arguments"]["argument"], "same");
}

async fn play(
    executor: &Executor,
    script: &Script,
    steps: &[Step],
    tool: (bool, u32),
    deadline: Option<Duration>,
) -> ToolResult {
    script.play(steps);
    let call = call(name(tool.0, tool.1));
    executor
        .call(match deadline {
            Some(deadline) => call.deadline(deadline),
            None => call,
        })
        .await
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_script_ends_as_the_rules_say(
        steps in prop::collection::vec(prop::sample::select(Step::ALL.to_vec()), 0..8),
        idempotent: bool,
        retries in 0_u32..=3,
        deadline in prop::option::of(1_u64..20_000),
        seed: u64,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (builder, script) = scripted::builder();
            let executor = builder.retry(exact_policy()).seed(seed).build().unwrap();
            let deadline = deadline.map(Duration::from_millis);
            let result = play(&executor, &script, &steps, (idempotent, retries), deadline).await;
            check(&script, &result, idempotent, retries, deadline);
        });
    }

    #[test]
    fn the_same_seed_and_the_same_faults_give_the_same_trace(
        steps in prop::collection::vec(prop::sample::select(Step::ALL.to_vec()), 0..5),
        seed: u64,
    ) {
        let trace = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
            runtime.unwrap().block_on(async {
                let (builder, script) = scripted::builder();
                let executor = builder.seed(seed).build().unwrap();
                let first = trace(&play(&executor, &script, &steps, (true, 3), None).await);
                let second = trace(&play(&executor, &script, &steps, (true, 3), None).await);
                script.play(&steps);
                let of_a_run = trace(&executor.run("job").call(call("safe_3")).await);
                (first, second, of_a_run)
            })
        };
        prop_assert_eq!(trace(), trace());
    }

    #[test]
    fn more_retries_never_lose_a_success(
        steps in prop::collection::vec(prop::sample::select(Step::ALL.to_vec()), 0..5),
        idempotent: bool,
        retries in 0_u32..3,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (executor, script) = scripted::executor();
            let fewer = play(&executor, &script, &steps, (idempotent, retries), None).await;
            let more = play(&executor, &script, &steps, (idempotent, retries + 1), None).await;
            assert!(more.is_success() || !fewer.is_success(), "{steps:?}");
        });
    }
}

#[tokio::test(start_paused = true)]
async fn every_call_waits_by_its_own_random_numbers() {
    let (executor, script) = scripted::executor();
    let mut delays = Vec::new();
    for _ in 0..20 {
        let result = play(&executor, &script, &[Step::RateLimited], (true, 3), None).await;
        delays.push(result.attempts()[0].delay().unwrap());
    }
    for turn in 0..20 {
        script.play(&[Step::RateLimited]);
        let result = executor.run(format!("run {turn}")).call(call("safe_3")).await;
        delays.push(result.attempts()[0].delay().unwrap());
    }
    assert!(delays.iter().all(|delay| (SECOND / 2..=SECOND).contains(delay)), "{delays:?}");
    delays.sort();
    delays.dedup();
    assert!(delays.len() >= 39, "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_asks_for_a_second_gets_one_and_at_most_a_tenth_more() {
    let (executor, script) = scripted::executor();
    for steps in [[Step::Throttled], [Step::Throttled]] {
        for idempotent in [true, false] {
            let result = play(&executor, &script, &steps, (idempotent, 2), None).await;
            let delay = result.attempts()[0].delay().unwrap();
            assert!(result.is_success());
            assert!(delay >= SECOND && delay <= SECOND + SPREAD, "{delay:?}");
            assert!(result.attempts()[1].started() >= delay);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_endless_wish_for_patience_ends_at_the_number_of_retries() {
    let (executor, script) = scripted::executor();
    let result = play(&executor, &script, &[Step::Throttled; 20], (false, 3), None).await;
    assert_eq!((script.invocations(), result.stop()), (4, Some(StopReason::Exhausted)));
    assert_eq!((result.outcome(), script.effects()), (Outcome::NotExecuted, 0));
    assert_eq!(told(&result)["retry_after_seconds"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_wait_beyond_patience_is_told_and_not_waited_for() {
    let (executor, script) = scripted::executor();
    let before = tokio::time::Instant::now();
    let result = play(&executor, &script, &[Step::FarOff], (true, 3), None).await;
    assert_eq!(before.elapsed(), Duration::ZERO);
    assert_eq!(result.stop(), Some(StopReason::RetryAfterTooLong));
    let told = told(&result);
    assert_eq!(told["retry_after_seconds"], 86_400);
    assert!(told["next"].as_str().unwrap().contains("before that time has passed"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_always_times_out_runs_three_times_and_the_model_is_told_three() {
    let (executor, script) = scripted::executor();
    let result = play(&executor, &script, &[Step::Hang; 9], (true, 2), None).await;
    assert_eq!(script.invocations(), 3);
    assert_eq!(result.stop(), Some(StopReason::Exhausted));
    let told = told(&result);
    assert_eq!((&told["attempts"], &told["error"]), (&3.into(), &"timeout".into()));
}

#[tokio::test(start_paused = true)]
async fn the_last_real_error_is_what_remains_where_the_deadline_ends_a_call() {
    let (executor, script) = scripted::executor();
    let deadline = Duration::from_millis(1_500);
    let result = play(&executor, &script, &[Step::Network, Step::Unavailable], (true, 3), Some(deadline)).await;
    assert_eq!(result.stop(), Some(StopReason::Deadline));
    assert_eq!(result.error().unwrap().class(), ErrorClass::ServiceUnavailable);
    assert_eq!(told(&result)["message"], "out of service");
    assert!(result.duration() < deadline);
}

#[tokio::test(start_paused = true)]
async fn no_attempt_begins_at_the_deadline_though_the_timer_is_late() {
    let (builder, script) = scripted::builder();
    // The timer rounds this wait up to a whole millisecond, past the deadline.
    let wait = Backoff::fixed(Duration::from_micros(900)).jitter(toolkit::Jitter::None);
    let policy = RetryPolicy::builder().class(ErrorClass::Network, wait).build().unwrap();
    let executor = builder.retry(policy).build().unwrap();
    let deadline = Some(Duration::from_micros(950));
    let result = play(&executor, &script, &[Step::Network; 4], (true, 3), deadline).await;
    assert_eq!((script.invocations(), result.stop()), (1, Some(StopReason::Deadline)));
    assert_eq!(result.attempts()[0].delay(), None);
    assert_eq!(result.error().unwrap().class(), ErrorClass::Network);
}

#[tokio::test(start_paused = true)]
async fn a_wait_of_zero_takes_no_time() {
    let (builder, script) = scripted::builder();
    let policy = RetryPolicy::builder().class(ErrorClass::Network, Backoff::immediate()).build().unwrap();
    let executor = builder.retry(policy).build().unwrap();
    let result = play(&executor, &script, &[Step::Network; 3], (true, 3), None).await;
    assert!(result.is_success());
    assert_eq!((result.attempts().len(), result.duration()), (4, Duration::ZERO));
    assert_eq!(result.attempts()[0].delay(), Some(Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_success_after_failures_shows_them_all() {
    let (executor, script) = scripted::executor();
    let result = play(&executor, &script, &[Step::Hang, Step::Unavailable], (true, 3), None).await;
    assert!(result.is_success());
    let classes: Vec<_> = result.attempts().iter().map(|one| one.error().map(ToolError::class)).collect();
    assert_eq!(classes, [Some(ErrorClass::Timeout), Some(ErrorClass::ServiceUnavailable), None]);
    assert_eq!(result.attempts().iter().filter(|one| one.delay().is_some()).count(), 2);
    let recorded: Duration = result.attempts().iter().map(Attempt::duration).sum::<Duration>()
        + result.attempts().iter().filter_map(Attempt::delay).sum::<Duration>();
    assert!(result.duration() >= recorded && result.duration() <= recorded + 2 * TICK);
    assert_eq!(result.text(), "done");
}

/// Turned away before anything was done.
#[tool(category = Communicate)]
async fn throttled() -> Result<(), ToolError> {
    Err(ToolError::new(ErrorClass::RateLimit, "too many requests").no_effect())
}

/// Charges, and then calls another tool, whose error it gives back.
#[tool(category = Communicate)]
async fn charge_then(next: String, #[state] charged: &AtomicU32, #[state] calls: &Calls) -> Result<(), ToolError> {
    charged.fetch_add(1, Ordering::SeqCst);
    let (name, is_known) = next.split_once(' ').unwrap_or((&next, ""));
    let call = ToolCall::new(name, "{}");
    let call = if is_known == "late" { call.deadline(Duration::ZERO) } else { call };
    match calls.0.get().unwrap().call(call).await.error() {
        Some(error) if is_known == "really" => Err(error.clone().no_effect()),
        Some(error) => Err(error.clone()),
        None => Ok(()),
    }
}

#[derive(Default)]
struct Calls(std::sync::OnceLock<Executor>);

#[tokio::test(start_paused = true)]
async fn what_a_tool_that_was_called_says_of_itself_says_nothing_of_its_caller() {
    let charged = Arc::new(AtomicU32::new(0));
    let calls = Arc::new(Calls::default());
    let registry = Registry::builder().tool::<throttled>().tool::<charge_then>().build().unwrap();
    let executor = Executor::builder(registry).state(Arc::clone(&charged)).state(Arc::clone(&calls)).build().unwrap();
    calls.0.set(executor.clone()).ok();
    let (doubt, refused) = (Outcome::Unknown, StopReason::NotIdempotent);
    for (next, outcome, stop, times) in [
        ("throttled", doubt, refused, 1),
        ("throttled late", doubt, refused, 1),
        ("nobody", doubt, StopReason::Permanent, 1),
        ("throttled really", Outcome::NotExecuted, StopReason::Exhausted, 3),
    ] {
        charged.store(0, Ordering::SeqCst);
        let result = executor.call(ToolCall::new("charge_then", json!({"next": next}))).await;
        assert_eq!((result.outcome(), result.stop()), (outcome, Some(stop)), "{next}");
        assert_eq!(charged.load(Ordering::SeqCst), times, "{next}");
    }
}
