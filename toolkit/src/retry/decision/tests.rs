use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::*;
use crate::classify::ErrorClass;
use crate::retry::{Backoff, Jitter};

const SECOND: Duration = Duration::from_secs(1);

fn error(class: ErrorClass) -> ToolError {
    ToolError::new(class, "it failed")
}

fn stop(reason: StopReason) -> Decision {
    Decision::Stop(reason)
}

fn seconds(seconds: u64) -> Decision {
    Decision::Retry { after: Duration::from_secs(seconds) }
}

/// One wait for all: 2 s.
fn steady() -> RetryPolicy {
    let backoff = Backoff::fixed(2 * SECOND).jitter(Jitter::None);
    let transient = ErrorClass::ALL.into_iter().filter(|class| class.is_transient());
    transient.fold(RetryPolicy::builder(), |builder, class| builder.class(class, backoff)).build().unwrap()
}

#[test]
fn the_reasons_have_names() {
    let all = [
        (StopReason::Permanent, "permanent"),
        (StopReason::NotIdempotent, "not_idempotent"),
        (StopReason::StillRunning, "still_running"),
        (StopReason::Exhausted, "exhausted"),
        (StopReason::RetryAfterTooLong, "retry_after_too_long"),
        (StopReason::Deadline, "deadline"),
        (StopReason::Budget, "budget"),
        (StopReason::UnknownTool, "unknown_tool"),
        (StopReason::PermissionDenied, "permission_denied"),
        (StopReason::NeedsConfirmation, "needs_confirmation"),
        (StopReason::InvalidArguments, "invalid_arguments"),
        (StopReason::Repeated, "repeated"),
        (StopReason::Cancelled, "cancelled"),
    ];
    for (reason, name) in all {
        assert_eq!((reason.as_str(), reason.to_string().as_str(), json!(reason)), (name, name, json!(name)));
    }
    assert_eq!(format!("{:>10}", StopReason::Budget), "    budget");
}

/// Every situation there is, against the rules as a list: the first that holds is the reason.
#[test]
fn the_first_reason_that_holds_ends_the_call() {
    const HINTS: [Option<u64>; 3] = [None, Some(30), Some(121)];
    const DEADLINES: [Option<u64>; 4] = [None, Some(1000), Some(1), Some(0)];
    let (policy, now) = (steady(), Instant::now());
    let mut situations = 0;
    let flags = [false, true];
    for class in ErrorClass::ALL {
        for bits in 0..1u8 << 4 {
            let [idempotent, no_effect, still_running, no_retries] =
                [0, 1, 2, 3].map(|bit| flags[(bits >> bit & 1) as usize]);
            for (hint, deadline) in HINTS.into_iter().flat_map(|hint| DEADLINES.map(|deadline| (hint, deadline))) {
                for tokens in [None, Some(0), Some(1)] {
                    let budget = policy.new_budget().unwrap();
                    for _ in tokens.unwrap_or(0)..10 {
                        assert!(budget.take(now));
                    }
                    let mut error = error(class).retry_after(hint.map(Duration::from_secs));
                    if no_effect {
                        error = error.no_effect();
                    }
                    let deadline_at = deadline.map(|left| now + Duration::from_secs(left));
                    let mut retry = Retry::start(&policy, u32::from(!no_retries), idempotent, deadline_at);
                    if tokens.is_some() {
                        retry = retry.budget(&budget);
                    }
                    if still_running {
                        retry.still_running();
                    }

                    let wait = hint.unwrap_or(2);
                    let rules = [
                        (!class.is_transient(), StopReason::Permanent),
                        (!idempotent && !no_effect, StopReason::NotIdempotent),
                        (still_running, StopReason::StillRunning),
                        (no_retries, StopReason::Exhausted),
                        (hint == Some(121), StopReason::RetryAfterTooLong),
                        (deadline.is_some_and(|left| wait >= left), StopReason::Deadline),
                        (tokens == Some(0), StopReason::Budget),
                    ];
                    let expected = rules.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason);
                    let situation = format!(
                        "{class}, idempotent {idempotent}, no_effect {no_effect}, still_running {still_running}, \
                         no_retries {no_retries}, hint {hint:?}, deadline {deadline:?}, tokens {tokens:?}"
                    );
                    assert_eq!(retry.on_failure(&error, now, 0.0), expected.map_or(seconds(wait), stop), "{situation}");
                    assert_eq!(retry.retries(), u32::from(expected.is_none()), "{situation}");
                    let charged = u64::from(expected.is_none() && tokens.is_some());
                    let left = (tokens.unwrap_or(0) - charged) * 1000;
                    assert_eq!(budget.thousandths(now), if tokens.is_none() { 0 } else { left }, "{situation}");
                    situations += 1;
                }
            }
        }
    }
    assert_eq!(situations, 10 * 16 * 3 * 4 * 3);
}

