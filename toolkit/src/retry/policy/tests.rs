use super::*;
use crate::retry::Jitter;

const SECOND: Duration = Duration::from_secs(1);

fn problems(builder: RetryPolicyBuilder) -> Vec<String> {
    builder.build().map_or_else(|error| error.problems().to_vec(), |policy| panic!("{policy:?} was built"))
}

#[test]
fn the_default_has_the_numbers_of_its_documentation() {
    let policy = RetryPolicy::default();
    let delays = |class, random| [0, 1, 2, 3, 4, 5, 6, 7].map(|n| policy.delay(class, n, random).unwrap().as_millis());
    assert_eq!(delays(ErrorClass::RateLimit, 0.0), [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    assert_eq!(delays(ErrorClass::RateLimit, 0.5), [750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000]);
    assert_eq!(delays(ErrorClass::Timeout, 0.0), [250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
    for class in [ErrorClass::Network, ErrorClass::ServiceUnavailable] {
        assert_eq!(delays(class, 0.0), [900; 8]);
        assert_eq!(delays(class, 0.5), [1000; 8]);
        assert_eq!(delays(class, 0.999_999_9), [1099; 8]);
    }
    assert_eq!(policy.max_retry_after(), Duration::from_secs(120));
    assert_eq!(policy.new_budget().map(|budget| budget.thousandths(std::time::Instant::now())), Some(10_000));
}

#[test]
fn only_the_transient_classes_have_a_delay() {
    let policy = RetryPolicy::default();
    for class in ErrorClass::ALL {
        assert_eq!(policy.delay(class, 0, 0.0).is_some(), class.is_transient(), "{class}");
    }
}

#[test]
fn a_builder_that_was_told_nothing_builds_the_default() {
    assert_eq!(RetryPolicy::builder().build(), Ok(RetryPolicy::default()));
    let spelled_out = RetryPolicy::builder()
        .class(ErrorClass::RateLimit, Backoff::exponential(SECOND).factor(2.0).cap(60 * SECOND).jitter(Jitter::Equal))
        .class(ErrorClass::Network, Backoff::fixed(SECOND).jitter(Jitter::Proportional(0.1)))
        .max_retry_after(120 * SECOND)
        .budget(10, 0.1, 10 * SECOND)
        .retry_cost(1)
        .build();
    assert_eq!(spelled_out, Ok(RetryPolicy::default()));
}

#[test]
fn each_class_is_set_alone_and_the_last_word_counts() {
    for class in ErrorClass::ALL.into_iter().filter(|class| class.is_transient()) {
        let policy = RetryPolicy::builder()
            .class(class, Backoff::never())
            .class(class, Backoff::fixed(3 * SECOND).jitter(Jitter::None))
            .build()
            .unwrap();
        for other in ErrorClass::ALL {
            let expected = if other == class { Some(3 * SECOND) } else { RetryPolicy::default().delay(other, 0, 0.3) };
            assert_eq!(policy.delay(other, 0, 0.3), expected, "{other} where {class} was set");
        }
    }
}

#[test]
fn the_builder_keeps_what_it_was_told() {
    let policy = RetryPolicy::builder()
        .class(ErrorClass::Network, Backoff::exponential(SECOND).factor(3.0).jitter(Jitter::None))
        .class(ErrorClass::Timeout, Backoff::immediate())
        .class(ErrorClass::RateLimit, Backoff::never())
        .max_retry_after(Duration::ZERO)
        .without_budget()
        .build()
        .unwrap();
    assert_eq!(policy.delay(ErrorClass::Network, 2, 0.9), Some(9 * SECOND));
    assert_eq!(policy.delay(ErrorClass::Network, 4, 0.9), Some(60 * SECOND));
    assert_eq!(policy.delay(ErrorClass::Timeout, 2, 0.9), Some(Duration::ZERO));
    assert_eq!(policy.delay(ErrorClass::RateLimit, 2, 0.9), None);
    assert_eq!(policy.max_retry_after(), Duration::ZERO);
    assert!(policy.new_budget().is_none());
}

#[test]
fn every_number_out_of_range_is_refused() {
    let timeout = |backoff| problems(RetryPolicy::builder().class(ErrorClass::Timeout, backoff)).join("; ");
    let exponential = Backoff::exponential(SECOND);
    for (backoff, problem) in [
        (Backoff::exponential(Duration::ZERO), "the base of `timeout` is zero"),
        (Backoff::fixed(Duration::ZERO), "the interval of `timeout` is zero"),
        (exponential.factor(0.5), "the factor of `timeout` is 0.5"),
        (exponential.factor(0.0), "the factor of `timeout` is 0;"),
        (exponential.factor(-2.0), "the factor of `timeout` is -2"),
        (exponential.factor(f64::NAN), "the factor of `timeout` is NaN"),
        (exponential.factor(f64::INFINITY), "the factor of `timeout` is inf"),
        (exponential.cap(Duration::from_millis(999)), "the cap of `timeout` (999ms) is below its base (1s)"),
        (Backoff::fixed(SECOND).cap(Duration::ZERO), "the cap of `timeout` (0ns) is below its interval (1s)"),
        (Backoff::exponential(61 * SECOND), "(60s, which stands where none is given) is below its base (61s)"),
        (exponential.jitter(Jitter::Proportional(-0.1)), "the jitter of `timeout` is -0.1"),
        (exponential.jitter(Jitter::Proportional(1.1)), "the jitter of `timeout` is 1.1"),
        (exponential.jitter(Jitter::Proportional(f64::NAN)), "the jitter of `timeout` is NaN"),
        (Backoff::fixed(SECOND).factor(2.0), "the interval of `timeout` is fixed"),
        (Backoff::immediate().jitter(Jitter::Full), "`timeout` has a jitter, but `Backoff::immediate()`"),
        (Backoff::never().cap(SECOND), "`timeout` has a cap, but `Backoff::never()`"),
    ] {
        let found = timeout(backoff);
        assert!(found.contains(problem) && !found.contains("; the "), "{backoff:?}: {found}");
    }
    for class in ErrorClass::ALL.into_iter().filter(|class| !class.is_transient()) {
        let found = problems(RetryPolicy::builder().class(class, Backoff::immediate()));
        assert_eq!(found, [format!("`{class}` is permanent and is never retried, so it has no backoff")]);
    }
}

#[test]
fn a_budget_that_cannot_work_is_refused() {
    let default = RetryPolicy::builder;
    for (builder, problem) in [
        (default().budget(0, 0.1, SECOND), "the budget holds no token"),
        (default().budget(10, -0.1, SECOND), "the ratio of the budget is -0.1"),
        (default().budget(10, 1.1, SECOND), "the ratio of the budget is 1.1"),
        (default().budget(10, f64::NAN, SECOND), "the ratio of the budget is NaN"),
        (default().budget(10, 0.0004, SECOND), "kept to three decimals"),
        (default().budget(10, 0.1, Duration::ZERO), "the budget refills in no time"),
        (default().retry_cost(0), "a retry that costs nothing"),
        (default().retry_cost(11), "the budget holds 10 tokens, which is less than one retry costs (11)"),
        (default().retry_cost(2).without_budget(), "there is no budget that it could be taken from"),
    ] {
        let found = problems(builder);
        assert!(found.len() == 1 && found[0].contains(problem), "{found:?}");
    }
    assert!(default().budget(1, 0.0, Duration::MAX).build().is_ok());
    assert!(default().budget(u32::MAX, 1.0, Duration::from_nanos(1)).retry_cost(u32::MAX).build().is_ok());
}

#[test]
fn all_problems_are_reported_at_once_in_the_order_of_the_settings() {
    let found = problems(
        RetryPolicy::builder()
            .class(ErrorClass::Internal, Backoff::fixed(SECOND))
            .class(
                ErrorClass::RateLimit,
                Backoff::exponential(Duration::ZERO).factor(0.5).jitter(Jitter::Proportional(2.0)),
            )
            .budget(0, 7.0, Duration::ZERO),
    );
    let starts = [
        "`internal` is permanent",
        "the base of `rate_limit`",
        "the factor of `rate_limit`",
        "the jitter of `rate_limit`",
        "the budget holds no token",
        "the ratio of the budget",
        "the budget refills in no time",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (problem, start) in found.iter().zip(starts) {
        assert!(problem.starts_with(start), "{problem}");
    }
}
