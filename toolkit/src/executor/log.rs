//! What the log is told: the raw error with everything behind it, which the model never sees.

use std::any::Any;
use std::error::Error;
use std::fmt::Write as _;

use crate::call::Parts;
use crate::context::ToolContext;
use crate::context::random_seed;
use crate::error::ToolError;
use crate::retry::StopReason;
use crate::scrub::scrub;

/// Logs an attempt that failed; an error whose text is kept from the model gets the reference by which it is found.
pub(super) fn failed(cx: &ToolContext, error: ToolError) -> ToolError {
    let error = if error.is_hidden() && error.reference().is_none() {
        // Thirty-two bits are enough to find a line of a log.
        error.with_reference(random_seed() >> 32)
    } else {
        error
    };
    tracing::warn!(
        tool = cx.tool(),
        call_id = cx.call_id(),
        attempt = cx.attempt(),
        class = error.class().as_str(),
        reference = error.reference().map(|reference| format!("{reference:08x}")),
        error = %scrub(&chain(&error)),
        "a tool failed"
    );
    error
}

/// Logs what a tool, a type or a rule panicked with.
pub(super) fn panicked(cx: &ToolContext, payload: &(dyn Any + Send)) {
    let text = payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a payload that is no text");
    tracing::error!(tool = cx.tool(), call_id = cx.call_id(), panic = %scrub(text), "a tool panicked");
}

/// Logs a call that was not run.
pub(super) fn refused(parts: &Parts, stop: StopReason) {
    tracing::info!(tool = parts.name, call_id = parts.call_id, stop = stop.as_str(), "a call was refused");
}

/// An error and everything behind it, on one line.
fn chain(error: &ToolError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    for _ in 0..16 {
        let Some(next) = source else { break };
        let words = next.to_string();
        if !text.ends_with(&words) {
            let _ = write!(text, ": {words}");
        }
        source = next.source();
    }
    text
}