#[test]
fn as_many_retries_as_were_allowed() {
    let policy = steady();
    for max_retries in [0, 1, 2, 3, 10] {
        let mut retry = Retry::start(&policy, max_retries, true, None);
        let endless = error(ErrorClass::RateLimit).retry_after(SECOND);
        let mut attempts = 1;
        while retry.on_failure(&endless, Instant::now(), 0.0) == seconds(2) {
            attempts += 1;
        }
        assert_eq!((attempts, retry.retries()), (max_retries + 1, max_retries));
        assert_eq!(retry.on_failure(&endless, Instant::now(), 0.0), stop(StopReason::Exhausted));
    }
}

#[test]
fn the_largest_number_of_retries_does_not_overflow() {
    let policy = RetryPolicy::default();
    let mut retry = Retry::start(&policy, u32::MAX, true, None);
    retry.retries = u32::MAX - 1;
    let error = error(ErrorClass::RateLimit);
    assert_eq!(retry.on_failure(&error, Instant::now(), 0.5), seconds(45));
    assert_eq!(retry.on_failure(&error, Instant::now(), 0.5), stop(StopReason::Exhausted));
}

#[test]
fn a_stopped_call_stays_stopped() {
    let policy = steady();
    let now = Instant::now();
    let mut retry = Retry::start(&policy, 5, true, Some(now + 10 * SECOND));
    let transient = error(ErrorClass::Network);
    assert_eq!(retry.on_failure(&error(ErrorClass::NotFound), now, 0.0), stop(StopReason::Permanent));
    assert_eq!(retry.on_failure(&transient, now, 0.0), stop(StopReason::Permanent));

    let mut retry = Retry::start(&policy, 5, true, Some(now + 10 * SECOND));
    assert_eq!(retry.on_failure(&transient, now + 9 * SECOND, 0.0), stop(StopReason::Deadline));
    assert_eq!(retry.on_failure(&transient, now, 0.0), stop(StopReason::Deadline));
    assert_eq!(retry.retries(), 0);
}

#[test]
fn the_next_attempt_begins_before_the_deadline() {
    let (policy, now) = (steady(), Instant::now());
    let after =
        |left| Retry::start(&policy, 1, true, Some(now + left)).on_failure(&error(ErrorClass::Timeout), now, 0.0);
    assert_eq!(after(2 * SECOND), stop(StopReason::Deadline));
    assert_eq!(after(2 * SECOND + Duration::from_nanos(1)), seconds(2));

    let endless = RetryPolicy::builder()
        .class(ErrorClass::Timeout, Backoff::fixed(Duration::MAX).jitter(Jitter::None))
        .build()
        .unwrap();
    let mut retry = Retry::start(&endless, 1, true, Some(now + SECOND));
    assert_eq!(retry.on_failure(&error(ErrorClass::Timeout), now, 0.0), stop(StopReason::Deadline));
    let mut retry = Retry::start(&endless, 1, true, None);
    let after = Decision::Retry { after: Duration::MAX };
    assert_eq!(retry.on_failure(&error(ErrorClass::Timeout).retry_after(SECOND), now, 0.9), after);
}

#[test]
fn a_class_that_is_never_retried_counts_as_permanent() {
    let policy = RetryPolicy::builder().class(ErrorClass::RateLimit, Backoff::never()).build().unwrap();
    let mut retry = Retry::start(&policy, 3, true, None);
    let hinted = error(ErrorClass::RateLimit).retry_after(SECOND);
    assert_eq!(retry.on_failure(&hinted, Instant::now(), 0.0), stop(StopReason::Permanent));
}

#[test]
fn the_wait_that_was_asked_for_is_a_floor_with_a_ceiling() {
    let policy = RetryPolicy::default();
    let after = |wait, random| {
        let hinted = error(ErrorClass::RateLimit).retry_after(wait);
        Retry::start(&policy, 1, true, None).on_failure(&hinted, Instant::now(), random)
    };
    assert_eq!(after(20 * SECOND, 0.0), seconds(20));
    assert_eq!(after(20 * SECOND, 0.5), seconds(21));
    assert_eq!(after(120 * SECOND, 0.0), seconds(120));
    assert_eq!(after(120 * SECOND, 0.5), Decision::Retry { after: Duration::from_millis(122_500) });
    assert_eq!(after(120 * SECOND + Duration::from_nanos(1), 0.0), stop(StopReason::RetryAfterTooLong));
    assert_eq!(after(86_400 * SECOND, 0.0), stop(StopReason::RetryAfterTooLong));
    // A shorter wait than the own one does not shorten it.
    assert_eq!(after(Duration::ZERO, 0.5), Decision::Retry { after: Duration::from_millis(750) });
    assert_eq!(after(Duration::from_millis(100), 0.5), Decision::Retry { after: Duration::from_millis(755) });

    let immediate = RetryPolicy::builder().class(ErrorClass::RateLimit, Backoff::immediate()).build().unwrap();
    let mut retry = Retry::start(&immediate, 2, true, None);
    let hinted = error(ErrorClass::RateLimit).retry_after(SECOND);
    assert_eq!(retry.on_failure(&hinted, Instant::now(), 0.0), seconds(1));
    assert_eq!(retry.on_failure(&error(ErrorClass::RateLimit), Instant::now(), 0.9), seconds(0));
}

