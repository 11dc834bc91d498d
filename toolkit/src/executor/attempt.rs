//! One attempt within its time limit.

use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use super::contain::{Panicked, contain};
use super::job::{Job, broken};
use super::nested::{self, Frame};
use super::ready::Held;
use super::wait::{Late, Limit};
use super::{Inner, log, span};
use crate::arguments::Secrets;
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::output::{ToolFuture, ToolOutput};

/// An attempt under way.
pub(super) struct Running<'a> {
    /// Taken when it has ended.
    future: Option<ToolFuture<'a>>,
    limit: Limit,
    span: span::Kept,
    held: Held<'a>,
}

/// Why an attempt was given up before it gave anything back.
enum GivenUp {
    /// The limit passed while it was waiting.
    TimedOut,
    /// It panicked; the payload is for the log.
    Panicked(Panicked),
    /// It had to wait, and the runtime has no timer to limit that.
    NoTimer,
}

impl<'a> Running<'a> {
    /// Begins an attempt: the first, which was made with the arguments, or another one.
    #[inline]
    pub(super) fn begin(job: &'a Job<'a>, first: Option<ToolFuture<'a>>, held: Held<'a>, text: &str) -> Self {
        let until = match (held.since.checked_add(job.limit()), job.cx.deadline()) {
            (Some(limit), Some(deadline)) => Some(limit.min(deadline)),
            (limit, deadline) => limit.or(deadline),
        };
        let future = first.unwrap_or_else(|| {
            let again = Inner::start(job.spec, job.cx, text);
            again.unwrap_or_else(|_| failed(broken("the arguments could be read once and not again")))
        });
        if !job.cx.has_begun() {
            job.cx.set_begun();
            job.began.inspect(|began| began());
        }
        let span = span::of_attempt(job.cx.attempt());
        let future = match job.inner.own_effects() {
            None => future,
            Some(effects) => contain(|| effects.attempt(job.cx, future)).unwrap_or_else(|panicked| {
                log::panicked(job.cx, &panicked, &Secrets::of(job.spec, text));
                failed(broken("the tool panicked"))
            }),
        };
        Self { future: Some(future), limit: Limit::new(until), span, held }
    }

    /// Goes on with the attempt until it ends or the limit passes. The work is asked first.
    pub(super) fn poll(
        &mut self,
        job: &Job<'_>,
        text: &str,
        task: &mut Context<'_>,
    ) -> Poll<Result<ToolOutput, ToolError>> {
        let Self { future: place, limit, span, held } = self;
        span::inside(span, || {
            let frame = Frame { executor: job.inner.address(), deadline: job.cx.deadline() };
            let polled = contain(|| {
                let Some(future) = place else { return Poll::Pending };
                let polled = nested::inside(frame, || future.as_mut().poll(task));
                if polled.is_ready() {
                    // What the tool holds is its own, and may panic when it is dropped.
                    *place = None;
                }
                polled
            });
            let ended = match polled {
                Ok(Poll::Ready(returned)) => Ok(returned),
                Err(panicked) => Err(GivenUp::Panicked(panicked)),
                Ok(Poll::Pending) => match ready!(limit.poll(job.inner.effects(), task)) {
                    Late::NoTimer => Err(GivenUp::NoTimer),
                    Late::TooLate => Err(GivenUp::TimedOut),
                },
            };
            let result = match ended {
                Ok(returned) => {
                    job.cx.forget_cancellation();
                    returned.map_err(ToolError::given_back)
                }
                Err(given_up) => {
                    let given_up = contain(|| *place = None).map_or_else(GivenUp::Panicked, |()| given_up);
                    job.cx.give_up();
                    Err(given_up.failure(job, text, held.since, limit.until))
                }
            };
            Poll::Ready(result.map_err(|error| {
                span::failed(span, error.class());
                let secrets = Secrets::of(job.spec, text);
                log::failed(job.cx, error, &secrets).without(secrets).out_of_a_call()
            }))
        })
    }

    /// How long after the beginning of the call it began.
    pub(super) fn started(&self, job: &Job<'_>) -> Duration {
        let since = self.held.since;
        // Nearly every first attempt begins with its call.
        if since == job.started { Duration::ZERO } else { since.saturating_duration_since(job.started) }
    }

    /// Drops the attempt on its way, with its call. What the tool holds may panic then.
    pub(super) fn drop_on_the_way(mut self, job: &Job<'_>, text: &str) {
        let Self { future, span, .. } = &mut self;
        span::failed(span, ErrorClass::Unknown);
        span::inside(span, || {
            if let Err(panicked) = contain(|| drop(future.take())) {
                log::panicked(job.cx, &panicked, &Secrets::of(job.spec, text));
            }
        });
    }
}

impl GivenUp {
    #[cold]
    fn failure(&self, job: &Job<'_>, text: &str, since: Instant, until: Option<Instant>) -> ToolError {
        match self {
            GivenUp::TimedOut => {
                let limit = until.map_or_else(|| job.limit(), |until| until.saturating_duration_since(since));
                let error = job.timed_out(limit);
                // A body that was still waiting for a thread will never run.
                if job.cx.was_not_begun() { error.no_effect() } else { error }
            }
            GivenUp::Panicked(panicked) => {
                log::panicked(job.cx, panicked, &Secrets::of(job.spec, text));
                broken("the tool panicked")
            }
            GivenUp::NoTimer => broken("the runtime has no timer: build it with `enable_time()`"),
        }
    }
}

/// An attempt that fails without having begun.
fn failed<'a>(error: ToolError) -> ToolFuture<'a> {
    Box::pin(std::future::ready(Err(error)))
}
