//! The calls that wait for a person, and what the person says.

use std::fmt;
use std::time::SystemTime;

use serde_json::Value;

use super::Conversation;
use crate::executor::today;

/// A call that waits for a person.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingCall {
    /// Its place in the turn.
    pub(super) index: usize,
    pub(super) call_id: String,
    pub(super) tool: String,
    pub(super) token: String,
    pub(super) arguments: Value,
    pub(super) why: String,
    pub(super) until: SystemTime,
    pub(super) answer: Option<Answer>,
}

/// What a person said.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    /// As it is.
    Approved,
    /// With these arguments.
    Edited(Value),
    /// No, and why.
    Refused(String),
}

impl PendingCall {
    /// What the answer is given by. Nobody but the host and the person needs to know it.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The id of the call, as the model's provider gave it.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The name of the tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The arguments that the tool would get.
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Why a person is asked.
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Until when an answer counts.
    pub fn until(&self) -> SystemTime {
        self.until
    }

    /// Whether somebody has answered.
    pub fn is_answered(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether the conversation waits for it still.
    pub(super) fn is_open(&self) -> bool {
        self.answer.is_none() && today() < self.until
    }
}

/// No call waits for this answer: the token is unknown, its time is over, or somebody has answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPending;

impl fmt::Display for NotPending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no call waits for this answer: the token is unknown, its time is over, or somebody has answered")
    }
}

impl std::error::Error for NotPending {}

impl Conversation {
    /// The calls that wait for a person. Empty where there is no pause.
    pub fn pending(&self) -> &[PendingCall] {
        self.memory.paused.as_ref().map_or(&[], |paused| &paused.pending)
    }

    /// A person agrees to the call, with the arguments that were shown. It runs when the conversation is resumed, once.
    ///
    /// # Errors
    /// No call waits for this answer.
    pub fn approve(&mut self, token: &str) -> Result<(), NotPending> {
        self.answer(token, Answer::Approved)
    }

    /// A person agrees to the call with other arguments, of which the model is told. What the tool does not take is refused
    /// when it is run, as it would be to the model.
    ///
    /// # Errors
    /// No call waits for this answer.
    pub fn edit(&mut self, token: &str, arguments: Value) -> Result<(), NotPending> {
        self.answer(token, Answer::Edited(arguments))
    }

    /// A person does not agree to the call. The model reads why.
    ///
    /// # Errors
    /// No call waits for this answer.
    pub fn refuse(&mut self, token: &str, why: impl Into<String>) -> Result<(), NotPending> {
        self.answer(token, Answer::Refused(why.into()))
    }

    fn answer(&mut self, token: &str, answer: Answer) -> Result<(), NotPending> {
        let pending = self.memory.paused.iter_mut().flat_map(|paused| &mut paused.pending);
        let call = pending.into_iter().find(|call| call.token == token && call.is_open()).ok_or(NotPending)?;
        call.answer = Some(answer);
        Ok(())
    }
}
