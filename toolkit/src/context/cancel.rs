//! Tells the work that a tool has spawned that nobody waits for it any more.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Whether an attempt was given up: its time limit passed, or its call was dropped. Clone it into what the tool spawns;
/// the tool's own future is dropped by itself.
///
/// ```
/// # use toolkit::ToolContext;
/// # async fn tool(ctx: &ToolContext) {
/// let cancellation = ctx.cancellation();
/// tokio::spawn(async move {
///     tokio::select! {
///         () = cancellation.cancelled() => {}                // give up
///         () = tokio::time::sleep(std::time::Duration::from_secs(60)) => {} // the work
///     }
/// });
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Cancellation(Arc<State>);

#[derive(Default)]
struct State {
    cancelled: AtomicBool,
    waiting: Notify,
}

impl Cancellation {
    /// Whether the attempt was given up.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// Ends when the attempt is given up; never, where it ends by itself.
    pub async fn cancelled(&self) {
        loop {
            // Registered before the flag is read, so that no cancellation falls between the two.
            let told = self.0.waiting.notified();
            if self.is_cancelled() {
                return;
            }
            told.await;
        }
    }

    pub(crate) fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
        self.0.waiting.notify_waiters();
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("cancelled", &self.is_cancelled()).finish()
    }
}
