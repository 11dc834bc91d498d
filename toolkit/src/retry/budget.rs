//! The brake on all retries to one upstream together.
//!
//! A limit on each call is not enough: when an upstream fails altogether, two retries a call are three times the load,
//! at the worst moment. The bucket lets a burst through, and after it as many retries as the successes pay for. First
//! attempts are free. Never share one bucket between upstreams that fail apart from each other.

use std::fmt;
use std::time::{Duration, Instant};

use super::sync::{AtomicBool, Mutex, MutexGuard, Ordering, PoisonError};

#[cfg(test)]
mod tests;

/// What one token is counted in, so that a tenth of one needs no fraction.
const TOKEN: u64 = 1000;

/// A token bucket that retries are paid from. [`RetryPolicy::new_budget`](crate::RetryPolicy::new_budget) makes one.
///
/// It is full at first, never negative and never over the burst. Amounts are thousandths of a token, and whole numbers.
/// The time is an argument; where threads hand theirs in out of order, the earlier one refills nothing.
///
/// What it does in an outage: 20,000 calls to one upstream, a hundred a second, 2 retries at most; the load factor (attempts
/// by calls) and the share of the calls that succeed. `cargo bench -p toolkit --bench outage`, 30 November 2026:
///
/// | attempts that fail | no budget | 10 tokens, 0.1 a success, 1 in 10 s (the default) | as the AWS SDKs: 500 tokens, 5 a retry | as gRPC: 10 tokens, half kept |
/// |---|---|---|---|---|
/// | 1 % | 1.010, 100.00 % | 1.010, 100.00 % | 1.010, 100.00 % | 1.010, 100.00 % |
/// | 5 % | 1.052, 99.99 % | 1.052, 99.99 % | 1.052, 99.99 % | 1.052, 99.93 % |
/// | 10 % | 1.109, 99.89 % | 1.097, 98.84 % | 1.109, 99.89 % | 1.026, 92.53 % |
/// | 30 % | 1.387, 97.28 % | 1.077, 75.59 % | 1.383, 97.01 % | 1.000, 70.02 % |
/// | 100 % | 3.000, 0.00 % | 1.001, 0.00 % | 1.005, 0.00 % | 1.000, 0.00 % |
///
/// An upstream of which three in ten attempts fail for long needs a larger one, if its failures are not those of overload:
/// [`RetryPolicyBuilder::budget`](crate::RetryPolicyBuilder::budget).
///
/// ```
/// use std::time::Instant;
/// use toolkit::RetryPolicy;
///
/// let Some(budget) = RetryPolicy::default().new_budget() else { return };
/// let now = Instant::now();
/// assert_eq!((1..=12).filter(|_| budget.take(now)).count(), 10);
/// ```
pub struct RetryBudget {
    rules: Rules,
    // A mutex, and not atomics: the tokens and the time up to which they were refilled change together. It is held for a
    // few additions, and none of them can panic, so a poisoned lock would say nothing about the numbers: it is ignored.
    level: Mutex<Level>,
    /// Whether anything was taken since it was full last. A success finds a full bucket nearly always, and then has
    /// nothing to write down.
    spent: AtomicBool,
}

/// The fixed numbers of a bucket, in thousandths of a token and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    burst: u64,
    cost: u64,
    deposit: u64,
    refill: u128,
}

impl Rules {
    /// `burst` and `cost` in tokens, `ratio` in thousandths of the cost, `refill` for one token.
    pub(super) fn new(burst: u32, cost: u32, ratio: u32, refill: Duration) -> Self {
        Self {
            burst: u64::from(burst) * TOKEN,
            cost: u64::from(cost) * TOKEN,
            // A token is a thousand, and so is a whole ratio.
            deposit: u64::from(cost) * u64::from(ratio),
            refill: refill.as_nanos().max(1),
        }
    }
}

struct Level {
    tokens: u64,
    /// What has been earned of the next thousandth, in units of 1/refill. Without it, a bucket that is asked often would
    /// round every little wait down to nothing.
    earned: u128,
    /// `None` until it is first used: a full bucket has nothing to refill.
    refilled: Option<Instant>,
}

impl RetryBudget {
    pub(super) fn full(rules: Rules) -> Self {
        let level = Mutex::new(Level { tokens: rules.burst, earned: 0, refilled: None });
        Self { rules, level, spent: AtomicBool::new(false) }
    }

    /// Pays for one retry, if there is enough left.
    #[must_use]
    pub fn take(&self, now: Instant) -> bool {
        let mut level = self.at(now);
        match level.tokens.checked_sub(self.rules.cost) {
            Some(rest) => {
                level.tokens = rest;
                self.spent.store(true, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    /// Gives back what a retry cost that was never made, because its call was dropped while it waited.
    pub fn refund(&self) {
        self.lock().add(self.rules.cost, &self.rules);
    }

    /// Notes a success.
    pub fn deposit(&self, now: Instant) {
        if !self.spent.load(Ordering::Relaxed) {
            return;
        }
        let mut level = self.at(now);
        level.add(self.rules.deposit, &self.rules);
        if level.tokens == self.rules.burst {
            self.spent.store(false, Ordering::Relaxed);
        }
    }

    /// What is left, in thousandths of a token.
    pub fn thousandths(&self, now: Instant) -> u64 {
        self.at(now).tokens
    }

    fn at(&self, now: Instant) -> MutexGuard<'_, Level> {
        let mut level = self.lock();
        level.refill(now, &self.rules);
        level
    }

    fn lock(&self) -> MutexGuard<'_, Level> {
        self.level.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Level {
    fn add(&mut self, amount: u64, rules: &Rules) {
        self.tokens = self.tokens.saturating_add(amount).min(rules.burst);
    }

    fn refill(&mut self, now: Instant, rules: &Rules) {
        let since = *self.refilled.get_or_insert(now);
        let elapsed = now.saturating_duration_since(since).as_nanos();
        self.refilled = Some(since.max(now));
        // At most 94 + 10 bits, and a rest below 94.
        self.earned += elapsed * u128::from(TOKEN);
        // Two takes that follow each other closely earn nothing in between, and a division of 128 bits is slow.
        if self.earned >= rules.refill {
            self.add(u64::try_from(self.earned / rules.refill).unwrap_or(u64::MAX), rules);
            self.earned %= rules.refill;
        }
        // A full bucket earns nothing, and so keeps no rest either.
        if self.tokens == rules.burst {
            self.earned = 0;
        }
    }
}

impl fmt::Debug for RetryBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = self.lock().tokens;
        f.debug_struct("RetryBudget").field("rules", &self.rules).field("thousandths", &tokens).finish_non_exhaustive()
    }
}
