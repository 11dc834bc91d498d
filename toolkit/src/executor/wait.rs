//! Waits: for something until a time, for a person's answer, for a place, and for the next attempt.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

use super::contain::{Panicked, contain};
use super::effects::{Effects, Wait};
use crate::confirmation::{Approver, Confirmation};

/// What became of waiting for something until a time.
pub(super) enum Waited<T> {
    Came(T),
    Late(Late),
    Panicked(Panicked),
}

/// Why nobody waits any longer.
pub(super) enum Late {
    TooLate,
    /// There is nothing to wait by.
    NoTimer,
}

/// A time limit, whose timer is made when it has to be waited for: most attempts need none.
pub(super) struct Limit {
    pub(super) until: Option<Instant>,
    timer: Option<Wait>,
}

impl Limit {
    pub(super) const fn new(until: Option<Instant>) -> Self {
        Self { until, timer: None }
    }

    /// Whether the limit has passed; to be asked after what it limits, so that what is there at that moment counts.
    pub(super) fn poll(&mut self, effects: &dyn Effects, task: &mut Context<'_>) -> Poll<Late> {
        let Some(until) = self.until else { return Poll::Pending };
        let timer = match &mut self.timer {
            Some(timer) => timer,
            None => match contain(|| effects.sleep_until(until)) {
                Ok(Some(timer)) => self.timer.insert(timer),
                Ok(None) | Err(_) => return Poll::Ready(Late::NoTimer),
            },
        };
        match contain(|| timer.as_mut().poll(task)) {
            Ok(polled) => polled.map(|()| Late::TooLate),
            Err(_) => Poll::Ready(Late::NoTimer),
        }
    }
}

impl Drop for Limit {
    /// A timer may be the host's, and panic at its end.
    #[inline]
    fn drop(&mut self) {
        if let Some(timer) = self.timer.take() {
            let _ = contain(|| drop(timer));
        }
    }
}

/// A future of the host's, which may panic when it is polled and when it is dropped.
struct Theirs<'a, T>(Option<Pin<Box<dyn Future<Output = T> + Send + 'a>>>);

impl<T> Theirs<'_, T> {
    fn poll(&mut self, task: &mut Context<'_>) -> Result<Poll<T>, Panicked> {
        contain(|| self.0.as_mut().map_or(Poll::Pending, |future| future.as_mut().poll(task)))
    }
}

impl<T> Drop for Theirs<'_, T> {
    fn drop(&mut self) {
        let _ = contain(|| drop(self.0.take()));
    }
}

/// Waits for something until a time.
pub(super) async fn wait<T>(
    effects: &dyn Effects,
    until: Option<Instant>,
    future: Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> Waited<T> {
    let (mut future, mut limit) = (Theirs(Some(future)), Limit::new(until));
    poll_fn(|task| match future.poll(task) {
        Ok(Poll::Ready(value)) => Poll::Ready(Waited::Came(value)),
        Err(panicked) => Poll::Ready(Waited::Panicked(panicked)),
        Ok(Poll::Pending) => limit.poll(effects, task).map(Waited::Late),
    })
    .await
}

/// Asks somebody who answers in place, until the deadline. No answer is a no.
pub(super) async fn ask(
    approver: &dyn Approver,
    question: &Confirmation,
    effects: &dyn Effects,
    deadline: Option<Instant>,
) -> Result<bool, Panicked> {
    let answer = contain(|| approver.approve(question))?;
    match wait(effects, deadline, answer).await {
        Waited::Came(answer) => Ok(answer),
        Waited::Late(_) => Ok(false),
        Waited::Panicked(panicked) => Err(panicked),
    }
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
pub(super) async fn sleep(effects: &dyn Effects, now: Instant, wait: Duration) -> bool {
    if wait.is_zero() {
        return true;
    }
    let Some(until) = now.checked_add(wait) else { return std::future::pending().await };
    let mut limit = Limit::new(Some(until));
    matches!(poll_fn(|task| limit.poll(effects, task)).await, Late::TooLate)
}
