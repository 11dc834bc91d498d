//! The attempts of one call: each in its place and within its limits, until one succeeds or there is a reason to stop.

use std::pin::pin;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tracing::Instrument as _;

use super::admit::{Refused, Wanted};
use super::attempt::{self, Ended};
use super::contain::contain;
use super::dropped::{Paid, UnlessDropped};
use super::nested::{Frame, Outer};
use super::outcome::outcome;
use super::ready::{Held, Ready};
use super::{Inner, log, span};
use crate::arguments::{Secrets, canonical, secret_names, without_secrets};
use crate::call::{Attempt, Attempts, Outcome, Repair};
use crate::classify::{Classification, ErrorClass};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::feedback::{Feedback, Situation};
use crate::observe::{CallInfo, Event};
use crate::output::{ToolFuture, ToolOutput};
use crate::retry::{Decision, Retry, RetryBudget, StopReason};
use crate::tool::ToolSpec;

/// What became of a call of a tool that is there.
pub(super) struct Work {
    pub(super) attempts: Attempts,
    pub(super) repairs: Vec<Repair>,
    pub(super) ended: Instant,
    pub(super) end: End,
}

pub(super) enum End {
    Succeeded(ToolOutput),
    Failed { stop: StopReason, outcome: Outcome, message: String },
    Refused(Refused),
}

/// An attempt that failed.
struct Failure {
    error: ToolError,
    /// Its body holds a thread still, and cannot be stopped.
    still_running: bool,
}

/// One call on its way.
pub(super) struct Job<'a> {
    pub(super) inner: &'a Inner,
    pub(super) cx: &'a ToolContext,
    pub(super) spec: &'a ToolSpec,
    /// The time limit of one attempt.
    pub(super) limit: Duration,
    pub(super) started: Instant,
    /// The tool that makes the call.
    pub(super) outer: Option<Outer>,
    /// To be told when the first attempt begins.
    pub(super) began: Option<&'a (dyn Fn() + Sync)>,
}

impl<'a> Job<'a> {
    /// Admits the call and makes attempts until one succeeds or there is a reason to stop.
    ///
    /// What is needed for a moment is in functions of its own, or it would be kept through all the waits.
    pub(super) async fn work(&'a self, wanted: Wanted<'a>) -> Work {
        let Ready { first, text, repairs, mut held } = match match self.ready(wanted) {
            Ok(ready) => ready,
            Err(later) => later.await,
        } {
            Ok(ready) => ready,
            Err(refused) => return refused,
        };
        let mut attempts = Attempts::none();
        let mut retry = None;
        let mut next = Some(first);
        loop {
            let (decision, class) = match self.once(next.take(), held, &text).await {
                (record, Ok(output)) => {
                    let ended = self.ended(&record);
                    self.remember_success(&text, ended);
                    attempts.push(record);
                    return Work { attempts, repairs, ended, end: End::Succeeded(output) };
                }
                (record, Err(failure)) => self.judge(record, failure, &mut attempts, &mut retry, &text),
            };
            let stop = match decision {
                Decision::Stop(stop) => stop,
                Decision::Retry { after } => {
                    self.tell(|call| Event::RetryScheduled { call, attempt: self.cx.attempt(), class, after });
                    match self.wait(after).await {
                        Ok(place) => {
                            held = place;
                            if let Some(last) = attempts.last_mut() {
                                last.delay = Some(after);
                            }
                            self.cx.set_attempt(self.cx.attempt().saturating_add(1));
                            continue;
                        }
                        Err(stop) => stop,
                    }
                }
            };
            self.tell(|call| Event::RetrySuppressed { call, class, reason: stop });
            let end = self.failed(&attempts, stop, &text);
            return Work { attempts, repairs, ended: self.inner.now(), end };
        }
    }

    /// Makes one attempt, the first or another one.
    fn once(
        &self,
        first: Option<ToolFuture<'_>>,
        held: Held<'_>,
        text: &str,
    ) -> impl Future<Output = (Attempt, Result<ToolOutput, Failure>)> {
        async move {
            self.tell(|call| Event::AttemptStarted { call, attempt: self.cx.attempt() });
            let future = match first {
                Some(first) => Ok(first),
                None => Inner::start(self.spec, self.cx, text)
                    .map_err(|_| Failure::from(broken("the arguments could be read once and not again"))),
            };
            let from = held.since;
            let result = match future {
                Ok(future) => {
                    let span = span::of_attempt(self.cx.attempt());
                    let mut attempt = pin!(self.attempt(future, from, text).instrument(span));
                    let result = attempt.as_mut().await;
                    if let Err(failure) = &result {
                        span::failed(attempt.span(), failure.error.class());
                    }
                    result
                }
                Err(failure) => Err(failure),
            };
            // Nobody waits in vain for a call that sleeps.
            drop(held);
            let record = Attempt {
                number: self.cx.attempt(),
                started: from.saturating_duration_since(self.started),
                duration: self.inner.now().saturating_duration_since(from),
                error: None,
                delay: None,
            };
            self.tell(|call| Event::AttemptFinished {
                call,
                attempt: record.number,
                duration: record.duration,
                class: result.as_ref().err().map(|failure| failure.error.class()),
            });
            (record, result)
        }
    }

