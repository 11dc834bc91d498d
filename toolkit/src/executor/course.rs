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
use super::attempt::Running;
use super::contain::contain;
use super::job::Job;
use super::random::random;
use super::ready::{Entry, Held, Later, Paid, Ready};
use super::wait::{Late, Limit};
use super::{log, span};
use crate::arguments::{Secrets, canonical};
use crate::call::{Attempt, Attempts, Outcome, Repair};
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::observe::Event;
use crate::output::{ToolFuture, ToolOutput};
use crate::retry::{Decision, Retry, StopReason};

/// A call on its way.
pub(super) struct Course<'a> {
    job: &'a Job<'a>,
    wanted: Wanted<'a>,
    stage: Stage<'a>,
    /// The attempt under way. It stays where it is made, since it would be moved with a stage.
    running: Option<Running<'a>>,
    /// The arguments as they are read.
    text: Cow<'a, str>,
    /// What decides after failures, and the stream of its random numbers.
    retry: Option<(Retry<'a>, u64)>,
    attempts: Attempts,
    repairs: Vec<Repair>,
}

/// What comes before the next attempt.
enum Stage<'a> {
    /// Nobody has looked at the call.
    Entry,
    /// Somebody is asked, or there is no place yet.
    Waiting(Later<'a>),
    /// Between two attempts.
    Pausing(Limit, Pause<'a>),
    /// After a pause, until there is a place.
    Placing(Place<'a>, Pause<'a>),
    /// An attempt runs, or the call has ended.
    Over,
}

/// A pause before a retry.
struct Pause<'a> {
    after: Duration,
    paid: Paid<'a>,
}

/// A place to come; `None` where it comes too late.
type Place<'a> = Pin<Box<dyn Future<Output = Option<Held<'a>>> + Send + 'a>>;

