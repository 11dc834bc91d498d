//! The executor's two effects: running an attempt, and sleeping. Everything that touches a clock or a timer is here, so
//! that another engine can take it over in one place.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::time::Sleep;

use super::contain::{Panicked, contain};
use crate::confirmation::{Approver, Confirmation};
use crate::error::ToolError;
use crate::output::{ToolFuture, ToolOutput};

/// As good as never.
const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// How an attempt ended.
pub(super) enum Ended {
    Returned(Result<ToolOutput, ToolError>),
    /// The limit passed while the tool was waiting.
    TimedOut,
    /// The tool panicked; the payload is for the log.
    Panicked(Panicked),
    /// The tool had to wait, and the runtime has no timer to limit that.
    NoTimer,
}

/// The time on the clock by which everything is measured.
pub(crate) fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}

/// The time so far from now; `None` where there is no such time, which is later than any.
pub(crate) fn after(wait: Duration) -> Option<Instant> {
    now().checked_add(wait)
}

/// Runs one attempt until it ends or the limit passes. The tool is asked first, and the timer made only if the tool
/// has to wait: most attempts need none. A result that is there at the moment of the limit counts.
pub(super) async fn run(mut future: ToolFuture<'_>, limit: Option<Instant>) -> Ended {
    let mut timer: Option<Pin<Box<Sleep>>> = None;
    let ended = poll_fn(|task| {
        match contain(|| future.as_mut().poll(task)) {
            Ok(Poll::Ready(result)) => return Poll::Ready(Ended::Returned(result)),
            Err(panicked) => return Poll::Ready(Ended::Panicked(panicked)),
            Ok(Poll::Pending) => {}
        }
        let Some(limit) = limit else { return Poll::Pending };
        let timer = match &mut timer {
            Some(timer) => timer,
            None => match arm(limit) {
                Some(armed) => timer.insert(armed),
                None => return Poll::Ready(Ended::NoTimer),
            },
        };
        match contain(|| timer.as_mut().poll(task)) {
            Ok(polled) => polled.map(|()| Ended::TimedOut),
            Err(_) => Poll::Ready(Ended::NoTimer),
        }
    })
    .await;
    // What the tool holds is its own, and may panic when it is given up.
    match contain(|| drop(future)) {
        Ok(()) => ended,
        Err(panicked) => Ended::Panicked(panicked),
    }
}

/// Asks somebody who answers in place, until the deadline. No answer is a no, and so is a panic.
pub(super) async fn ask(approver: &dyn Approver, question: &Confirmation, deadline: Option<Instant>) -> bool {
    let Ok(mut answer) = contain(|| approver.approve(question)) else { return false };
    let mut timer = None;
    poll_fn(|task| {
        match contain(|| answer.as_mut().poll(task)) {
            Ok(Poll::Ready(approved)) => return Poll::Ready(approved),
            Err(_) => return Poll::Ready(false),
            Ok(Poll::Pending) => {}
        }
        let Some(deadline) = deadline else { return Poll::Pending };
        let timer = match &mut timer {
            Some(timer) => timer,
            None => match arm(deadline) {
                Some(armed) => timer.insert(armed),
                None => return Poll::Ready(false),
            },
        };
        contain(|| timer.as_mut().poll(task)).unwrap_or(Poll::Ready(())).map(|()| false)
    })
    .await
}

/// Sleeps; says whether there was a timer to sleep by. A wait of zero goes through no timer, which would take a
/// millisecond.
pub(super) async fn sleep(wait: Duration) -> bool {
    if wait.is_zero() {
        return true;
    }
    match after(wait).map(arm) {
        Some(Some(mut timer)) => {
            poll_fn(|task| match contain(|| timer.as_mut().poll(task)) {
                Ok(polled) => polled.map(|()| true),
                Err(_) => Poll::Ready(false),
            })
            .await
        }
        Some(None) => false,
        None => std::future::pending().await,
    }
}

/// A timer; `None` where the runtime has none, which tokio says by a panic.
fn arm(until: Instant) -> Option<Pin<Box<Sleep>>> {
    tokio::runtime::Handle::try_current().ok()?;
    // tokio rounds a time up to its next millisecond, which must not lead past the end of the clock.
    let until = after(FAR).map_or(until, |far| until.min(far));
    contain(|| Box::pin(tokio::time::sleep_until(until.into()))).ok()
}
