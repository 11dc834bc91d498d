//! The retry budget under every interleaving of threads.
//!
//! This is the library's own file, compiled against the locks and atomics of a model checker, which runs each model once
//! for every order in which threads can meet, weak memory included.

use std::time::{Duration, Instant};

use loom::sync::Arc;
use loom::thread;

#[path = "../../toolkit/src/retry/budget.rs"]
#[allow(dead_code, reason = "the library uses all of it")]
mod budget;

/// What the library takes from the standard library.
mod sync {
    pub(super) use std::sync::PoisonError;

    pub(super) use loom::sync::atomic::{AtomicBool, Ordering};
    pub(super) use loom::sync::{Mutex, MutexGuard};
}

use budget::{RetryBudget, Rules};

const SECOND: Duration = Duration::from_secs(1);

/// So many tokens at a cost of one; a success brings back so many thousandths, and so long brings back a token.
fn full(burst: u32, deposit: u32, refill: Duration) -> Arc<RetryBudget> {
    Arc::new(RetryBudget::full(Rules::new(burst, 1, deposit, refill)))
}

/// Runs both beside each other; what they return.
fn beside<A: 'static, B>(
    budget: &Arc<RetryBudget>,
    there: impl FnOnce(&RetryBudget) -> A + 'static,
    here: impl FnOnce(&RetryBudget) -> B,
) -> (A, B) {
    let other = Arc::clone(budget);
    let thread = thread::spawn(move || there(&other));
    let here = here(budget);
    (thread.join().expect("the thread does not panic"), here)
}

/// A name, and what holds in every interleaving.
const MODELS: [(&str, fn(Instant)); 6] = [
    ("the last token is taken once", |now| {
        let budget = full(1, 0, Duration::MAX);
        let (there, here) = beside(&budget, move |budget| budget.take(now), |budget| budget.take(now));
        assert!(there != here);
        assert_eq!(budget.thousandths(now), 0);
    }),
    ("three threads share two tokens", |now| {
        let budget = full(2, 0, Duration::MAX);
        let threads = [(); 2].map(|()| {
            let budget = Arc::clone(&budget);
            thread::spawn(move || budget.take(now))
        });
        let here = budget.take(now);
        let taken = threads.map(|thread| thread.join().expect("the thread does not panic")).into_iter().chain([here]);
        assert_eq!(taken.filter(|taken| *taken).count(), 2);
    }),
    ("what is taken and given back beside a retry is neither lost nor doubled", |now| {
        let budget = full(2, 0, Duration::MAX);
        let dropped = move |budget: &RetryBudget| {
            assert!(budget.take(now));
            budget.refund();
        };
        let ((), here) = beside(&budget, dropped, |budget| budget.take(now));
        assert!(here);
        assert_eq!(budget.thousandths(now), 1000);
    }),
    ("a success that follows a retry is counted, whatever another thread does", |now| {
        let budget = full(2, 500, Duration::MAX);
        let call = move |budget: &RetryBudget| {
            assert!(budget.take(now));
            budget.deposit(now);
        };
        beside(&budget, call, call);
        // Two halves came back at least, one of them perhaps to a bucket that had room for it only.
        assert_eq!(budget.thousandths(now), 1000);
    }),
    ("what fills the bucket does not make it deaf to later successes", |now| {
        let budget = full(1, 1000, Duration::MAX);
        let call = move |budget: &RetryBudget| {
            let taken = budget.take(now);
            budget.deposit(now);
            taken
        };
        let (there, here) = beside(&budget, call, call);
        assert!(there || here);
        // However the two met: below the burst, a success is heard.
        let before = budget.thousandths(now);
        budget.deposit(now);
        assert_eq!(budget.thousandths(now), 1000, "it was {before}");
        assert!(budget.take(now));
        budget.deposit(now);
        assert_eq!(budget.thousandths(now), 1000);
    }),
    ("the same time is refilled once, though threads hand it in out of order", |now| {
        let budget = full(3, 0, SECOND);
        assert!(budget.take(now) && budget.take(now) && budget.take(now));
        let later = now + SECOND;
        let (there, here) = beside(&budget, move |budget| budget.take(later), move |budget| budget.take(now));
        let taken = u64::from(there) + u64::from(here);
        assert!(taken <= 1);
        assert_eq!(budget.thousandths(later) + taken * 1000, 1000);
    }),
];

fn main() {
    let now = Instant::now();
    for (name, model) in MODELS {
        print!("{name} ... ");
        loom::model(move || model(now));
        println!("ok");
    }
}
