//! What happened in a conversation, step by step.

use std::sync::PoisonError;

use super::Conversation;
use crate::call::ToolResult;
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::executor::contain::contain;
use crate::executor::log;

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The model said something to the reader.
    Said {
        /// Its words.
        text: &'a str,
    },
    /// The model called a tool.
    Called {
        /// The id of the call.
        call_id: &'a str,
        /// The name, as the model wrote it.
        tool: &'a str,
        /// The arguments, as the model wrote them, without those that are secret.
        arguments: &'a str,
    },
    /// A call waits for a person.
    Waits {
        /// The name of the tool.
        tool: &'a str,
        /// Why a person is asked.
        why: &'a str,
    },
    /// A call has its result.
    Ran {
        /// The result.
        result: &'a ToolResult,
    },
    /// The model gave no reply.
    ModelFailed {
        /// The class of the last failure.
        class: ErrorClass,
        /// What it said.
        message: &'a str,
    },
}

/// A step as it is kept.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    Said(String),
    Called {
        id: String,
        tool: String,
        arguments: String,
    },
    Waits {
        tool: String,
        why: String,
    },
    /// The place of the result.
    Ran(usize),
    Failed {
        class: ErrorClass,
        message: String,
    },
}

impl Kept {
    pub(super) fn failed(error: &ToolError) -> Self {
        Self::Failed { class: error.class(), message: error.message().to_owned() }
    }

    pub(super) fn step<'a>(&'a self, results: &'a [ToolResult]) -> Option<Step<'a>> {
        Some(match self {
            Self::Said(text) => Step::Said { text },
            Self::Called { id, tool, arguments } => Step::Called { call_id: id, tool, arguments },
            Self::Waits { tool, why } => Step::Waits { tool, why },
            Self::Ran(place) => Step::Ran { result: results.get(*place)? },
            Self::Failed { class, message } => Step::ModelFailed { class: *class, message },
        })
    }
}

impl Conversation {
    /// Keeps a step, and shows it.
    pub(super) fn note(&mut self, kept: Kept) {
        if let Some(watch) = &mut self.watch
            && let Some(step) = kept.step(&self.memory.results)
        {
            let watch = watch.get_mut().unwrap_or_else(PoisonError::into_inner);
            if contain(|| watch(&step)).is_err() {
                log::watcher_panicked(self.run.id());
            }
        }
        self.memory.steps.push(kept);
    }
}
