//! Tools that are not async: each on a thread where it may block, and cannot be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{ToolFuture, ToolOutput};
use crate::cancellation::Slot;
use crate::classify::{Classification, ErrorClass};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::executor::{nested, span};

/// Runs a tool that is not async on the blocking pool. Nothing is moved there before the first poll.
pub fn run_blocking(
    cx: &ToolContext,
    body: impl FnOnce(&ToolContext) -> Result<ToolOutput, ToolError> + Send + 'static,
) -> ToolFuture<'_> {
    Box::pin(async move {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return Err(not_begun("a tool that is not async needs a tokio runtime"));
        };
        let state = Arc::new(Body { stage: AtomicU8::new(WAITING), cancellation: Slot::new() });
        let shared = cx.share(Arc::clone(&state));
        let (begun, frames) = (Arc::clone(&state), nested::frames());
        // What the body logs stands where its call stands.
        let span = span::current();
        let handle = runtime.spawn_blocking(move || {
            span::inside(&span, || {
                if begun.stage.compare_exchange(WAITING, RUNNING, Ordering::AcqRel, Ordering::Acquire).is_err() {
                    return Err(not_begun("the tool was given up before it began"));
                }
                let result = nested::inside_all(frames, || body(&shared));
                begun.stage.store(DONE, Ordering::Release);
                result
            })
        });
        let mut body = GivenUpOnDrop { handle, state, cx };
        match (&mut body.handle).await {
            Ok(result) => result,
            Err(error) if error.is_panic() => {
                // It is over, and holds no thread any more.
                body.state.stage.store(DONE, Ordering::Release);
                body.state.cancellation.cancel();
                std::panic::resume_unwind(error.into_panic())
            }
            Err(_) => Err(not_begun("the runtime shut down before the tool ran")),
        }
    })
}

const WAITING: u8 = 0;
const RUNNING: u8 = 1;
const DONE: u8 = 2;
const GIVEN_UP: u8 = 3;

/// What a body that has a thread of its own shares with its call.
pub(crate) struct Body {
    stage: AtomicU8,
    cancellation: Slot,
}

impl Body {
    pub(crate) fn cancellation(&self) -> &Slot {
        &self.cancellation
    }
}

/// A body on the blocking pool. Giving its attempt up keeps it from beginning; where it has begun, nothing can stop it,
/// and its call has to know.
struct GivenUpOnDrop<'a> {
    handle: tokio::task::JoinHandle<Result<ToolOutput, ToolError>>,
    state: Arc<Body>,
    cx: &'a ToolContext,
}

impl Drop for GivenUpOnDrop<'_> {
    fn drop(&mut self) {
        // The exchange settles it: a body that comes later finds that it was given up.
        match self.state.stage.compare_exchange(WAITING, GIVEN_UP, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => self.cx.set_not_begun(),
            Err(RUNNING) => {
                self.cx.set_still_running();
                self.state.cancellation.cancel();
            }
            Err(_) => {}
        }
    }
}

#[cold]
fn not_begun(why: &'static str) -> ToolError {
    ToolError::judged(Classification::inferred(ErrorClass::Internal).hidden().no_effect(), why.to_owned())
}
