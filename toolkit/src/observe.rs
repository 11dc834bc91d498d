//! What happens to calls, told as it happens: for metrics, a progress bar, or a record.
//!
//! Events carry names, numbers and classes, and neither arguments nor the text of errors: what is counted must have few
//! values, and what is secret must not be counted at all.

#[cfg(feature = "metrics")]
mod metrics;

use std::time::Duration;

#[cfg(feature = "metrics")]
pub use self::metrics::Metrics;

use crate::call::Outcome;
use crate::classify::ErrorClass;
use crate::conversation::EndReason;
use crate::retry::StopReason;
use crate::tool::Category;

/// The call that an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallInfo<'a> {
    /// The name of the tool; where there is none of that name, what the model wrote.
    pub tool: &'a str,
    /// What the tool may do. `None` where there is no such tool.
    pub category: Option<Category>,
    /// The id of the call, as the model's provider gave it.
    pub call_id: &'a str,
    /// The name of the run, where the call is part of one.
    pub run: Option<&'a str>,
}

/// Something that happened to a call.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The body of the tool begins to run.
    AttemptStarted {
        /// The call.
        call: CallInfo<'a>,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// The body ended, or was given up.
    AttemptFinished {
        /// The call.
        call: CallInfo<'a>,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// How long it ran.
        duration: Duration,
        /// What it failed with; `None` where it succeeded. `Unknown` where its call was dropped.
        class: Option<ErrorClass>,
    },
    /// Another attempt will be made. Told before the wait.
    RetryScheduled {
        /// The call.
        call: CallInfo<'a>,
        /// The number of the attempt that failed, from 1.
        attempt: u32,
        /// What it failed with.
        class: ErrorClass,
        /// How long the call waits.
        after: Duration,
    },
    /// A failed attempt is the last one.
    RetrySuppressed {
        /// The call.
        call: CallInfo<'a>,
        /// What it failed with.
        class: ErrorClass,
        /// Why no other attempt is made.
        reason: StopReason,
    },
    /// A tool says how far it is.
    Progress {
        /// The call.
        call: CallInfo<'a>,
        /// How much is done.
        done: f64,
        /// How much there is to do, where that is known.
        total: Option<f64>,
        /// What is being done, in the tool's words.
        message: &'a str,
    },
    /// A request goes to the model.
    ModelAsked {
        /// The name of the run.
        run: &'a str,
        /// The number of the request in its conversation, from 1.
        turn: u64,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// The model replied, or the request failed.
    ModelReplied {
        /// The name of the run.
        run: &'a str,
        /// The number of the request in its conversation, from 1.
        turn: u64,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// How long it took.
        duration: Duration,
        /// What it failed with; `None` where there is a reply.
        class: Option<ErrorClass>,
    },
    /// The request will be sent again. Told before the wait.
    ModelRetryScheduled {
        /// The name of the run.
        run: &'a str,
        /// The number of the request in its conversation, from 1.
        turn: u64,
        /// The number of the attempt that failed, from 1.
        attempt: u32,
        /// What it failed with.
        class: ErrorClass,
        /// How long the conversation waits.
        after: Duration,
    },
    /// A conversation ends, or pauses.
    ConversationEnded {
        /// The name of the run.
        run: &'a str,
        /// How many requests were answered.
        turns: u64,
        /// How many calls were made.
        calls: usize,
        /// Why it ends.
        reason: EndReason,
    },
    /// The result of a call is there, or the call was dropped, which is [`StopReason::Cancelled`].
    CallFinished {
        /// The call.
        call: CallInfo<'a>,
        /// What it did to the world.
        outcome: Outcome,
        /// How many attempts were made.
        attempts: usize,
        /// How long the call took, waits included.
        duration: Duration,
        /// Why it ended without success.
        stop: Option<StopReason>,
    },
}

impl<'a> Event<'a> {
    /// The name of the event in `snake_case`.
    pub const fn name(&self) -> &'static str {
        match self {
            Event::AttemptStarted { .. } => "attempt_started",
            Event::AttemptFinished { .. } => "attempt_finished",
            Event::RetryScheduled { .. } => "retry_scheduled",
            Event::RetrySuppressed { .. } => "retry_suppressed",
            Event::Progress { .. } => "progress",
            Event::ModelAsked { .. } => "model_asked",
            Event::ModelReplied { .. } => "model_replied",
            Event::ModelRetryScheduled { .. } => "model_retry_scheduled",
            Event::ConversationEnded { .. } => "conversation_ended",
            Event::CallFinished { .. } => "call_finished",
        }
    }

    /// The call that the event is about. What concerns the model and no call has a run, and blanks for the rest.
    pub const fn call(&self) -> CallInfo<'a> {
        match *self {
            Event::ModelAsked { run, .. }
            | Event::ModelReplied { run, .. }
            | Event::ModelRetryScheduled { run, .. }
            | Event::ConversationEnded { run, .. } => {
                CallInfo { tool: "", category: None, call_id: "", run: Some(run) }
            }
            Event::AttemptStarted { call, .. }
            | Event::AttemptFinished { call, .. }
            | Event::RetryScheduled { call, .. }
            | Event::RetrySuppressed { call, .. }
            | Event::Progress { call, .. }
            | Event::CallFinished { call, .. } => call,
        }
    }
}

/// Somebody who is told. It is called on the task of the call, so it had better be quick; if it panics, that is logged
/// and changes nothing.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn on(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + Send + Sync> Observer for F {
    fn on(&self, event: &Event<'_>) {
        self(event);
    }
}
