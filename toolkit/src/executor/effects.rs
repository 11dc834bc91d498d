//! What a call does besides deciding: it reads a clock, waits, and makes attempts. Whoever takes these over, a journal
//! that survives a crash or a clock that a test moves by hand, takes over everything that happens in time.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

use super::contain::contain;
use crate::context::ToolContext;
use crate::output::ToolFuture;

/// A wait, until a time.
pub type Wait = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The clock, the waits and the attempts of an executor; those of tokio where none are
/// [given](crate::ExecutorBuilder::effects).
///
/// Time limits, deadlines, back-off and budgets all go by [`now`](Self::now) and [`sleep_until`](Self::sleep_until). An
/// executor that is to outlive its process keeps a journal in [`attempt`](Self::attempt): the idempotency key of the
/// context and the number of the attempt name an attempt for ever in a run that has a name.
pub trait Effects: Send + Sync {
    /// The time.
    fn now(&self) -> Instant;

    /// Waits until this time; `None` where there is nothing to wait by. A wait that panics counts as none.
    fn sleep_until(&self, until: Instant) -> Option<Wait>;

    /// Makes an attempt. `body` runs the tool when it is polled, and not before: what was written down of an earlier
    /// process may take its place.
    fn attempt<'a>(&'a self, context: &'a ToolContext, body: ToolFuture<'a>) -> ToolFuture<'a> {
        let _ = context;
        body
    }
}

/// The time of the calendar, which means the same to every process: by it an answer that was stored grows old.
pub(crate) fn today() -> SystemTime {
    SystemTime::now()
}

/// As good as never.
const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The clock and the timers of tokio.
pub(super) struct Tokio;

impl Effects for Tokio {
    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }

    fn sleep_until(&self, until: Instant) -> Option<Wait> {
        tokio::runtime::Handle::try_current().ok()?;
        // tokio rounds a time up to its next millisecond, which must not lead past the end of the clock.
        let until = self.now().checked_add(FAR).map_or(until, |far| until.min(far));
        // A runtime without a timer says so by a panic.
        // A tool that has used up its turn of the runtime's must not keep the time limit from being looked at.
        let sleep = || tokio::task::unconstrained(tokio::time::sleep_until(until.into()));
        contain(|| Box::pin(sleep()) as Wait).ok()
    }
}
