//! Every script of four outcomes, in every setting, through the real executor, beside a model of the rules that shares
//! no code with it.
//!
//! The ten outcomes are the ones that the rules tell apart: success; each transient class; a wait that is asked for on
//! either side of the longest accepted one; a failure with an effect and one surely without; a limit that passes; a
//! permanent failure that the tool states, one that is hidden, and a panic. Shorter scripts are among these, since
//! what follows a script succeeds.

use std::time::Duration;

use tokio::time::{Instant, advance};
use toolkit::{Attempt, Executor, Outcome, StopReason, ToolError, ToolResult};

use crate::scripted::{self, Script, Step, call, exact, name, told};

/// How long an attempt of the scripted tools may take, in milliseconds.
const LIMIT: u64 = 2_000;
/// What is added at most to a wait of a second that a service asked for.
const SPREAD: u64 = 100;

#[expect(clippy::duration_suboptimal_units, reason = "the larger unit is younger than the oldest compiler")]
const HOUR: Duration = Duration::from_secs(60 * 60);

#[derive(Clone, Copy, Debug)]
struct Setting {
    idempotent: bool,
    max_retries: usize,
    /// In milliseconds.
    deadline: Option<u64>,
    /// The tokens of the budget, where there is one.
    tokens: Option<u32>,
}

/// What the rules say of a call. Times are in milliseconds and the earliest there can be.
#[derive(Debug, Default)]
struct Expected {
    attempts: Vec<Try>,
    stop: Option<StopReason>,
}

#[derive(Debug)]
struct Try {
    step: Step,
    start: u64,
    end: u64,
    delay: Option<u64>,
    /// How much later than said it may start.
    slack: u64,
}

/// The rules, in the words of their page.
fn expected(script: &[Step], setting: Setting) -> Expected {
    let (mut now, mut slack) = (0, 0);
    let mut tokens = setting.tokens;
    let mut call = Expected::default();
    for step in script.iter().copied().chain([Step::Succeed]) {
        let retries = call.attempts.len();
        let start = now;
        if step == Step::Hang {
            now = setting.deadline.unwrap_or(u64::MAX).min(now + LIMIT);
        }
        let certainly_nothing = matches!(step, Step::Throttled | Step::FarOff);
        let wait = match step {
            Step::Network | Step::Unavailable => Ok(1_000),
            Step::RateLimited | Step::Throttled | Step::FarOff => Ok(1_000 << retries),
            Step::Hang => Ok(500 << retries),
            Step::Succeed => Err(None),
            Step::Missing | Step::Broken | Step::Panic => Err(Some(StopReason::Permanent)),
        };
        let decision = wait.and_then(|wait| match () {
            () if !setting.idempotent && !certainly_nothing => Err(Some(StopReason::NotIdempotent)),
            () if retries == setting.max_retries => Err(Some(StopReason::Exhausted)),
            () if step == Step::FarOff => Err(Some(StopReason::RetryAfterTooLong)),
            () if setting.deadline.is_some_and(|deadline| now + wait >= deadline) => Err(Some(StopReason::Deadline)),
            () if tokens == Some(0) => Err(Some(StopReason::Budget)),
            () => Ok(wait),
        });
        call.attempts.push(Try { step, start, end: now, delay: decision.ok(), slack });
        match decision {
            Ok(wait) => {
                tokens = tokens.map(|tokens| tokens - 1);
                now += wait;
                // A timer fires at its next millisecond.
                slack += 1 + if step == Step::Throttled { SPREAD } else { 0 };
            }
            Err(stop) => return Expected { stop, ..call },
        }
    }
    unreachable!("the last step succeeds")
}

fn between(time: Duration, least: u64, slack: u64) -> bool {
    Duration::from_millis(least) <= time && time <= Duration::from_millis(least + slack)
}

