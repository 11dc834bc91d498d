//! Asking the model. Its own failures are classified, retried and waited for as those of tools are.

use std::future::Future;
use std::hash::BuildHasher as _;
use std::pin::Pin;
use std::time::Instant;

use foldhash::quality::FixedState;

use super::contain::contain;
use super::job::broken;
use super::random::random;
use super::ready::Paid;
use super::wait::{self, Late, Waited};
use super::{Executor, log};
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::observe::Event;
use crate::retry::{Decision, Retry, RetryBudget, StopReason};

/// A request under way.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// One request, and how often it may be sent.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) run: &'a str,
    /// The number of the request, from 1.
    pub(crate) turn: u64,
    pub(crate) max_retries: u32,
    pub(crate) budget: Option<&'a RetryBudget>,
    /// When the whole conversation must have ended.
    pub(crate) deadline: Option<Instant>,
}

/// Why there is no reply: the last failure, and why it is the last.
pub(crate) struct Unanswered {
    pub(crate) error: ToolError,
    pub(crate) stop: StopReason,
}

impl Executor {
    /// Sends a request until there is a reply or a reason to stop. Nothing is sent at the deadline or after it.
    pub(crate) async fn ask<'s, T>(
        &self,
        asking: Asking<'_>,
        send: impl Fn() -> Work<'s, T> + Send,
    ) -> Result<T, Unanswered> {
        let Asking { run, turn, max_retries, budget, deadline } = asking;
        let mut retry = Retry::start(&self.0.policy, max_retries, true, deadline);
        if let Some(budget) = budget {
            retry = retry.budget(budget);
        }
        let stream = FixedState::with_seed(1).hash_one((run, turn));
        let mut attempt = 1;
        let mut last = None;
        loop {
            let started = self.now();
            if deadline.is_some_and(|deadline| deadline <= started) {
                let error = last.unwrap_or_else(|| self.too_late());
                return Err(Unanswered { error, stop: StopReason::Deadline });
            }
            self.tell(&Event::ModelAsked { run, turn, attempt });
            let waited = match contain(&send) {
                Ok(work) => wait::wait(self.0.effects(), deadline, work).await,
                Err(panicked) => Waited::Panicked(panicked),
            };
            let result = match waited {
                Waited::Came(result) => result.map_err(|error| (error, None)),
                Waited::Late(Late::TooLate) => Err((self.too_late(), Some(StopReason::Deadline))),
                Waited::Late(Late::NoTimer) => Err((broken("the runtime has no timer for the deadline"), None)),
                Waited::Panicked(panicked) => {
                    log::model_panicked(run, &panicked);
                    Err((broken("the model's client panicked"), None))
                }
            };
            let ended = self.now();
            let duration = ended.saturating_duration_since(started);
            let class = result.as_ref().err().map(|(error, _)| error.class());
            self.tell(&Event::ModelReplied { run, turn, attempt, duration, class });
            let (error, stop) = match result {
                Ok(reply) => {
                    if let Some(budget) = budget {
                        budget.deposit(ended);
                    }
                    return Ok(reply);
                }
                Err(failed) => failed,
            };
            log::model_failed(run, attempt, &error);
            let class = error.class();
            let after = match stop
                .map_or_else(|| retry.on_failure(&error, ended, random(self.0.seed, stream, attempt)), Decision::Stop)
            {
                Decision::Stop(stop) => return Err(Unanswered { error, stop }),
                Decision::Retry { after } => after,
            };
            self.tell(&Event::ModelRetryScheduled { run, turn, attempt, class, after });
            let paid = Paid(budget);
            if !wait::sleep(self.0.effects(), self.now(), after).await {
                return Err(Unanswered { error, stop: StopReason::Exhausted });
            }
            // A timer may be late, and then the request is not made.
            if deadline.is_none_or(|deadline| self.now() < deadline) {
                paid.spent();
            }
            attempt += 1;
            last = Some(error);
        }
    }

    fn too_late(&self) -> ToolError {
        let message = self.0.language.pick(|| "no time is left for this conversation", || "此对话已没有剩余时间");
        ToolError::new(ErrorClass::Timeout, message)
    }
}
