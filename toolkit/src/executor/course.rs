//! The way of one call from its admission to its end, polled by hand.
//!
//! By hand, since nearly every call ends when it is polled for the first time: it then makes no future but the tool's,
//! and what waits is kept once. Futures inside of futures keep their arguments twice, and are moved as they are made.

use std::borrow::Cow;
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use super::admit::{Refused, Wanted};
use super::attempt::{Failure, Running};
use super::job::Job;
use super::log;
use super::random::random;
use super::ready::{Entry, Held, Later, Paid, Ready};
use super::wait::{Limit, Waited};
use crate::arguments::{Secrets, canonical};
use crate::call::{Attempt, Attempts, Outcome, Repair};
use crate::error::ToolError;
use crate::observe::Event;
use crate::output::{ToolFuture, ToolOutput};
use crate::retry::{Decision, Retry, StopReason};

/// A call on its way.
pub(super) struct Course<'a> {
    job: &'a Job<'a>,
    wanted: Wanted<'a>,
    stage: Stage<'a>,
    /// The arguments as they are read.
    text: Cow<'a, str>,
    /// What decides after failures, and the stream of its random numbers.
    retry: Option<(Retry<'a>, u64)>,
    attempts: Attempts,
    repairs: Vec<Repair>,
}

/// What became of a call.
pub(super) struct Ended {
    pub(super) end: End,
    pub(super) attempts: Attempts,
    pub(super) repairs: Vec<Repair>,
    pub(super) duration: Duration,
}