fn check(script: &Script, result: &ToolResult, expected: &Expected, setting: Setting, took: Duration) {
    assert_eq!((result.stop(), script.invocations()), (expected.stop, expected.attempts.len()));
    assert_eq!(result.attempts().len(), expected.attempts.len());
    let (mut in_attempts, mut in_waits) = (Duration::ZERO, Duration::ZERO);
    for ((attempt, expected), number) in result.attempts().iter().zip(&expected.attempts).zip(1..) {
        assert_eq!((attempt.number(), attempt.error().map(ToolError::class)), (number, expected.step.class()));
        assert!(between(attempt.started(), expected.start, expected.slack), "{attempt:?}");
        let ended = attempt.started() + attempt.duration();
        assert!(between(ended, expected.end, expected.slack + 1), "{attempt:?}");
        let spread = if expected.step == Step::Throttled { SPREAD } else { 0 };
        let wait = attempt.delay().zip(expected.delay);
        assert!(wait.map_or(attempt.delay().is_none() && expected.delay.is_none(), |(is, least)| {
            between(is, least, spread)
        }));
        in_attempts += attempt.duration();
        in_waits += attempt.delay().unwrap_or_default();
    }
    assert_eq!(took, result.duration());
    let retries = expected.attempts.len() as u64 - 1;
    assert!(took >= in_attempts + in_waits && took <= in_attempts + in_waits + Duration::from_millis(retries));
    assert!(setting.deadline.is_none_or(|deadline| took <= Duration::from_millis(deadline + 1)));

    // Counted inside the tool.
    let nothing = |attempt: &&Try| matches!(attempt.step, Step::Throttled | Step::FarOff | Step::Missing);
    let effects = expected.attempts.len() - expected.attempts.iter().filter(nothing).count();
    assert_eq!(script.effects() as usize, effects);
    assert!(setting.idempotent || effects <= 1);

    let surely_nothing = expected.attempts.iter().all(|attempt| matches!(attempt.step, Step::Throttled | Step::FarOff));
    let outcome = match expected.stop {
        None => Outcome::Succeeded,
        Some(_) if surely_nothing => Outcome::NotExecuted,
        // Without an effect it was turned down by the tool itself, in its own words.
        Some(_) if setting.idempotent || effects == 0 => Outcome::Failed,
        Some(_) => Outcome::Unknown,
    };
    assert_eq!(result.outcome(), outcome);
    assert_eq!(
        result.error().map(ToolError::class),
        result.attempts().last().and_then(Attempt::error).map(ToolError::class)
    );
    if expected.stop.is_some() {
        let told = told(result);
        assert!(told["outcome"] != "not_executed" || script.effects() == 0);
    }
}

/// An executor whose budgets hold so many tokens before every call.
async fn executor_with(tokens: Option<u32>) -> (Executor, std::sync::Arc<Script>) {
    let (builder, script) = scripted::builder();
    let policy = match tokens {
        None => exact().without_budget(),
        Some(0) => exact().budget(1, 0.0, Duration::MAX),
        Some(tokens) => exact().budget(tokens, 0.1, HOUR),
    };
    let executor = builder.retry(policy.build().unwrap()).build().unwrap();
    if tokens == Some(0) {
        for (idempotent, retries) in [true, false].into_iter().flat_map(|flag| (0..=3).map(move |n| (flag, n))) {
            script.play(&[Step::Throttled]);
            executor.call(call(name(idempotent, retries))).await;
        }
    }
    (executor, script)
}

/// The script of this number, the first outcome as the highest digit.
fn numbered(number: usize) -> [Step; 4] {
    [1000, 100, 10, 1].map(|place| Step::ALL[number / place % 10])
}

#[tokio::test(start_paused = true)]
async fn every_script_of_four_outcomes_ends_as_the_rules_say() {
    for tokens in [None, Some(0), Some(1), Some(2), Some(10)] {
        let (executor, script) = executor_with(tokens).await;
        let settings =
            [true, false].into_iter().flat_map(|idempotent| (0..=3).map(move |retries| (idempotent, retries)));
        for (idempotent, max_retries) in settings {
            for deadline in [None, Some(3_000), Some(3_400)] {
                let setting = Setting { idempotent, max_retries, deadline, tokens };
                let mut number = 0;
                while number < 10_000 {
                    let steps = numbered(number);
                    script.play(&steps);
                    let made = call(name(idempotent, u32::try_from(max_retries).unwrap()));
                    let made = match deadline {
                        Some(deadline) => made.deadline(Duration::from_millis(deadline)),
                        None => made,
                    };
                    let before = Instant::now();
                    let result = executor.call(made).await;
                    let expected = expected(&steps, setting);
                    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                        check(&script, &result, &expected, setting, before.elapsed());
                    }));
                    assert!(told.is_ok(), "{steps:?}, {setting:?}: {expected:?}, but {result:?}");
                    // Time enough for the budget to be full again.
                    advance(HOUR * tokens.unwrap_or(0)).await;
                    // The call saw these outcomes and no others, so the scripts that begin with them are done as well.
                    let seen = u32::try_from(script.invocations().min(4)).unwrap();
                    let alike = 10_usize.pow(4 - seen);
                    number = (number / alike + 1) * alike;
                }
            }
        }
    }
}
