#![doc = include_str!("../../README.md")]

// In the order in which a call passes through them.
mod call;
mod tool;
mod dynamic;
mod parameter;
mod output;
mod schema;
mod provider;
mod registry;
mod permission;
mod confirmation;
mod arguments;
mod executor;
mod run;
mod conversation;
mod context;
mod cancellation;
mod classify;
mod retry;
mod feedback;
mod observe;
mod scrub;
mod error;
mod private;
#[cfg(feature = "testing")]
pub mod testing;

/// What the macros emit names. Not part of the public interface, and changed without notice.
#[doc(hidden)]
pub mod __private {
    pub use crate::private::*;
}

pub use schemars;
pub use serde;
pub use serde_json;
#[cfg(feature = "macros")]
pub use toolkit_macros::{Classify, tool, tools};

pub use crate::arguments::RepairMode;
pub use crate::call::{Arguments, Attempt, Outcome, Repair, RepairKind, ToolCall, ToolResult};
pub use crate::cancellation::Cancellation;
pub use crate::classify::{Classification, Classify, ErrorClass, ErrorClassifier, UnknownErrorClass};
pub use crate::confirmation::{Approver, Confirmation};
pub use crate::context::ToolContext;
pub use crate::conversation::{
    Conversation, ConversationState, End, EndReason, Model, NotPending, PendingCall, Step, Timeline,
};
pub use crate::dynamic::DynamicTool;
pub use crate::error::{BuildError, ResultExt, ToolError};
pub use crate::executor::{Effects, Executor, ExecutorBuilder, Wait};
pub use crate::feedback::Language;
#[cfg(feature = "metrics")]
pub use crate::observe::Metrics;
pub use crate::observe::{CallInfo, Event, Observer};
pub use crate::output::{Attachment, IntoOutput, ToolFuture, ToolOutput};
pub use crate::parameter::Argument;
pub use crate::permission::{ByCategory, Permission, PermissionRequest, Permissions};
pub use crate::provider::{
    Check, Export, ExportError, ExportOptions, ExportProblem, ExportReport, McpRevision, ParseError, Provider, Renamed,
    RenamedKey, ReplyStream, ToolChoice, Usage,
};
pub use crate::registry::{Registry, RegistryBuilder};
pub use crate::retry::{
    Backoff, Decision, Jitter, Retry, RetryAfter, RetryBudget, RetryPolicy, RetryPolicyBuilder, StopReason,
};
pub use crate::run::Run;
pub use crate::tool::{Category, Location, Service, Tool, ToolSpec};