enum Stage<'a> {
    /// Nobody has looked at the call.
    Entry,
    /// Somebody is asked, or there is no place yet.
    Waiting(Later<'a>),
    Running(Running<'a>),
    /// Between two attempts, for so long.
    Pausing(Limit, Duration, Paid<'a>),
    /// After that pause, until there is a place.
    Placing(Place<'a>, Duration, Paid<'a>),
    Over,
}

/// A place to come; `None` where it comes too late.
type Place<'a> = Pin<Box<dyn Future<Output = Option<Held<'a>>> + Send + 'a>>;

/// How a call ended.
pub(super) enum End {
    Succeeded(ToolOutput),
    Failed { stop: StopReason, outcome: Outcome, message: String },
    Refused(Box<Refused>),
}

impl<'a> Course<'a> {
    #[inline]
    pub(super) const fn new(job: &'a Job<'a>, wanted: Wanted<'a>) -> Self {
        Self {
            job,
            wanted,
            stage: Stage::Entry,
            text: Cow::Borrowed(wanted.text),
            retry: None,
            attempts: Attempts::none(),
            repairs: Vec::new(),
        }
    }

    /// Goes on with the call until it ends: admits it, and makes attempts until one succeeds or there is a reason to stop.
    pub(super) fn poll(&mut self, task: &mut Context<'_>) -> Poll<Ended> {
        loop {
            let end = match &mut self.stage {
                Stage::Entry => match self.job.enter(self.wanted) {
                    Entry::Ready(ready) => self.begin(ready),
                    Entry::Later(later) => {
                        self.stage = Stage::Waiting(later);
                        None
                    }
                    Entry::Refused(refused) => Some((End::Refused(refused), self.job.lasted())),
                },
                Stage::Waiting(later) => match ready!(later.as_mut().poll(task)) {
                    Ok(ready) => self.begin(ready),
                    Err(refused) => Some((End::Refused(refused), self.job.lasted())),
                },
                Stage::Running(running) => {
                    let result = ready!(running.poll(self.job, &self.text, task));
                    self.attempted(result)
                }
                Stage::Pausing(limit, ..) => {
                    let waited = ready!(limit.poll(self.job.inner.effects(), task));
                    self.paused(&waited)
                }
                Stage::Placing(place, ..) => {
                    let held = ready!(place.as_mut().poll(task));
                    self.placed(held)
                }
                Stage::Over => return Poll::Pending,
            };
            if let Some((end, duration)) = end {
                self.stage = Stage::Over;
                let (attempts, repairs) = (mem::take(&mut self.attempts), mem::take(&mut self.repairs));
                return Poll::Ready(Ended { end, attempts, repairs, duration });
            }
        }
    }

    fn begin(&mut self, ready: Ready<'a>) -> Option<(End, Duration)> {
        if let Some(mended) = ready.mended {
            self.text = mended.text.into();
            self.repairs = mended.repairs;
        }
        self.attempt(Some(ready.first), ready.held);
        None
    }

    /// Makes another attempt, after so long a pause.
    fn again(&mut self, held: Held<'a>, pause: Duration) -> Option<(End, Duration)> {
        if let Some(last) = self.attempts.last_mut() {
            last.delay = Some(pause);
        }
        let cx = self.job.cx;
        cx.set_attempt(cx.attempt().saturating_add(1));
        self.attempt(None, held);
        None
    }

    fn attempt(&mut self, first: Option<ToolFuture<'a>>, held: Held<'a>) {
        let job = self.job;
        job.tell(|call| Event::AttemptStarted { call, attempt: job.cx.attempt() });
        self.stage = Stage::Running(Running::begin(job, first, held, &self.text));
    }

    /// Writes an attempt down that has ended, and decides what follows.
    fn attempted(&mut self, result: Result<ToolOutput, Failure>) -> Option<(End, Duration)> {
        let job = self.job;
        let Stage::Running(running) = mem::replace(&mut self.stage, Stage::Over) else { return None };
        // Nobody waits in vain for a call that sleeps.
        let started = running.end();
        let now = job.inner.now();
        let lasted = now.saturating_duration_since(job.started);
        let record = Attempt {
            number: job.cx.attempt(),
            started,
            duration: lasted.saturating_sub(started),
            error: None,
            delay: None,
        };
        job.tell(|call| Event::AttemptFinished {
            call,
            attempt: record.number,
            duration: record.duration,
            class: result.as_ref().err().map(|failure| failure.error.class()),
        });
        match result {
            Ok(output) => {
                job.remember_success(&self.text, now);
                self.attempts.push(record);
                Some((End::Succeeded(output), lasted))
            }
            Err(failure) => self.failed(record, failure, now, lasted),
        }
    }

    /// Decides what follows a failure.
    fn failed(
        &mut self,
        mut record: Attempt,
        failure: Failure,
        now: Instant,
        lasted: Duration,
    ) -> Option<(End, Duration)> {
        let job = self.job;
        let secrets = Secrets::of(job.spec, &self.text);
        let error = log::failed(job.cx, failure.error, &secrets).without(secrets);
        let (retry, stream) = self.retry.get_or_insert_with(|| job.retry());
        if failure.still_running {
            retry.still_running();
        }
        let decision = retry.on_failure(&error, now, random(job.inner.seed, *stream, record.number));
        let class = error.class();
        record.error = Some(error);
        self.attempts.push(record);
        let after = match decision {
            Decision::Retry { after } => after,
            Decision::Stop(stop) => return Some(self.stopped(stop, lasted)),
        };
        job.tell(|call| Event::RetryScheduled { call, attempt: job.cx.attempt(), class, after });
        let paid = Paid(job.budget());
        if after.is_zero() {
            // A timer takes a millisecond for a wait of zero.
            return self.place(now, after, paid);
        }
        self.stage = Stage::Pausing(Limit::new(now.checked_add(after)), after, paid);
        None
    }

    /// Goes on after a pause, unless it cannot be made or lasted too long.
    fn paused(&mut self, waited: &Waited<()>) -> Option<(End, Duration)> {
        let job = self.job;
        let Stage::Pausing(_, after, paid) = mem::replace(&mut self.stage, Stage::Over) else { return None };
        if let Waited::Broken = waited {
            log::no_timer(job.cx);
            return Some(self.stopped(StopReason::Exhausted, job.lasted()));
        }
        let now = job.inner.now();
        // A timer may be late; an attempt never begins at the deadline or after it.
        if job.cx.deadline().is_some_and(|deadline| deadline <= now) {
            return Some(self.stopped(StopReason::Deadline, now.saturating_duration_since(job.started)));
        }
        self.place(now, after, paid)
    }

    fn place(&mut self, now: Instant, after: Duration, paid: Paid<'a>) -> Option<(End, Duration)> {
        let job = self.job;
        let Some(held) = job.free_place(now) else {
            self.stage = Stage::Placing(Box::pin(job.place(now)), after, paid);
            return None;
        };
        paid.spent();
        self.again(held, after)
    }

    fn placed(&mut self, held: Option<Held<'a>>) -> Option<(End, Duration)> {
        let Stage::Placing(_, after, paid) = mem::replace(&mut self.stage, Stage::Over) else { return None };
        let Some(held) = held else { return Some(self.stopped(StopReason::Deadline, self.job.lasted())) };
        paid.spent();
        self.again(held, after)
    }

    /// The end of a call whose last attempt failed.
    fn stopped(&self, stop: StopReason, lasted: Duration) -> (End, Duration) {
        let attempts = self.attempts.as_slice();
        if let Some(class) = attempts.last().and_then(Attempt::error).map(ToolError::class) {
            self.job.tell(|call| Event::RetrySuppressed { call, class, reason: stop });
        }
        (self.job.failed(attempts, stop, &self.text), lasted)
    }
}

impl Drop for Course<'_> {
    /// Where a call is dropped while an attempt runs, nobody will ever know what that one did.
    fn drop(&mut self) {
        let Stage::Running(running) = mem::replace(&mut self.stage, Stage::Over) else { return };
        let Job { cx, spec, .. } = self.job;
        running.drop_on_the_way(self.job, &self.text);
        cx.cancellation_slot().cancel();
        if !spec.idempotent()
            && !cx.was_not_begun()
            && let (Some(guard), Some(tool)) = (cx.repeat_guard(), cx.tool_place())
        {
            guard.doubt(tool, canonical(&self.text));
        }
    }
}
