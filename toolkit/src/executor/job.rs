//! What is known of one call, and what is remembered and said of it.

use std::time::{Duration, Instant};

use tracing::Span;

use super::Inner;
use super::course::End;
use super::nested::Outer;
use super::outcome::outcome;
use crate::arguments::{canonical, secret_names, without_secrets};
use crate::call::{Attempt, Outcome};
use crate::classify::{Classification, ErrorClass};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::feedback::{Feedback, Situation};
use crate::observe::{CallInfo, Event};
use crate::retry::{Retry, RetryBudget, StopReason};
use crate::tool::ToolSpec;

/// One call of a tool that is there.
pub(super) struct Job<'a> {
    pub(super) inner: &'a Inner,
    pub(super) cx: &'a ToolContext,
    pub(super) spec: &'a ToolSpec,
    pub(super) span: &'a Span,
    pub(super) started: Instant,
    /// The tool that makes the call.
    pub(super) outer: Option<Outer>,
    /// To be told when the first attempt begins.
    pub(super) began: Option<&'a (dyn Fn() + Sync)>,
}

impl Job<'_> {
    /// How long the call has taken so far.
    pub(super) fn lasted(&self) -> Duration {
        self.inner.now().saturating_duration_since(self.started)
    }

    /// The time limit of one attempt.
    pub(super) fn limit(&self) -> Duration {
        self.spec.timeout().unwrap_or(self.inner.default_timeout)
    }

    /// What the retries of the tool are paid from.
    pub(super) fn budget(&self) -> Option<&RetryBudget> {
        self.inner.budgets.get(self.cx.tool_place()?)?.as_deref()
    }

    /// Tells the observers, where there are any.
    pub(super) fn tell<'e>(&'e self, event: impl FnOnce(CallInfo<'e>) -> Event<'e>) {
        if !self.inner.observers.is_empty() {
            self.inner.tell(&event(self.cx.info()));
        }
    }

    pub(super) fn remember_success(&self, arguments: &str, now: Instant) {
        if let Some(budget) = self.budget() {
            budget.deposit(now);
        }
        if let (Some(guard), Some(tool)) = (self.cx.repeat_guard(), self.cx.tool_place())
            && guard.is_used()
        {
            guard.succeeded(tool, &canonical(arguments));
        }
    }

    fn remember_failure(&self, arguments: &str, outcome: Outcome) {
        if let (Some(guard), Some(tool)) = (self.cx.repeat_guard(), self.cx.tool_place()) {
            // What runs twice as well as once is in no doubt, though it may still be at work.
            guard.failed(tool, canonical(arguments), outcome == Outcome::Unknown && !self.spec.idempotent());
        }
    }

    pub(super) fn timed_out(&self, limit: Duration) -> ToolError {
        let message = self
            .inner
            .language
            .pick(|| format!("the tool gave no answer within {limit:?}"), || format!("工具在 {limit:?} 内没有响应"));
        ToolError::new(ErrorClass::Timeout, message)
    }

    /// The decision after failures, and the stream of the random numbers for it: one of its own for every call.
    pub(super) fn retry(&self) -> (Retry<'_>, u64) {
        // What a tool calls is tried again by whoever tries the tool again.
        let nested = self.outer.is_some() && !self.inner.nested_retries;
        let max_retries = if nested { 0 } else { self.spec.max_retries() };
        let mut retry = Retry::start(&self.inner.policy, max_retries, self.spec.idempotent(), self.cx.deadline());
        if let Some(budget) = self.budget() {
            retry = retry.budget(budget);
        }
        (retry, self.cx.stream().unwrap_or_else(|| self.inner.next_stream()))
    }

    /// The end of a call that failed, in the words that the model reads.
    pub(super) fn failed(&self, attempts: &[Attempt], stop: StopReason, arguments: &str) -> End {
        let outcome = outcome(self.spec, attempts, self.cx.is_still_running());
        self.remember_failure(arguments, outcome);
        let arguments = without_secrets(&secret_names(self.spec), arguments);
        let message = attempts.last().and_then(Attempt::error).map_or_else(String::new, |error| {
            let situation = Situation::after(error, outcome, stop);
            let feedback = Feedback {
                outcome: Some(outcome),
                attempts: attempts.len(),
                arguments: Some(&arguments),
                open: self.inner.show_internal_errors,
                ..Feedback::new(self.spec.name(), error, situation)
            };
            feedback.render(self.inner.language)
        });
        End::Failed { stop, outcome, message }
    }
}

/// A fault of the tool or of the host. Nobody knows what it has done.
pub(super) fn broken(message: &'static str) -> ToolError {
    ToolError::judged(Classification::inferred(ErrorClass::Internal).hidden(), message.to_owned())
}