/// How a call ended, and how long it took.
type Ended = (End, Duration);

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
            running: None,
            text: Cow::Borrowed(wanted.text),
            retry: None,
            attempts: Attempts::none(),
            repairs: Vec::new(),
        }
    }

    /// Goes on with the call until it ends: admits it, and makes attempts until one succeeds or there is a reason to stop.
    pub(super) fn poll(&mut self, task: &mut Context<'_>) -> Poll<Ended> {
        span::inside(self.job.span, || self.go_on(task))
    }

    fn go_on(&mut self, task: &mut Context<'_>) -> Poll<Ended> {
        loop {
            let Some(running) = &mut self.running else {
                match ready!(self.advance(task)) {
                    Ok(()) => continue,
                    Err(end) => return Poll::Ready(end),
                }
            };
            let result = ready!(running.poll(self.job, &self.text, task));
            let started = running.started(self.job);
            self.running = None;
            if let Err(end) = self.attempted(started, result) {
                return Poll::Ready(end);
            }
        }
    }

    /// The attempts and the repairs of a call that has ended.
    pub(super) fn record(&mut self) -> (Attempts, Vec<Repair>) {
        (mem::take(&mut self.attempts), mem::take(&mut self.repairs))
    }

    /// Goes on towards the next attempt.
    fn advance(&mut self, task: &mut Context<'_>) -> Poll<Result<(), Ended>> {
        match mem::replace(&mut self.stage, Stage::Over) {
            Stage::Entry => match self.job.enter(self.wanted) {
                Entry::Ready(ready) => self.begin(ready),
                Entry::Later(later) => self.stage = Stage::Waiting(later),
                Entry::Refused(refused) => return Poll::Ready(Err(self.refused(refused))),
            },
            Stage::Waiting(mut later) => match later.as_mut().poll(task) {
                Poll::Ready(Ok(ready)) => self.begin(ready),
                Poll::Ready(Err(refused)) => return Poll::Ready(Err(self.refused(refused))),
                Poll::Pending => return self.waits(Stage::Waiting(later)),
            },
            Stage::Pausing(mut limit, pause) => match limit.poll(self.job.inner.effects(), task) {
                Poll::Ready(late) => self.paused(&late, pause)?,
                Poll::Pending => return self.waits(Stage::Pausing(limit, pause)),
            },
            Stage::Placing(mut place, pause) => match place.as_mut().poll(task) {
                Poll::Ready(held) => self.placed(held, pause)?,
                Poll::Pending => return self.waits(Stage::Placing(place, pause)),
            },
            Stage::Over => return Poll::Pending,
        }
        Poll::Ready(Ok(()))
    }

    fn waits<T>(&mut self, stage: Stage<'a>) -> Poll<T> {
        self.stage = stage;
        Poll::Pending
    }

    /// The first attempt.
    fn begin(&mut self, ready: Ready<'a>) {
        if let Some(mended) = ready.mended {
            self.text = mended.text.into();
            self.repairs = mended.repairs;
        }
        self.run(Some(ready.first), ready.held);
    }

    /// Another attempt, after a pause that was paid for.
    fn again(&mut self, held: Held<'a>, pause: Pause<'a>) {
        pause.paid.spent();
        if let Some(last) = self.attempts.last_mut() {
            last.delay = Some(pause.after);
        }
        let cx = self.job.cx;
        cx.set_attempt(cx.attempt().saturating_add(1));
        self.run(None, held);
    }

    fn run(&mut self, first: Option<ToolFuture<'a>>, held: Held<'a>) {
        let job = self.job;
        job.tell(|call| Event::AttemptStarted { call, attempt: job.cx.attempt() });
        self.running = Some(Running::begin(job, first, held, &self.text));
    }

    /// Writes an attempt down that has ended, and decides what follows.
    fn attempted(&mut self, started: Duration, result: Result<ToolOutput, ToolError>) -> Result<(), Ended> {
        let job = self.job;
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
            class: result.as_ref().err().map(ToolError::class),
        });
        match result {
            Ok(output) => {
                job.remember_success(&self.text, now);
                self.attempts.push(record);
                Err((End::Succeeded(output), lasted))
            }
            Err(error) => self.failed(record, error, now, lasted),
        }
    }

    /// Decides what follows a failure.
    fn failed(&mut self, mut record: Attempt, error: ToolError, now: Instant, lasted: Duration) -> Result<(), Ended> {
        let job = self.job;
        let (retry, stream) = self.retry.get_or_insert_with(|| job.retry());
        // Whoever gave its attempt up: the body holds a thread still, and cannot be stopped.
        if job.cx.is_still_running() {
            retry.still_running();
        }
        let decision = retry.on_failure(&error, now, random(job.inner.seed, *stream, record.number));
        let class = error.class();
        record.error = Some(error);
        self.attempts.push(record);
        let after = match decision {
            Decision::Retry { after } => after,
            Decision::Stop(stop) => return Err(self.stopped(stop, lasted)),
        };
        job.tell(|call| Event::RetryScheduled { call, attempt: job.cx.attempt(), class, after });
        let pause = Pause { after, paid: Paid(job.budget()) };
        if after.is_zero() {
            // A timer takes a millisecond for a wait of zero.
            self.place(now, pause);
        } else {
            self.stage = Stage::Pausing(Limit::new(now.checked_add(after)), pause);
        }
        Ok(())
    }

    /// What follows a pause, unless it cannot be made or lasted too long.
    fn paused(&mut self, late: &Late, pause: Pause<'a>) -> Result<(), Ended> {
        let job = self.job;
        if let Late::NoTimer = late {
            log::no_timer(job.cx);
            return Err(self.stopped(StopReason::Exhausted, job.lasted()));
        }
        let now = job.inner.now();
        // A timer may be late; an attempt never begins at the deadline or after it.
        if job.cx.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(self.stopped(StopReason::Deadline, now.saturating_duration_since(job.started)));
        }
        self.place(now, pause);
        Ok(())
    }

    /// Another attempt, now where there is a place.
    fn place(&mut self, now: Instant, pause: Pause<'a>) {
        match self.job.free_place(now) {
            Some(held) => self.again(held, pause),
            None => self.stage = Stage::Placing(Box::pin(self.job.place(now)), pause),
        }
    }

    fn placed(&mut self, held: Option<Held<'a>>, pause: Pause<'a>) -> Result<(), Ended> {
        let Some(held) = held else { return Err(self.stopped(StopReason::Deadline, self.job.lasted())) };
        self.again(held, pause);
        Ok(())
    }

    /// The end of a call whose last attempt failed.
    fn stopped(&self, stop: StopReason, lasted: Duration) -> Ended {
        let attempts = self.attempts.as_slice();
        if let Some(class) = attempts.last().and_then(Attempt::error).map(ToolError::class) {
            self.job.tell(|call| Event::RetrySuppressed { call, class, reason: stop });
        }
        (self.job.failed(attempts, stop, &self.text), lasted)
    }

    fn refused(&self, refused: Box<Refused>) -> Ended {
        (End::Refused(refused), self.job.lasted())
    }
}

impl Drop for Course<'_> {
    /// Where a call is dropped while an attempt runs, nobody will ever know what that one did.
    fn drop(&mut self) {
        let Job { cx, spec, span, .. } = self.job;
        let Some(running) = self.running.take() else {
            // What waits holds the arguments, or a future of the host's, and may panic at its end.
            let waiting = mem::replace(&mut self.stage, Stage::Over);
            if !matches!(waiting, Stage::Over) {
                span::inside(span, || {
                    if let Err(panicked) = contain(|| drop(waiting)) {
                        log::panicked(cx, &panicked, &Secrets::of(spec, &self.text));
                    }
                });
            }
            return;
        };
        let started = running.started(self.job);
        running.drop_on_the_way(self.job, &self.text);
        cx.give_up();
        self.job.tell(|call| Event::AttemptFinished {
            call,
            attempt: cx.attempt(),
            duration: self.job.lasted().saturating_sub(started),
            class: Some(ErrorClass::Unknown),
        });
        if !spec.idempotent()
            && !cx.was_not_begun()
            && let (Some(guard), Some(tool)) = (cx.repeat_guard(), cx.tool_place())
        {
            guard.doubt(tool, canonical(&self.text));
        }
    }
}
