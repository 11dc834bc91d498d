//! What follows a failed attempt: another one, or the end of the call.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

use super::backoff::{from_nanos, part};
use super::budget::RetryBudget;
use super::policy::RetryPolicy;
use crate::error::ToolError;

#[cfg(test)]
mod tests;

/// The most that is added to a wait which the service asked for.
const MAX_RETRY_AFTER_SPREAD: Duration = Duration::from_secs(5);

/// Why a call that failed was not tried again, or not run at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The class of the error is not one that is retried.
    Permanent,
    /// The tool is not idempotent, and the failed attempt may have had an effect.
    NotIdempotent,
    /// The failed attempt still holds its thread; a second one must not run beside it.
    StillRunning,
    /// Every retry that was allowed has been made.
    Exhausted,
    /// The service asked for a longer wait than the policy accepts.
    RetryAfterTooLong,
    /// The next attempt would have begun at the deadline of the call or after it.
    Deadline,
    /// The retry budget is used up.
    Budget,
    /// There is no such tool.
    UnknownTool,
    /// The caller may not use the tool.
    PermissionDenied,
    /// A person has to agree first.
    NeedsConfirmation,
    /// The arguments cannot be read.
    InvalidArguments,
    /// The same call has failed too often, or may have had its effect already.
    Repeated,
    /// The call was cancelled.
    Cancelled,
}

impl StopReason {
    /// Every reason.
    pub(crate) const ALL: [StopReason; 13] = [
        StopReason::Permanent,
        StopReason::NotIdempotent,
        StopReason::StillRunning,
        StopReason::Exhausted,
        StopReason::RetryAfterTooLong,
        StopReason::Deadline,
        StopReason::Budget,
        StopReason::UnknownTool,
        StopReason::PermissionDenied,
        StopReason::NeedsConfirmation,
        StopReason::InvalidArguments,
        StopReason::Repeated,
        StopReason::Cancelled,
    ];

    /// The name in `snake_case`, as it stands in logs, metrics and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            StopReason::Permanent => "permanent",
            StopReason::NotIdempotent => "not_idempotent",
            StopReason::StillRunning => "still_running",
            StopReason::Exhausted => "exhausted",
            StopReason::RetryAfterTooLong => "retry_after_too_long",
            StopReason::Deadline => "deadline",
            StopReason::Budget => "budget",
            StopReason::UnknownTool => "unknown_tool",
            StopReason::PermissionDenied => "permission_denied",
            StopReason::NeedsConfirmation => "needs_confirmation",
            StopReason::InvalidArguments => "invalid_arguments",
            StopReason::Repeated => "repeated",
            StopReason::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for StopReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What to do after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Decision {
    /// Wait this long, then make one more attempt. It is counted, and paid for, already.
    Retry {
        /// Zero where the next attempt may come at once.
        after: Duration,
    },
    /// Make no further attempt.
    Stop(StopReason),
}

/// The retries of one call.
///
/// ```
/// use std::time::{Duration, Instant};
/// use toolkit::{Decision, ErrorClass, Retry, RetryPolicy, StopReason, ToolError};
///
/// let policy = RetryPolicy::default();
/// let mut retry = Retry::start(&policy, 1, true, None);
/// let error = ToolError::new(ErrorClass::RateLimit, "too many requests").retry_after(Duration::from_secs(7));
///
/// assert_eq!(retry.on_failure(&error, Instant::now(), 0.0), Decision::Retry { after: Duration::from_secs(7) });
/// assert_eq!(retry.on_failure(&error, Instant::now(), 0.0), Decision::Stop(StopReason::Exhausted));
/// ```
#[derive(Debug)]
pub struct Retry<'a> {
    policy: &'a RetryPolicy,
    budget: Option<&'a RetryBudget>,
    max_retries: u32,
    retries: u32,
    idempotent: bool,
    still_running: bool,
    deadline: Option<Instant>,
    stopped: Option<StopReason>,
}

impl<'a> Retry<'a> {
    /// The state before the first attempt. It costs nothing until an attempt fails.
    ///
    /// `max_retries` counts the attempts after the first: 0 means one attempt. `idempotent` says whether the tool may run
    /// again after a failure that may have had an effect. No attempt begins at `deadline` or after it.
    pub const fn start(policy: &'a RetryPolicy, max_retries: u32, idempotent: bool, deadline: Option<Instant>) -> Self {
        Self {
            policy,
            budget: None,
            max_retries,
            retries: 0,
            idempotent,
            still_running: false,
            deadline,
            stopped: None,
        }
    }

    /// Pays for the retries from this budget.
    ///
    /// Where a call is dropped between a [`Decision::Retry`] and the attempt, the caller gives the price
    /// [back](RetryBudget::refund); and it [notes](RetryBudget::deposit) the successes.
    #[must_use]
    pub const fn budget(mut self, budget: &'a RetryBudget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Says that the attempt which is about to be reported as failed has not ended: blocking work that ran out of its
    /// time cannot be stopped. It is then not run again.
    pub const fn still_running(&mut self) {
        self.still_running = true;
    }

    /// How many retries were decided for so far.
    pub const fn retries(&self) -> u32 {
        self.retries
    }

    /// Decides what follows a failed attempt.
    ///
    /// `random` is a fresh number from 0 to below 1. The first of these that holds ends the call, in this order: the
    /// class is permanent; the tool is not idempotent and the attempt may have had an effect; the attempt still runs;
    /// the retries are used up; the service asks for too long a wait; the next attempt would begin past the deadline; the
    /// budget is empty. The budget comes last, so that it is only charged for retries that are really made.
    ///
    /// The wait that a service asked for is a floor: the next attempt comes no earlier, and at most a tenth of that wait
    /// (5 s at most) later than it would have otherwise. A call that was stopped stays stopped.
    pub fn on_failure(&mut self, error: &ToolError, now: Instant, random: f64) -> Decision {
        let decision = match self.stopped {
            Some(reason) => Err(reason),
            None => self.next(error, now, random),
        };
        match decision {
            Ok(after) => {
                self.retries = self.retries.saturating_add(1);
                Decision::Retry { after }
            }
            Err(reason) => {
                self.stopped = Some(reason);
                Decision::Stop(reason)
            }
        }
    }

    fn next(&self, error: &ToolError, now: Instant, random: f64) -> Result<Duration, StopReason> {
        let Some(delay) = self.policy.delay(error.class(), self.retries, random) else {
            return Err(StopReason::Permanent);
        };
        if !self.idempotent && !error.has_no_effect() {
            return Err(StopReason::NotIdempotent);
        }
        if self.still_running {
            return Err(StopReason::StillRunning);
        }
        if self.retries >= self.max_retries {
            return Err(StopReason::Exhausted);
        }
        let after = match error.retry_after_hint() {
            Some(wait) if wait > self.policy.max_retry_after() => return Err(StopReason::RetryAfterTooLong),
            Some(wait) => delay.max(wait).saturating_add(retry_after_spread(wait, random)),
            None => delay,
        };
        if let Some(deadline) = self.deadline
            // What lies beyond the end of the clock lies beyond the deadline.
            && now.checked_add(after).is_none_or(|next| next >= deadline)
        {
            return Err(StopReason::Deadline);
        }
        if let Some(budget) = self.budget
            && !budget.take(now)
        {
            return Err(StopReason::Budget);
        }
        Ok(after)
    }
}

/// Everybody who was told the same wait would come back at its end together.
fn retry_after_spread(wait: Duration, random: f64) -> Duration {
    from_nanos(part((wait / 10).min(MAX_RETRY_AFTER_SPREAD).as_nanos(), random))
}
