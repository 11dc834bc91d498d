//! Whether a failed attempt is made again, and when.
//!
//! A retry can do more harm than the failure it answers: it sends the same e-mail twice, and a thousand callers that
//! retry in step keep a struggling service down. So nothing is retried that is not known to be transient, a tool that
//! may have had an effect is not run again unless it is idempotent, every wait is spread at random *below* its cap, and a
//! token bucket stops the retries of one upstream before they become a storm.
//!
//! All of it is arithmetic: the time and the randomness come in as arguments, nothing here sleeps, reads a clock or
//! draws a number. [`Retry`] decides, [`RetryPolicy`] holds the numbers, [`RetryBudget`] is shared between calls, and
//! [`RetryAfter`] reads what a service asked for.

mod after;
mod backoff;
mod budget;
mod date;
mod decision;
mod policy;

/// What the budget is shared by. A model checker puts its own in this place: `tests/loom`.
mod sync {
    pub(super) use std::sync::atomic::{AtomicBool, Ordering};
    pub(super) use std::sync::{Mutex, MutexGuard, PoisonError};
}

pub use self::after::RetryAfter;
pub use self::backoff::{Backoff, Jitter};
pub use self::budget::RetryBudget;
pub use self::decision::{Decision, Retry, StopReason};
pub use self::policy::{RetryPolicy, RetryPolicyBuilder};
