//! One span a call, and one in it an attempt, by OpenTelemetry's conventions for generative AI.
//!
//! What tools log stands inside of them. A span's name is fixed when the program is built, so it is `otel.name` that says
//! `execute_tool` and the name of the tool. Where nobody listens, no field is looked at and nothing is allocated.

use std::mem;
use std::ops::Deref;

use tracing::field::Empty;
use tracing::{Span, info_span};

use super::contain::contain;
use crate::arguments::{Secrets, secret_names, without_secrets};
use crate::call::{Outcome, ToolResult};
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::feedback::scrubbed;
use crate::retry::StopReason;
use crate::tool::ToolSpec;

/// The span in which this is asked.
pub(crate) fn current() -> Kept {
    guarded(Span::current)
}

/// A span that ends with its owner. The host's subscriber may panic when it is told so.
pub(crate) struct Kept(Span);

impl Deref for Kept {
    type Target = Span;

    #[inline]
    fn deref(&self) -> &Span {
        &self.0
    }
}

impl Drop for Kept {
    #[inline]
    fn drop(&mut self) {
        if !self.is_disabled() {
            record(|| drop(mem::replace(&mut self.0, Span::none())));
        }
    }
}

/// The span of a call of this tool, with its arguments where they are to be shown.
pub(super) fn of_call(spec: &ToolSpec, call_id: &str, shown: Option<&str>) -> Kept {
    let span = guarded(|| {
        info_span!(
            "execute_tool",
            "otel.name" = %format_args!("execute_tool {}", spec.name()),
            "otel.kind" = "internal",
            "otel.status_code" = Empty,
            "gen_ai.operation.name" = "execute_tool",
            "gen_ai.tool.name" = spec.name(),
            "gen_ai.tool.description" = spec.description(),
            "gen_ai.tool.type" = "function",
            "gen_ai.tool.call.id" = (!call_id.is_empty()).then_some(call_id),
            "gen_ai.tool.call.arguments" = Empty,
            "gen_ai.tool.call.result" = Empty,
            "error.type" = Empty,
            "toolkit.attempts" = Empty,
            "toolkit.outcome" = Empty,
            "toolkit.stop" = Empty,
        )
    });
    if let Some(text) = shown
        && !span.is_disabled()
    {
        record(|| {
            let text = without_secrets(&secret_names(spec), text);
            span.record("gen_ai.tool.call.arguments", &*scrubbed(&text));
        });
    }
    span
}

/// The span of an attempt, inside that of its call.
pub(super) fn of_attempt(number: u32) -> Kept {
    guarded(|| {
        info_span!(
            "attempt",
            "otel.kind" = "internal",
            "otel.status_code" = Empty,
            "error.type" = Empty,
            "toolkit.attempt" = number,
        )
    })
}

/// Writes down what an attempt failed with.
pub(super) fn failed(span: &Span, class: ErrorClass) {
    if !span.is_disabled() {
        record(|| {
            span.record("error.type", class.as_str());
            span.record("otel.status_code", "ERROR");
        });
    }
}

/// Writes down how a call ended, and what the model reads of it where the arguments were shown too.
pub(super) fn ended(span: &Span, spec: &ToolSpec, shown: Option<&str>, result: &ToolResult) {
    if span.is_disabled() {
        return;
    }
    if let Some(class) = result.error().map(ToolError::class) {
        failed(span, class);
    }
    record(|| {
        span.record("toolkit.attempts", result.attempts().len());
        span.record("toolkit.outcome", result.outcome().as_str());
        span.record("toolkit.stop", result.stop().map(StopReason::as_str));
        if let Some(arguments) = shown {
            let secrets = Secrets::of(spec, arguments);
            span.record("gen_ai.tool.call.result", &*scrubbed(&secrets.hide(result.text())));
        }
    });
}

/// Writes down that a call was dropped.
pub(super) fn dropped(span: &Span, outcome: Outcome) {
    if !span.is_disabled() {
        record(|| {
            span.record("toolkit.outcome", outcome.as_str());
            span.record("toolkit.stop", StopReason::Cancelled.as_str());
        });
    }
}

/// Runs code inside of a span. A subscriber that panics when it is told so changes nothing.
#[inline]
pub(crate) fn inside<T>(span: &Span, run: impl FnOnce() -> T) -> T {
    if span.is_disabled() {
        return run();
    }
    let entered = contain(|| span.enter()).ok();
    let value = run();
    record(|| drop(entered));
    value
}

/// The host's subscriber may panic. The call goes on without that span.
fn guarded(make: impl FnOnce() -> Span) -> Kept {
    Kept(contain(make).unwrap_or_else(|_| Span::none()))
}

fn record(record: impl FnOnce()) {
    let _ = contain(record);
}