#[test]
fn a_million_waits_are_neither_early_nor_late() {
    let policy = RetryPolicy::default();
    let mut rng = SmallRng::seed_from_u64(11);
    let now = Instant::now();
    let mut waited = 0u32;
    for _ in 0..1_000_000 {
        let mut retry = Retry::start(&policy, u32::MAX, true, None);
        retry.retries = rng.random_range(0..20);
        let wait = Duration::from_nanos(rng.random_range(0..=130_000_000_000));
        let random = rng.random();
        let own = policy.delay(ErrorClass::Timeout, retry.retries, random).unwrap();
        // Built once a draw: the error is what the hint comes in with.
        match retry.on_failure(&error(ErrorClass::Timeout).retry_after(wait), now, random) {
            Decision::Retry { after } => {
                let floor = own.max(wait);
                assert!(wait <= 120 * SECOND);
                assert!(after >= floor && after <= floor + (wait / 10).min(5 * SECOND), "{wait:?} {own:?} {after:?}");
                waited += 1;
            }
            Decision::Stop(reason) => {
                assert!(reason == StopReason::RetryAfterTooLong && wait > 120 * SECOND, "{wait:?} {reason}");
            }
        }
    }
    assert!((900_000..950_000).contains(&waited), "{waited}");
}

/// What one call does, where each attempt takes no time: the moment of each attempt, and whether the last succeeded.
/// Beyond the end of the script every attempt fails for good.
fn play(script: &[Option<ToolError>], max_retries: u32, idempotent: bool, randoms: &[f64]) -> (Vec<Duration>, bool) {
    let policy = RetryPolicy::default();
    let start = Instant::now();
    let mut retry = Retry::start(&policy, max_retries, idempotent, Some(start + 40 * SECOND));
    let mut attempts = vec![Duration::ZERO];
    for (outcome, random) in script.iter().zip(randoms) {
        let Some(error) = outcome else { return (attempts, true) };
        let now = attempts[attempts.len() - 1];
        match retry.on_failure(error, start + now, *random) {
            Decision::Retry { after } => attempts.push(now + after),
            Decision::Stop(_) => return (attempts, false),
        }
    }
    (attempts, false)
}

fn outcomes() -> impl Strategy<Value = Vec<Option<ToolError>>> {
    let hint = prop_oneof![2 => Just(None), 3 => (0u64..10_000).prop_map(|ms| Some(Duration::from_millis(ms)))];
    let class = prop_oneof![8 => 0usize..4, 1 => 4usize..10].prop_map(|index| ErrorClass::ALL[index]);
    let failure = (class, hint, prop::bool::weighted(0.7)).prop_map(|(class, hint, no_effect)| {
        let error = error(class).retry_after(hint);
        Some(if no_effect { error.no_effect() } else { error })
    });
    prop::collection::vec(prop_oneof![5 => failure, 1 => Just(None)], 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn more_retries_never_lose_a_success(
        script in outcomes(), max_retries in 0u32..8, more in 1u32..8, idempotent: bool,
        randoms in prop::collection::vec(0.0..1.0f64, 8),
    ) {
        let (few, succeeded) = play(&script, max_retries, idempotent, &randoms);
        let (many, still_succeeds) = play(&script, max_retries + more, idempotent, &randoms);
        prop_assert!(!succeeded || still_succeeds);
        prop_assert!(many.starts_with(&few));
        prop_assert!(few.len() <= max_retries as usize + 1);
    }

    #[test]
    fn a_wait_that_is_asked_for_never_makes_an_attempt_earlier(
        script in outcomes(), place in 0usize..8, ms in 0u64..130_000,
        randoms in prop::collection::vec(0.0..1.0f64, 8),
    ) {
        let place = place % script.len();
        let mut without = script;
        without[place] = without[place].take().map(|error| error.retry_after(None));
        let mut with = without.clone();
        with[place] = with[place].take().map(|error| error.retry_after(Duration::from_millis(ms)));
        let (without, _) = play(&without, 7, true, &randoms);
        let (with, _) = play(&with, 7, true, &randoms);
        prop_assert!(with.len() <= without.len());
        for (with, without) in with.iter().zip(&without) {
            prop_assert!(with >= without);
        }
    }

    #[test]
    fn a_permanent_failure_is_the_last_attempt(
        script in outcomes(), place in 0usize..8, class in 4usize..10,
        randoms in prop::collection::vec(0.0..1.0f64, 8),
    ) {
        let mut script = script;
        let place = place % script.len();
        script[place] = Some(error(ErrorClass::ALL[class]).retry_after(SECOND).no_effect());
        let (attempts, succeeded) = play(&script, u32::MAX, true, &randoms);
        prop_assert!(attempts.len() <= place + 1);
        prop_assert!(!succeeded || attempts.len() <= place);
    }
}
