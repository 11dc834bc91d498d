//! One attempt within its time limit, and the waits between attempts.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::contain::{Panicked, contain};
use super::effects::{Effects, Wait};
use super::nested::{self, Frame};
use crate::confirmation::{Approver, Confirmation};
use crate::error::ToolError;

/// Work that somebody else wrote and that may fail.
pub(super) type Work<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// How an attempt ended.
pub(super) enum Ended<T> {
    Returned(Result<T, ToolError>),
    /// The limit passed while it was waiting.
    TimedOut,
    /// It panicked; the payload is for the log.
    Panicked(Panicked),
    /// It had to wait, and the runtime has no timer to limit that.
    NoTimer,
}

/// What became of waiting for something until a time.
pub(super) enum Waited<T> {
    Came(T),
    TooLate,
    /// It panicked, or there is nothing to wait by.
    Broken,
}

/// A time limit, whose timer is made when it has to be waited for: most attempts need none.
struct Limit<'a> {
    effects: &'a dyn Effects,
    until: Option<Instant>,
    timer: Option<Wait>,
}

impl<'a> Limit<'a> {
    fn new(effects: &'a dyn Effects, until: Option<Instant>) -> Self {
        Self { effects, until, timer: None }
    }

    /// Whether the limit has passed; to be asked after what it limits, so that what is there at that moment counts.
    fn poll<T>(&mut self, task: &mut Context<'_>) -> Poll<Waited<T>> {
        let Some(until) = self.until else { return Poll::Pending };
        let timer = match &mut self.timer {
            Some(timer) => timer,
            None => match contain(|| self.effects.sleep_until(until)) {
                Ok(Some(timer)) => self.timer.insert(timer),
                Ok(None) | Err(_) => return Poll::Ready(Waited::Broken),
            },
        };
        match contain(|| timer.as_mut().poll(task)) {
            Ok(polled) => polled.map(|()| Waited::TooLate),
            Err(_) => Poll::Ready(Waited::Broken),
        }
    }
}

/// Runs one attempt until it ends or the limit passes. The work is asked first. `frame` says whose it is, where it is a
/// tool's.
pub(super) fn run<T>(
    mut future: Work<'_, T>,
    frame: Option<Frame>,
    effects: &dyn Effects,
    until: Option<Instant>,
) -> impl Future<Output = Ended<T>> {
    // Not an `async fn`, which would keep its arguments twice.
    async move {
        let mut limit = Limit::new(effects, until);
        let ended = poll_fn(|task| {
            let polled = contain(|| match frame {
                Some(frame) => nested::inside(frame, || future.as_mut().poll(task)),
                None => future.as_mut().poll(task),
            });
            match polled {
                Ok(Poll::Ready(result)) => return Poll::Ready(Ended::Returned(result)),
                Err(panicked) => return Poll::Ready(Ended::Panicked(panicked)),
                Ok(Poll::Pending) => {}
            }
            limit.poll::<()>(task).map(|waited| match waited {
                Waited::Broken => Ended::NoTimer,
                Waited::Came(()) | Waited::TooLate => Ended::TimedOut,
            })
        })
        .await;
        // What the tool holds is its own, and may panic when it is given up.
        match contain(|| drop(future)) {
            Ok(()) => ended,
            Err(panicked) => Ended::Panicked(panicked),
        }
    }
}

/// Waits for something until a time.
pub(super) async fn wait<T>(
    effects: &dyn Effects,
    until: Option<Instant>,
    mut future: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> Waited<T> {
    let mut limit = Limit::new(effects, until);
    poll_fn(|task| match contain(|| future.as_mut().poll(task)) {
        Ok(Poll::Ready(value)) => Poll::Ready(Waited::Came(value)),
        Err(_) => Poll::Ready(Waited::Broken),
        Ok(Poll::Pending) => limit.poll(task),
    })
    .await
}

/// Asks somebody who answers in place, until the deadline. No answer is a no, and so is a panic.
pub(super) async fn ask(
    approver: &dyn Approver,
    question: &Confirmation,
    effects: &dyn Effects,
    deadline: Option<Instant>,
) -> bool {
    let Ok(answer) = contain(|| approver.approve(question)) else { return false };
    matches!(wait(effects, deadline, answer).await, Waited::Came(true))
}

/// Waits for a place among the attempts that may run at once, in the order of arrival.
pub(super) async fn place<'a>(
    places: &'a Semaphore,
    effects: &dyn Effects,
    deadline: Option<Instant>,
) -> Waited<Option<SemaphorePermit<'a>>> {
    let free = Box::pin(async { places.acquire().await.ok() });
    wait(effects, deadline, free).await
}

/// Sleeps; says whether there was anything to sleep by. A wait of zero goes through no timer, which would take a
/// millisecond.
pub(super) async fn sleep(effects: &dyn Effects, wait: Duration) -> bool {
    if wait.is_zero() {
        return true;
    }
    let Some(until) = effects.now().checked_add(wait) else { return std::future::pending().await };
    let mut limit = Limit::new(effects, Some(until));
    matches!(poll_fn(|task| limit.poll::<()>(task)).await, Waited::TooLate)
}
