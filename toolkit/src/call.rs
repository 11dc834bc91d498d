//! A call of a tool as it comes in, and the result that goes back.

mod result;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

pub use self::result::{Attempt, Outcome, Repair, RepairKind, ToolResult};
pub(crate) use self::result::{Attempts, Parts};

/// One call of a tool: what the model asked for, and what the host knows of it.
#[derive(Clone, Debug)]
pub struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
    /// What few calls have, kept out of the way of the others.
    pub(crate) options: Option<Box<Options>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) confirmed: bool,
    pub(crate) confirmation: Option<String>,
    pub(crate) deadline: Option<Duration>,
    /// The reply broke off inside this call or beside it, so that nobody knows what was meant.
    pub(crate) cut_off: bool,
}

impl ToolCall {
    /// A call of the tool with this name. The arguments are a JSON value, or the raw text that the model sent.
    pub fn new(name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        Self { id: String::new(), name: name.into(), arguments: arguments.into(), options: None }
    }

    /// The id by which the provider matches the result to the call.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    /// A call that the host itself makes or answers for: nobody is asked any more. Never read from the model.
    #[must_use]
    pub fn confirmed(mut self, confirmed: bool) -> Self {
        self.options_mut().confirmed = confirmed;
        self
    }

    /// The token of the [`Confirmation`](crate::Confirmation) that a person has answered with yes. Never read from the
    /// model.
    #[must_use]
    pub fn confirmation(mut self, token: impl Into<String>) -> Self {
        self.options_mut().confirmation = Some(token.into());
        self
    }

    /// The time from now in which the whole call must end, all attempts and waits together.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.options_mut().deadline = Some(deadline);
        self
    }

    /// The reply that held this call was cut off: it is answered and not run.
    #[must_use]
    pub(crate) fn cut_off(mut self) -> Self {
        self.options_mut().cut_off = true;
        self
    }

    fn options_mut(&mut self) -> &mut Options {
        self.options.get_or_insert_default()
    }

    /// The id by which the provider matches the result to the call.
    pub fn call_id(&self) -> &str {
        &self.id
    }

    /// The name of the tool, as the model wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as they came.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }
}

/// The arguments of a call: a JSON value, or the text that the model sent. Both behave the same.
///
/// Exact input runs as it is. Else what has one reading that the schema asks for is read that way and recorded in
/// [`ToolResult::repairs`]; everything else is refused, with all that is wrong. A tool of [`Category::Dangerous`] and
/// [`RepairMode::Off`] take exact input only.
///
/// [`Category::Dangerous`]: crate::Category::Dangerous
/// [`RepairMode::Off`]: crate::RepairMode::Off
#[doc = include_str!("arguments/TABLE.md")]
#[derive(Clone)]
pub struct Arguments(Form);

#[derive(Clone)]
enum Form {
    Raw(String),
    Value(Box<Value>),
}

impl Arguments {
    /// The text that the model sent, whatever it is.
    pub fn raw(text: impl Into<String>) -> Self {
        Self(Form::Raw(text.into()))
    }

    /// The arguments as text.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Form::Raw(text) => Cow::Borrowed(text),
            Form::Value(value) => Cow::Owned(value.to_string()),
        }
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self(Form::Value(Box::new(value)))
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::raw(text)
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::raw(text)
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
