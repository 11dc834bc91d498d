//! What tells work that a tool has spawned that nobody waits for it any more.

use std::fmt;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// Says when an attempt was given up, to work that the tool has spawned: [`ToolContext::cancellation`] makes one.
///
/// It is cancelled when the attempt ran out of its time, when its call was dropped and when the tool panicked; not when
/// the tool came to its end, whatever it gave back, since it then has settled what is to become of its work.
///
/// ```
/// # use toolkit::{ToolContext, tool};
/// /// Makes a report.
/// #[tool(category = Read)]
/// async fn report(ctx: &ToolContext) -> String {
///     let cancellation = ctx.cancellation();
///     let work = tokio::spawn(async move {
///         tokio::select! {
///             () = cancellation.cancelled() => String::new(),
///             text = async { "the report".to_owned() } => text,
///         }
///     });
///     work.await.unwrap_or_default()
/// }
/// ```
///
/// [`ToolContext::cancellation`]: crate::ToolContext::cancellation
#[derive(Clone)]
pub struct Cancellation(watch::Receiver<bool>);

impl Cancellation {
    /// Whether the attempt was given up.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the attempt is given up. That may be never.
    pub async fn cancelled(&self) {
        // The attempt has ended where there is nobody left to say it.
        if self.0.clone().wait_for(|cancelled| *cancelled).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("is_cancelled", &self.is_cancelled()).finish()
    }
}

/// Where the token of an attempt is kept. It is made when somebody asks for it.
pub(crate) struct Slot(Mutex<State>);

enum State {
    Unasked,
    Given(watch::Sender<bool>),
    GivenUp,
}

impl Slot {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(State::Unasked))
    }

    pub(crate) fn token(&self) -> Cancellation {
        let mut state = self.lock();
        match &*state {
            State::Given(sender) => Cancellation(sender.subscribe()),
            State::GivenUp => Cancellation(watch::channel(true).1),
            State::Unasked => {
                let (sender, receiver) = watch::channel(false);
                *state = State::Given(sender);
                Cancellation(receiver)
            }
        }
    }

    /// The attempt is given up.
    pub(crate) fn cancel(&self) {
        if let State::Given(sender) = mem::replace(&mut *self.lock(), State::GivenUp) {
            sender.send_replace(true);
        }
    }

    /// The attempt has ended, or has not begun: its token is not that of the next.
    pub(crate) fn clear(&self) {
        drop(mem::replace(&mut *self.lock(), State::Unasked));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
