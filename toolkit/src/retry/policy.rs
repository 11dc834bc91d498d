//! The numbers of retrying, checked once.

use std::time::Duration;

use super::backoff::{Backoff, Schedule};
use super::budget::{RetryBudget, Rules};
use crate::classify::ErrorClass;
use crate::error::BuildError;

#[cfg(test)]
mod tests;

const MAX_RETRY_AFTER: Duration = Duration::from_secs(120);

/// How long to wait after which class of failure, and when to stop.
///
/// The default:
///
/// | class | wait |
/// |---|---|
/// | `rate_limit` | 1 s, doubling up to 60 s, a random half taken off |
/// | `timeout` | 0.5 s, doubling up to 10 s, a random half taken off |
/// | `network`, `service_unavailable` | 1 s, ±10 % |
/// | every other class | never retried, and cannot be configured to be |
///
/// A service that asks for more than 120 s of patience ends the call. The budget holds 10 retries; a success brings
/// back a tenth of one, and 10 s a whole one.
///
/// Building checks everything; using it neither allocates nor fails.
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    timeout: Schedule,
    network: Schedule,
    rate_limit: Schedule,
    service_unavailable: Schedule,
    max_retry_after: Duration,
    budget: Option<Rules>,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        let steady = Backoff::fixed(Duration::from_secs(1)).schedule();
        Self {
            timeout: Backoff::exponential(Duration::from_millis(500)).cap(Duration::from_secs(10)).schedule(),
            network: steady,
            rate_limit: Backoff::exponential(Duration::from_secs(1)).cap(Duration::from_secs(60)).schedule(),
            service_unavailable: steady,
            max_retry_after: MAX_RETRY_AFTER,
            budget: Some(Budget::DEFAULT.rules()),
        }
    }
}

impl RetryPolicy {
    /// Starts from the default.
    pub fn builder() -> RetryPolicyBuilder {
        RetryPolicyBuilder {
            classes: Vec::new(),
            max_retry_after: MAX_RETRY_AFTER,
            budget: Some(Budget::DEFAULT),
            retry_cost: None,
        }
    }

    /// The wait before the next attempt where `retries` retries were made before and the service asked for none; `None`
    /// where failures of this class are not retried. `random` is from 0 to below 1.
    ///
    /// ```
    /// use std::time::Duration;
    /// use toolkit::{ErrorClass, RetryPolicy};
    ///
    /// let policy = RetryPolicy::default();
    /// assert_eq!(policy.delay(ErrorClass::RateLimit, 2, 0.0), Some(Duration::from_secs(2)));
    /// assert_eq!(policy.delay(ErrorClass::NotFound, 0, 0.0), None);
    /// ```
    pub fn delay(&self, class: ErrorClass, retries: u32, random: f64) -> Option<Duration> {
        let schedule = match class {
            ErrorClass::Timeout => &self.timeout,
            ErrorClass::Network => &self.network,
            ErrorClass::RateLimit => &self.rate_limit,
            ErrorClass::ServiceUnavailable => &self.service_unavailable,
            // Named one by one: a class that is added later has to be decided about here.
            ErrorClass::InvalidArgument
            | ErrorClass::PermissionDenied
            | ErrorClass::NotFound
            | ErrorClass::Conflict
            | ErrorClass::Internal
            | ErrorClass::Unknown => return None,
        };
        schedule.delay(retries, random)
    }

    /// The longest wait that a service may ask for. A longer one ends the call.
    pub fn max_retry_after(&self) -> Duration {
        self.max_retry_after
    }

    /// A budget of its own, full; `None` where the policy has none. Share one between all calls to one upstream.
    pub fn new_budget(&self) -> Option<RetryBudget> {
        self.budget.map(RetryBudget::full)
    }
}

/// Makes a [`RetryPolicy`]. What is not set stays at its default.
///
/// ```
/// use std::time::Duration;
/// use toolkit::{Backoff, ErrorClass, RetryPolicy};
///
/// let policy = RetryPolicy::builder()
///     .class(ErrorClass::Network, Backoff::exponential(Duration::from_millis(200)).cap(Duration::from_secs(5)))
///     .class(ErrorClass::Timeout, Backoff::never())
///     .max_retry_after(Duration::from_secs(30))
///     .budget(20, 0.2, Duration::from_secs(5))
///     .build()?;
/// # let _ = policy;
/// # Ok::<(), toolkit::BuildError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct RetryPolicyBuilder {
    classes: Vec<(ErrorClass, Backoff)>,
    max_retry_after: Duration,
    budget: Option<Budget>,
    retry_cost: Option<u32>,
}

