//! The figures of systems that are trusted with retries, each at its value.

use std::time::{Duration, Instant, UNIX_EPOCH};

use toolkit::{Backoff, Decision, ErrorClass, Jitter, Retry, RetryAfter, RetryPolicy, StopReason, ToolError};

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Waits of a nanosecond, so that only what the service asks for is left.
fn as_asked() -> RetryPolicy {
    let shortest = Backoff::fixed(Duration::from_nanos(1)).jitter(Jitter::None);
    RetryPolicy::builder().class(ErrorClass::RateLimit, shortest).build().unwrap()
}

#[test]
fn retry_after() {
    let now = UNIX_EPOCH + seconds(1_696_004_797);
    let wait = |wait| Some(Decision::Retry { after: wait });
    let stop = Some(Decision::Stop(StopReason::RetryAfterTooLong));
    for (value, expected) in [
        ("20", wait(seconds(20))),
        ("60", wait(seconds(60))),
        ("120", wait(seconds(120))),
        ("121", stop),
        ("1e35", stop),
        ("-10", None),
        ("inf", None),
        ("nan", None),
        ("", None),
        ("Zun, 29 Sep 2023 16:26:27 GMT garbage", None),
        ("Fri, 29 Sep 100000 16:26:57 GMT", None),
        ("Fri, 29 Sep 2023 16:26:57 GMT", wait(seconds(20))),
        // A wait of none at all: what is left is the policy's own.
        ("Fri, 29 Sep 2023 16:26:27 GMT", wait(Duration::from_nanos(1))),
    ] {
        let asked = RetryAfter::parse(value, now);
        let decision = asked.map(|asked| {
            let error = ToolError::new(ErrorClass::RateLimit, "too many requests").retry_after(asked);
            Retry::start(&as_asked(), 1, true, None).on_failure(&error, Instant::now(), 0.0)
        });
        assert_eq!(decision, expected, "{value}");
        assert_eq!(RetryAfter::from_headers([("retry-after", value)], now), asked, "{value}");
    }
}

#[test]
fn growth_without_jitter() {
    let base = Duration::from_millis(50);
    let growing = Backoff::exponential(base).factor(2.0).jitter(Jitter::None);
    for (backoff, expected) in
        [(growing, [50, 100, 200, 400]), (growing.cap(Duration::from_millis(200)), [50, 100, 200, 200])]
    {
        let policy = RetryPolicy::builder().class(ErrorClass::Timeout, backoff).without_budget().build().unwrap();
        let mut retry = Retry::start(&policy, 4, true, None);
        let error = ToolError::new(ErrorClass::Timeout, "no answer");
        for expected in expected.map(Duration::from_millis) {
            assert_eq!(retry.on_failure(&error, Instant::now(), 0.9), Decision::Retry { after: expected });
        }
    }
}

#[test]
fn two_retries_and_a_success_of_a_bucket_of_five_hundred() {
    let policy = RetryPolicy::builder().budget(500, 1.0, Duration::MAX).retry_cost(14).build().unwrap();
    let budget = policy.new_budget().unwrap();
    let mut retry = Retry::start(&policy, 2, true, None).budget(&budget);
    let error = ToolError::new(ErrorClass::Network, "connection refused");
    let now = Instant::now();
    for left in [486_000, 472_000] {
        assert!(matches!(retry.on_failure(&error, now, 0.5), Decision::Retry { .. }));
        assert_eq!(budget.thousandths(now), left);
    }
    budget.deposit(now);
    assert_eq!(budget.thousandths(now), 486_000);
}