    /// Decides what follows a failure, and writes it down.
    fn judge(
        &'a self,
        mut record: Attempt,
        failure: Failure,
        attempts: &mut Attempts,
        retry: &mut Option<(Retry<'a>, SmallRng)>,
        text: &str,
    ) -> (Decision, ErrorClass) {
        let secrets = Secrets::of(self.spec, text);
        let error = log::failed(self.cx, failure.error, &secrets).without(secrets);
        let (retry, random) = retry.get_or_insert_with(|| self.retry());
        if failure.still_running {
            retry.still_running();
        }
        let decision = retry.on_failure(&error, self.ended(&record), random.random());
        let class = error.class();
        record.error = Some(error);
        attempts.push(record);
        (decision, class)
    }

    /// When an attempt ended.
    fn ended(&self, record: &Attempt) -> Instant {
        self.started.checked_add(record.started + record.duration).unwrap_or(self.started)
    }

    pub(super) fn refused(&self, refused: Refused, repairs: Vec<Repair>) -> Work {
        Work { attempts: Attempts::none(), repairs, ended: self.inner.now(), end: End::Refused(refused) }
    }

    /// Waits for the next attempt: so long, and then for a place. What was paid for an attempt that is never made is paid
    /// back, also where the call is dropped.
    async fn wait(&self, after: Duration) -> Result<Held<'_>, StopReason> {
        let paid = Paid(self.budget());
        if !attempt::sleep(self.inner.effects(), after).await {
            log::no_timer(self.cx);
            return Err(StopReason::Exhausted);
        }
        let now = self.inner.now();
        // A timer may be late; an attempt never begins at the deadline or after it.
        if self.cx.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(StopReason::Deadline);
        }
        let held = self.place(now).await.ok_or(StopReason::Deadline)?;
        paid.spent();
        Ok(held)
    }

    /// Runs one attempt within its time limit.
    fn attempt(
        &self,
        future: ToolFuture<'_>,
        from: Instant,
        text: &str,
    ) -> impl Future<Output = Result<ToolOutput, Failure>> {
        async move {
            let until = match (from.checked_add(self.limit), self.cx.deadline()) {
                (Some(limit), Some(deadline)) => Some(limit.min(deadline)),
                (limit, deadline) => limit.or(deadline),
            };
            if !self.cx.has_begun() {
                self.cx.set_begun();
                self.began.inspect(|began| began());
            }
            let unless_dropped = UnlessDropped { job: self, text };
            let frame = Frame { executor: self.inner.address(), deadline: self.cx.deadline() };
            let effects = self.inner.effects();
            let ended = match contain(|| effects.attempt(self.cx, future)) {
                Ok(future) => attempt::run(future, Some(frame), effects, until).await,
                Err(panicked) => Ended::Panicked(panicked),
            };
            unless_dropped.ended(matches!(ended, Ended::Returned(_)));
            match ended {
                Ended::Returned(result) => result.map_err(Failure::from),
                Ended::TimedOut => {
                    let error = self.timed_out(until.map_or(self.limit, |until| until.saturating_duration_since(from)));
                    // A body that was still waiting for a thread will never run.
                    let error = if self.cx.was_not_begun() { error.no_effect() } else { error };
                    Err(Failure { error, still_running: self.cx.is_still_running() })
                }
                Ended::Panicked(panicked) => {
                    log::panicked(self.cx, &panicked, &Secrets::of(self.spec, text));
                    Err(broken("the tool panicked").into())
                }
                Ended::NoTimer => Err(broken("the runtime has no timer: build it with `enable_time()`").into()),
            }
        }
    }

    /// What the retries of the tool are paid from.
    fn budget(&self) -> Option<&RetryBudget> {
        self.inner.budgets.get(self.cx.tool_place()?)?.as_deref()
    }

    /// Tells the observers, where there are any.
    fn tell<'e>(&'e self, event: impl FnOnce(CallInfo<'e>) -> Event<'e>) {
        if !self.inner.observers.is_empty() {
            self.inner.tell(&event(self.cx.info()));
        }
    }

    fn remember_success(&self, arguments: &str, now: Instant) {
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

    fn timed_out(&self, limit: Duration) -> ToolError {
        let message = self
            .inner
            .language
            .pick(|| format!("the tool gave no answer within {limit:?}"), || format!("工具在 {limit:?} 内没有响应"));
        ToolError::new(ErrorClass::Timeout, message)
    }

    /// The decision after failures, and the random numbers for it: a stream of its own for every call.
    fn retry(&self) -> (Retry<'_>, SmallRng) {
        let Inner { policy, seed, .. } = self.inner;
        // What a tool calls is tried again by whoever tries the tool again.
        let max_retries = if self.outer.is_some() && !self.inner.nested_retries { 0 } else { self.spec.max_retries() };
        let mut retry = Retry::start(policy, max_retries, self.spec.idempotent(), self.cx.deadline());
        if let Some(budget) = self.budget() {
            retry = retry.budget(budget);
        }
        let stream = self.cx.stream().unwrap_or_else(|| self.inner.next_stream());
        (retry, SmallRng::seed_from_u64(seed ^ stream.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    fn failed(&self, attempts: &Attempts, stop: StopReason, arguments: &str) -> End {
        let attempts = attempts.as_slice();
        let outcome = outcome(self.spec, attempts, stop);
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

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self { error, still_running: false }
    }
}

/// A fault of the tool or of the host. Nobody knows what it has done.
pub(super) fn broken(message: &'static str) -> ToolError {
    ToolError::judged(Classification::inferred(ErrorClass::Internal).hidden(), message.to_owned())
}