impl RetryPolicyBuilder {
    /// How failures of one class are retried. The last word on a class counts; a permanent class is refused.
    pub fn class(mut self, class: ErrorClass, backoff: Backoff) -> Self {
        self.classes.push((class, backoff));
        self
    }

    /// The longest wait that a service may ask for. A longer one ends the call, because coming back earlier than asked
    /// only makes the ban longer.
    pub fn max_retry_after(mut self, wait: Duration) -> Self {
        self.max_retry_after = wait;
        self
    }

    /// The retry budget: how many tokens it holds, what share of a retry's cost a success brings back (0 to 1, to three
    /// decimals), and the time in which one token comes back by itself (`Duration::MAX` for none).
    pub fn budget(mut self, burst: u32, ratio: f64, refill: Duration) -> Self {
        self.budget = Some(Budget { burst, ratio, refill, ..self.budget.unwrap_or(Budget::DEFAULT) });
        self
    }

    /// How many tokens of the budget one retry takes: 1 unless given.
    pub fn retry_cost(mut self, tokens: u32) -> Self {
        self.retry_cost = Some(tokens);
        self
    }

    /// No budget: every call makes all the retries it may, however many fail at once.
    pub fn without_budget(mut self) -> Self {
        self.budget = None;
        self
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// Every number that is out of range: a wait of zero, a factor below 1, a cap below the base, a share outside 0 and 1,
    /// anything that is not finite, a budget that cannot pay for one retry, a class that is permanent.
    pub fn build(self) -> Result<RetryPolicy, BuildError> {
        let mut problems = Vec::new();
        let mut policy = RetryPolicy { max_retry_after: self.max_retry_after, ..RetryPolicy::default() };
        for (class, backoff) in self.classes {
            let slot = match class {
                ErrorClass::Timeout => &mut policy.timeout,
                ErrorClass::Network => &mut policy.network,
                ErrorClass::RateLimit => &mut policy.rate_limit,
                ErrorClass::ServiceUnavailable => &mut policy.service_unavailable,
                permanent => {
                    problems.push(format!("`{permanent}` is permanent and is never retried, so it has no backoff"));
                    continue;
                }
            };
            backoff.check(class, &mut problems);
            *slot = backoff.schedule();
        }
        policy.budget = self.budget.map(|budget| {
            let budget = Budget { cost: self.retry_cost.unwrap_or(budget.cost), ..budget };
            budget.check(&mut problems);
            budget.rules()
        });
        if let (None, Some(_)) = (policy.budget, self.retry_cost) {
            problems.push("a retry has a cost, but there is no budget that it could be taken from".to_owned());
        }
        BuildError::check(problems)?;
        Ok(policy)
    }
}

/// A budget as it was asked for: whole tokens, and a share.
#[derive(Clone, Copy, Debug)]
struct Budget {
    burst: u32,
    cost: u32,
    ratio: f64,
    refill: Duration,
}

impl Budget {
    const DEFAULT: Budget = Budget { burst: 10, cost: 1, ratio: 0.1, refill: Duration::from_secs(10) };

    fn check(&self, problems: &mut Vec<String>) {
        let Budget { burst, cost, ratio, refill } = *self;
        if cost == 0 {
            problems.push("a retry that costs nothing has no budget; use `without_budget()`".to_owned());
        }
        if burst == 0 {
            problems.push("the budget holds no token, so nothing would ever be retried".to_owned());
        } else if burst < cost {
            problems.push(format!("the budget holds {burst} tokens, which is less than one retry costs ({cost})"));
        }
        if !(0.0..=1.0).contains(&ratio) {
            problems.push(format!("the ratio of the budget is {ratio}; it must be a number from 0 to 1"));
        } else if ratio > 0.0 && ratio < 0.001 {
            problems
                .push(format!("the ratio of the budget is {ratio}; it is kept to three decimals, so it would be lost"));
        }
        if refill.is_zero() {
            problems.push(
                "the budget refills in no time, so it would never run out; `Duration::MAX` means no refill".to_owned(),
            );
        }
    }

    fn rules(&self) -> Rules {
        Rules::new(self.burst, self.cost, thousandths(self.ratio), self.refill)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a ratio is within 0 and 1, and the cast saturates where it was not checked"
)]
fn thousandths(ratio: f64) -> u32 {
    (ratio * 1000.0).round() as u32
}
