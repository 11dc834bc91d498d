//! The way of one call: admitted, attempted until it ends, answered.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::admit::{Admitted, Answer, Refused, Wanted};
use super::attempt::{self, Ended};
use super::{Executor, Inner, log};
use crate::arguments::{Secrets, canonical, secret_names, shorten, without_secrets};
use crate::call::{Attempt, Attempts, Options, Outcome, Parts, Repair, RepairKind, ToolCall, ToolResult};
use crate::classify::{Classification, ErrorClass};
use crate::context::{Place, ToolContext, usual_roles};
use crate::error::ToolError;
use crate::feedback::{Feedback, Situation};
use crate::observe::{CallInfo, Event};
use crate::output::{self, ToolFuture, ToolOutput};
use crate::retry::{Decision, Retry, RetryBudget, StopReason};
use crate::run::RunState;
use crate::tool::ToolSpec;

/// What became of a call of a tool that is there.
struct Work {
    attempts: Attempts,
    repairs: Vec<Repair>,
    ended: Instant,
    end: End,
}

enum End {
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
struct Job<'a> {
    inner: &'a Inner,
    cx: &'a ToolContext,
    spec: &'a ToolSpec,
    /// The time limit of one attempt.
    limit: Duration,
    started: Instant,
}

impl Executor {
    pub(crate) async fn call_in(&self, run: Option<&Arc<RunState>>, place: Place, call: ToolCall) -> ToolResult {
        let inner = &*self.0;
        let started = attempt::now();
        let ToolCall { id, name, arguments, options } = call;
        let deadline = deadline(started, options.as_deref(), run);
        let roles = run.map_or_else(|| usual_roles(), |run| run.roles());
        let Some((tool, spec, renamed)) = inner.locate(&name, roles) else {
            // In the same order as for a tool that is hidden, so that nothing tells the two apart.
            let refused = match deadline {
                Some(deadline) if deadline <= started => inner.out_of_time(),
                _ => inner.unknown_tool(run.map(AsRef::as_ref), &name),
            };
            let parts = Parts { call_id: id, name, ..Parts::default() };
            return inner.ended(run, inner.refuse(None, parts, &arguments.text(), refused));
        };
        let cx = ToolContext::new(self.clone(), tool, run.cloned(), place, id, deadline);
        let text = arguments.text();
        let limit = spec.timeout().unwrap_or(inner.default_timeout);
        let job = Job { inner, cx: &cx, spec, limit, started };
        let Work { attempts, mut repairs, ended, end } =
            job.work(Wanted { name: &name, text: &text, options: options.as_deref() }).await;
        repairs.splice(..0, renamed);

        let duration = ended.saturating_duration_since(started);
        let parts = Parts { call_id: cx.into_call_id(), name, attempts, repairs, duration };
        let result = match end {
            End::Succeeded(output) => {
                let limit = spec.max_output().unwrap_or(inner.max_output);
                let cut = output::shown(&output, limit, inner.language);
                ToolResult::succeeded(parts, output, cut)
            }
            End::Failed { stop, outcome, message } => ToolResult::failed(parts, outcome, stop, None, message),
            End::Refused(refused) => inner.refuse(Some(spec), parts, &text, refused),
        };
        inner.ended(run, result)
    }
}

impl Inner {
    /// Tells the observers that a call has its result.
    fn ended(&self, run: Option<&Arc<RunState>>, result: ToolResult) -> ToolResult {
        if !self.observers.is_empty() {
            let (tool, call_id) = (result.name(), result.call_id());
            self.tell(&Event::CallFinished {
                call: CallInfo { tool, call_id, run: run.map(|run| run.id()) },
                outcome: result.outcome(),
                attempts: result.attempts().len(),
                duration: result.duration(),
                stop: result.stop(),
            });
        }
        result
    }
}

