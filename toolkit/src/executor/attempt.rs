//! The executor's two effects: running an attempt, and sleeping. Everything that touches a clock or a timer is here, so
//! that another engine can take it over in one place.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::time::Sleep;

use crate::error::ToolError;
use crate::output::{ToolFuture, ToolOutput};

/// How an attempt ended.
pub(super) enum Ended {
    Returned(Result<ToolOutput, ToolError>),
    /// The limit passed while the tool was waiting.
    TimedOut,
    /// The tool panicked; the payload is for the log.
    Panicked(Box<dyn Any + Send>),
    /// The tool had to wait, and the runtime has no timer to limit that.
    NoTimer,
}

/// The time on the clock by which everything is measured.
pub(super) fn now() -> Instant {
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
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(task))) {
            Ok(Poll::Ready(result)) => return Poll::Ready(Ended::Returned(result)),
            Err(payload) => return Poll::Ready(Ended::Panicked(payload)),
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
        timer.as_mut().poll(task).map(|()| Ended::TimedOut)
    })
    .await;
    // What the tool holds is its own, and may panic when it is given up.
    match catch_unwind(AssertUnwindSafe(|| drop(future))) {
        Ok(()) => ended,
        Err(payload) => Ended::Panicked(payload),
    }
}

/// Sleeps; says whether there was a timer to sleep by. A wait of zero goes through no timer, which would take a
/// millisecond.
pub(super) async fn sleep(wait: Duration) -> bool {
    if wait.is_zero() {
        return true;
    }
    match after(wait).map(arm) {
        Some(Some(timer)) => {
            timer.await;
            true
        }
        Some(None) => false,
        None => std::future::pending().await,
    }
}

/// A timer; `None` where the runtime has none, which tokio says by a panic.
fn arm(until: Instant) -> Option<Pin<Box<Sleep>>> {
    catch_unwind(|| Box::pin(tokio::time::sleep_until(until.into()))).ok()
}
