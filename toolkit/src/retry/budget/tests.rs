use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;

use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn standard() -> RetryBudget {
    RetryBudget::full(Rules::new(10, 1, 100, 10 * SECOND))
}

fn emptied(now: Instant) -> RetryBudget {
    let budget = standard();
    while budget.take(now) {}
    assert_eq!(budget.thousandths(now), 0);
    budget
}

#[test]
fn a_full_bucket_pays_for_its_burst_and_no_more() {
    let (budget, now) = (standard(), Instant::now());
    assert_eq!(budget.thousandths(now), 10_000);
    assert_eq!((0..100).filter(|_| budget.take(now)).count(), 10);
    assert_eq!(budget.thousandths(now), 0);
}

#[test]
fn ten_successes_pay_for_one_retry() {
    let now = Instant::now();
    let budget = emptied(now);
    for _ in 0..9 {
        budget.deposit(now);
        assert!(!budget.take(now));
    }
    budget.deposit(now);
    assert!(budget.take(now));
    assert!(!budget.take(now));
}

#[test]
fn a_retry_that_costs_fourteen_is_earned_back_by_a_success() {
    let budget = RetryBudget::full(Rules::new(500, 14, 1000, Duration::MAX));
    let now = Instant::now();
    assert!(budget.take(now));
    assert_eq!(budget.thousandths(now), 486_000);
    assert!(budget.take(now));
    assert_eq!(budget.thousandths(now), 472_000);
    budget.deposit(now);
    assert_eq!(budget.thousandths(now), 486_000);
}

#[test]
fn ten_seconds_refill_one_retry_however_often_it_is_asked() {
    let start = Instant::now();
    let asked_once = emptied(start);
    assert!(!asked_once.take(start + Duration::from_nanos(9_999_999_999)));
    assert!(asked_once.take(start + 10 * SECOND));

    // 3 ms are less than the 10 ms of a thousandth.
    let asked_often = emptied(start);
    for step in 1..=10_000 {
        let _ = asked_often.thousandths(start + step * Duration::from_millis(3));
    }
    assert_eq!(asked_often.thousandths(start + 30 * SECOND), 3000);
}

#[test]
fn nothing_fills_it_over_the_burst() {
    let (budget, now) = (standard(), Instant::now());
    budget.deposit(now);
    budget.refund();
    assert_eq!(budget.thousandths(now + 100 * SECOND), 10_000);
    // What a full bucket did not earn is not earned later either.
    let later = now + 100 * SECOND + Duration::from_millis(9);
    assert!(budget.take(later));
    assert_eq!(budget.thousandths(later + Duration::from_millis(9)), 9000);
    assert_eq!(budget.thousandths(later + Duration::from_millis(10)), 9001);
}

#[test]
fn a_refund_gives_back_what_was_taken() {
    let now = Instant::now();
    let budget = emptied(now);
    budget.refund();
    assert_eq!(budget.thousandths(now), 1000);
    assert!(budget.take(now));
}

#[test]
fn a_time_out_of_order_refills_nothing() {
    let start = Instant::now();
    let budget = emptied(start);
    assert_eq!(budget.thousandths(start + 10 * SECOND), 1000);
    assert_eq!(budget.thousandths(start + 5 * SECOND), 1000);
    assert_eq!(budget.thousandths(start + 10 * SECOND), 1000, "the same ten seconds do not count twice");
    assert_eq!(budget.thousandths(start + 20 * SECOND), 2000);
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    let start = Instant::now();
    let later = start.checked_add(Duration::from_secs(1 << 60)).unwrap_or(start + Duration::from_secs(1 << 31));
    let fast = RetryBudget::full(Rules::new(u32::MAX, u32::MAX, 1000, Duration::from_nanos(1)));
    assert!(fast.take(start));
    fast.refund();
    fast.deposit(start);
    assert!(fast.take(start) && !fast.take(start));
    assert!(fast.take(later));
    let slow = RetryBudget::full(Rules::new(1, 1, 1000, Duration::MAX));
    assert!(slow.take(start) && !slow.take(start + SECOND));
}

#[test]
fn a_panic_beside_it_does_not_lock_it() {
    let (budget, now) = (standard(), Instant::now());
    let panicked = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let _level = budget.lock();
            // Without a message on the test's output.
            std::panic::resume_unwind(Box::new(()));
        });
        thread.join().is_err()
    });
    assert!(panicked && budget.level.is_poisoned());
    assert!(budget.take(now));
    assert_eq!(budget.thousandths(now), 9000);
}

#[test]
fn threads_never_take_more_than_there_is() {
    let (budget, now) = (standard(), Instant::now());
    let (taken, deposited) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..8u64 {
            let (budget, taken, deposited) = (&budget, &taken, &deposited);
            scope.spawn(move || {
                for step in 0..2000 {
                    if (step + thread) % 5 == 0 {
                        // Counted before, so that the bound below holds in every interleaving.
                        deposited.fetch_add(1, Ordering::SeqCst);
                        budget.deposit(now);
                    }
                    if budget.take(now) {
                        let taken = taken.fetch_add(1, Ordering::SeqCst) + 1;
                        assert!(taken * 1000 <= 10_000 + 100 * deposited.load(Ordering::SeqCst));
                    }
                }
            });
        }
    });
    let (taken, deposited) = (taken.into_inner(), deposited.into_inner());
    assert_eq!(deposited, 3200);
    // The demand was larger than the supply all the time, so that no deposit met a full bucket but the first few.
    assert!((300..=330).contains(&taken), "{taken}");
    assert!(taken * 1000 + budget.thousandths(now) <= 10_000 + 100 * deposited);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Take,
    Deposit,
    Refund,
    Pass(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => Just(Step::Take),
        2 => Just(Step::Deposit),
        1 => Just(Step::Refund),
        2 => (0u64..30_000_000_000).prop_map(Step::Pass),
    ];
    prop::collection::vec(step, 0..200)
}

proptest! {
    /// Against a bucket of rational numbers: everything is counted in units of 1/refill thousandths.
    #[test]
    fn it_holds_what_a_bucket_without_rounding_holds(
        burst in 1u32..20, cost in 1u32..20, ratio in 0u32..=1000, refill in 1u64..20_000_000_000, steps in steps(),
    ) {
        let cost = cost.min(burst);
        let budget = RetryBudget::full(Rules::new(burst, cost, ratio, Duration::from_nanos(refill)));
        let unit = u128::from(refill);
        let full = u128::from(burst) * 1000 * unit;
        let mut model = full;
        let mut now = Instant::now();
        prop_assert_eq!(budget.thousandths(now), u64::from(burst) * 1000);
        for step in steps {
            match step {
                Step::Take => {
                    let price = u128::from(cost) * 1000 * unit;
                    prop_assert_eq!(budget.take(now), model >= price);
                    model = model.checked_sub(price).unwrap_or(model);
                }
                Step::Deposit => {
                    budget.deposit(now);
                    model += u128::from(cost * ratio) * unit;
                }
                Step::Refund => {
                    budget.refund();
                    model += u128::from(cost) * 1000 * unit;
                }
                Step::Pass(nanos) => {
                    now += Duration::from_nanos(nanos);
                    model += u128::from(nanos) * 1000;
                }
            }
            model = model.min(full);
            prop_assert_eq!(u128::from(budget.thousandths(now)), model / unit);
        }
    }
}