impl Job<'_> {
    /// Admits the call and makes attempts until one succeeds or there is a reason to stop.
    async fn work(&self, wanted: Wanted<'_>) -> Work {
        let mut from = self.started;
        let answer = Answer { approved: false, now: self.started };
        let mut admitted = self.inner.admit(self.cx, self.spec, wanted, answer);
        if let (Err(refused), Some(approver)) = (&admitted, &self.inner.approver)
            && let Some(question) = refused.question()
            && attempt::ask(&**approver, question, self.cx.deadline()).await
        {
            from = attempt::now();
            admitted = self.inner.admit(self.cx, self.spec, wanted, Answer { approved: true, now: from });
        }
        let Admitted { attempt, mended } = match admitted {
            Ok(admitted) => admitted,
            Err(refused) => {
                let end = End::Refused(refused);
                return Work { attempts: Attempts::none(), repairs: Vec::new(), ended: attempt::now(), end };
            }
        };
        let (text, repairs) = match mended {
            Some(mended) => (mended.text.into(), mended.repairs),
            None => (Cow::Borrowed(wanted.text), Vec::new()),
        };
        let mut attempts = Attempts::none();
        let mut retry: Option<(Retry<'_>, SmallRng)> = None;
        let mut next = Some(attempt);
        loop {
            self.tell(|call| Event::AttemptStarted { call, attempt: self.cx.attempt() });
            let future = match next.take() {
                Some(first) => Ok(first),
                None => Inner::start(self.spec, self.cx, &text)
                    .map_err(|_| Failure::from(broken("the arguments could be read once and not again"))),
            };
            let result = match future {
                Ok(future) => self.attempt(future, from, &text).await,
                Err(failure) => Err(failure),
            };
            let ended = attempt::now();
            let mut record = Attempt {
                number: self.cx.attempt(),
                started: from.saturating_duration_since(self.started),
                duration: ended.saturating_duration_since(from),
                error: None,
                delay: None,
            };
            self.tell(|call| Event::AttemptFinished {
                call,
                attempt: record.number,
                duration: record.duration,
                class: result.as_ref().err().map(|failure| failure.error.class()),
            });
            let failure = match result {
                Ok(output) => {
                    self.remember_success(&text, ended);
                    attempts.push(record);
                    return Work { attempts, repairs, ended, end: End::Succeeded(output) };
                }
                Err(failure) => failure,
            };
            let secrets = Secrets::of(self.spec, &text);
            let error = log::failed(self.cx, failure.error, &secrets).without(secrets);
            let (retry, random) = retry.get_or_insert_with(|| self.retry());
            if failure.still_running {
                retry.still_running();
            }
            let decision = retry.on_failure(&error, ended, random.random());
            let class = error.class();
            record.error = Some(error);
            attempts.push(record);
            let stop = match decision {
                Decision::Stop(stop) => stop,
                Decision::Retry { after } => {
                    self.tell(|call| Event::RetryScheduled { call, attempt: self.cx.attempt(), class, after });
                    // What was paid for an attempt that is never made, because its call is dropped, is paid back.
                    let paid = Paid(self.budget());
                    let slept = attempt::sleep(after).await;
                    from = attempt::now();
                    // A timer may be late; an attempt never begins at the deadline or after it.
                    let too_late = self.cx.deadline().is_some_and(|deadline| deadline <= from);
                    if slept && !too_late {
                        if let Some(last) = attempts.last_mut() {
                            last.delay = Some(after);
                        }
                        self.cx.set_attempt(self.cx.attempt().saturating_add(1));
                        paid.spent();
                        continue;
                    }
                    if too_late {
                        StopReason::Deadline
                    } else {
                        log::no_timer(self.cx);
                        StopReason::Exhausted
                    }
                }
            };
            self.tell(|call| Event::RetrySuppressed { call, class, reason: stop });
            let end = self.failed(&attempts, stop, &text);
            return Work { attempts, repairs, ended: attempt::now(), end };
        }
    }

    /// Runs one attempt within its time limit.
    async fn attempt(&self, future: ToolFuture<'_>, from: Instant, text: &str) -> Result<ToolOutput, Failure> {
        let until = match (from.checked_add(self.limit), self.cx.deadline()) {
            (Some(limit), Some(deadline)) => Some(limit.min(deadline)),
            (limit, deadline) => limit.or(deadline),
        };
        match attempt::run(future, until).await {
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
            guard.failed(tool, canonical(arguments), outcome == Outcome::Unknown);
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
        let Inner { policy, seed, streams, .. } = self.inner;
        let mut retry = Retry::start(policy, self.spec.max_retries(), self.spec.idempotent(), self.cx.deadline());
        if let Some(budget) = self.budget() {
            retry = retry.budget(budget);
        }
        let stream = self.cx.stream().unwrap_or_else(|| streams.fetch_add(1, Ordering::Relaxed));
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

/// The repair of a tool's name.
#[cold]
pub(super) fn renaming(from: &str, to: &str) -> Repair {
    let from = shorten(from, 64).into_owned();
    Repair { path: String::new(), from, to: to.to_owned(), kind: RepairKind::Name }
}

/// A retry that was paid for. Paid back where it is not made.
struct Paid<'a>(Option<&'a RetryBudget>);

impl Paid<'_> {
    fn spent(mut self) {
        self.0 = None;
    }
}

impl Drop for Paid<'_> {
    fn drop(&mut self) {
        if let Some(budget) = self.0 {
            budget.refund();
        }
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

/// When the call must have ended: the earliest of its own time and its run's.
fn deadline(started: Instant, options: Option<&Options>, run: Option<&Arc<RunState>>) -> Option<Instant> {
    let own = options.and_then(|options| options.deadline).and_then(|time| started.checked_add(time));
    let whole = run.and_then(|run| run.deadline());
    match (own, whole) {
        (Some(own), Some(whole)) => Some(own.min(whole)),
        (own, whole) => own.or(whole),
    }
}

/// What a call did that ended without success, all its attempts together.
///
/// Nothing, only where that is certain of every attempt. For a tool that must not run twice, a failure is in doubt
/// unless the tool itself says that it turned the call down: a class that was only inferred proves nothing.
fn outcome(spec: &ToolSpec, attempts: &[Attempt], stop: StopReason) -> Outcome {
    let mut errors = attempts.iter().filter_map(Attempt::error).filter(|error| !error.has_no_effect()).peekable();
    if errors.peek().is_none() {
        return Outcome::NotExecuted;
    }
    // What still runs may take effect later, whatever its tool says of running twice.
    if stop == StopReason::StillRunning {
        return Outcome::Unknown;
    }
    let turned_down = |error: &ToolError| {
        error.is_stated()
            && matches!(
                error.class(),
                ErrorClass::InvalidArgument
                    | ErrorClass::NotFound
                    | ErrorClass::PermissionDenied
                    | ErrorClass::Conflict
            )
    };
    if spec.idempotent() || errors.all(turned_down) { Outcome::Failed } else { Outcome::Unknown }
}
