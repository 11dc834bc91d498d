//! How a conversation ended.

use std::fmt;

use crate::error::ToolError;

/// Why a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EndReason {
    /// The model answered in words.
    Answered,
    /// Calls wait for a person.
    NeedsConfirmation,
    /// The model has replied as often as it may. Every call of it is answered.
    MaxTurns,
    /// The model wanted more calls than it may have.
    MaxCalls,
    /// The time of the run is over.
    Deadline,
    /// The model cannot be asked, or gave no reply that can be read.
    ModelFailed,
    /// The answer reached its length limit, or three replies with calls did, one after the other.
    CutOff,
}

impl EndReason {
    /// The name in `snake_case`, as it stands in logs and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Answered => "answered",
            EndReason::NeedsConfirmation => "needs_confirmation",
            EndReason::MaxTurns => "max_turns",
            EndReason::MaxCalls => "max_calls",
            EndReason::Deadline => "deadline",
            EndReason::ModelFailed => "model_failed",
            EndReason::CutOff => "cut_off",
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a conversation ended, or paused.
#[derive(Clone, Debug)]
#[must_use = "a conversation may end without an answer"]
pub struct End {
    reason: EndReason,
    text: String,
    error: Option<ToolError>,
}

impl End {
    pub(super) fn new(reason: EndReason, text: String, error: Option<ToolError>) -> Self {
        Self { reason, text, error }
    }

    /// Why it ended.
    pub fn reason(&self) -> EndReason {
        self.reason
    }

    /// The answer; where there is none, what the model said last, which may be nothing.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the model failed with, where that is the reason.
    pub fn error(&self) -> Option<&ToolError> {
        self.error.as_ref()
    }
}
