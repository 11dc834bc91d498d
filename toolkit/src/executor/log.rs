//! What the log is told: the raw error with everything behind it, which the model never sees.

use std::error::Error;
use std::fmt::Write as _;

use super::contain::{Panicked, contain};
use crate::arguments::{Secrets, shorten};
use crate::call::Parts;
use crate::classify::before_backtrace;
use crate::context::ToolContext;
use crate::context::random_seed;
use crate::error::ToolError;
use crate::feedback::scrubbed;
use crate::observe::Event;
use crate::retry::StopReason;

/// The most links of a chain that are told.
const MAX_LINKS: usize = 16;

/// The most bytes of an error's `Debug` form that are searched for a backtrace.
const MAX_DEBUG: usize = 256 * 1024;

/// Logs an attempt that failed; an error whose text is kept from the model gets the reference by which it is found.
pub(super) fn failed(cx: &ToolContext, error: ToolError, secrets: &Secrets) -> ToolError {
    let error = with_reference(error);
    guarded(|| {
        tracing::warn!(
            tool = cx.tool(),
            call_id = cx.call_id(),
            attempt = cx.attempt(),
            class = error.class().as_str(),
            reference = written(&error),
            error = %clean(&chain(&error), secrets),
            backtrace = backtrace(&error).map(|trace| clean(&trace, secrets)),
            "a tool failed"
        );
    });
    error
}

/// Logs what a tool, a type or a rule panicked with.
pub(super) fn panicked(cx: &ToolContext, panicked: &Panicked, secrets: &Secrets) {
    guarded(|| {
        let text = clean(panicked.text(), secrets);
        tracing::error!(tool = cx.tool(), call_id = cx.call_id(), panic = %text, "a tool panicked");
    });
}

/// Logs what an approver panicked with; that counts as a no.
pub(super) fn approver_panicked(cx: &ToolContext, panicked: &Panicked, secrets: &Secrets) {
    guarded(|| {
        let text = clean(panicked.text(), secrets);
        tracing::error!(tool = cx.tool(), call_id = cx.call_id(), panic = %text, "an approver panicked");
    });
}

/// Logs that an observer panicked.
pub(super) fn observer_panicked(event: &Event<'_>) {
    guarded(|| tracing::error!(event = event.name(), "an observer panicked"));
}

/// Logs that who watches a conversation panicked.
pub(crate) fn watcher_panicked(run: &str) {
    guarded(|| tracing::error!(run, "who watches a conversation panicked"));
}

/// Logs that a wait could not be waited for.
pub(super) fn no_timer(cx: &ToolContext) {
    guarded(|| {
        tracing::error!(tool = cx.tool(), call_id = cx.call_id(), "no retry: the runtime has no timer to wait by");
    });
}

/// Logs a call that was not run. Its name is the model's own text.
pub(super) fn refused(parts: &Parts, error: ToolError, stop: StopReason) -> ToolError {
    let error = with_reference(error);
    guarded(|| {
        tracing::info!(
            tool = %shorten(&scrubbed(&parts.name), 64),
            call_id = parts.call_id,
            stop = stop.as_str(),
            reference = written(&error),
            error = error.is_hidden().then(|| error.message()),
            "a call was refused"
        );
    });
    error
}

fn with_reference(error: ToolError) -> ToolError {
    if error.is_hidden() && error.reference().is_none() {
        // Thirty-two bits are enough to find a line of a log.
        error.with_reference(random_seed() >> 32)
    } else {
        error
    }
}

fn written(error: &ToolError) -> Option<String> {
    error.reference().map(|reference| format!("{reference:08x}"))
}

/// An error's own words, or the host's log, may panic. The call goes on without that line.
fn guarded(log: impl FnOnce()) {
    let _ = contain(log);
}

fn clean(text: &str, secrets: &Secrets) -> String {
    scrubbed(&secrets.hide(text)).into_owned()
}

/// An error and everything behind it, on one line.
fn chain(error: &ToolError) -> String {
    let mut text = error.message().to_owned();
    // What an error that says nothing of itself means is told by its whole chain, so that much is said already.
    let mut said = error.message();
    let mut source = error.source();
    for _ in 0..MAX_LINKS {
        let Some(next) = source else { break };
        let mut words = String::new();
        // A `Display` that fails or panics must not keep the rest from the log.
        let told = contain(|| write!(words, "{next}"));
        if !matches!(told, Ok(Ok(()))) {
            words += "(its text cannot be had)";
        }
        if let Some(rest) = said.strip_prefix(&words).filter(|_| !words.is_empty()) {
            said = rest.strip_prefix(": ").unwrap_or(rest);
        } else if !text.ends_with(&words) {
            let _ = write!(text, ": {words}");
        }
        source = contain(|| next.source()).ok().flatten();
    }
    text
}

/// The backtrace of a report, such as anyhow and eyre make where `RUST_BACKTRACE` asks for one. No trait of std gives it
/// away; but it stands in the `Debug` form of the report, and so in that of whatever holds one.
fn backtrace(error: &ToolError) -> Option<String> {
    let source = error.source()?;
    let mut debug = Bounded(String::new());
    // A `Debug` that fails, panics or is too long has told what it told.
    let _ = contain(|| write!(debug, "{source:?}"));
    let before = before_backtrace(&debug.0).len();
    let trace = debug.0[before..].trim();
    (!trace.is_empty()).then(|| trace.to_owned())
}

/// A text that takes no more than so much.
struct Bounded(String);

impl std::fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        if self.0.len() + text.len() > MAX_DEBUG {
            return Err(std::fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Logs a request to the model that failed.
pub(super) fn model_failed(run: &str, attempt: u32, error: &ToolError) {
    guarded(|| {
        let text = chain(error);
        let text = scrubbed(&text);
        tracing::warn!(run, attempt, class = error.class().as_str(), error = %text, "the model failed");
    });
}

/// Logs what the model's client panicked with.
pub(super) fn model_panicked(run: &str, panicked: &Panicked) {
    guarded(|| tracing::error!(run, panic = %scrubbed(panicked.text()), "the model's client panicked"));
}
