//! What became of a call.

use std::fmt;
use std::time::Duration;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use crate::arguments::shorten;
use crate::confirmation::Confirmation;
use crate::error::ToolError;
use crate::feedback::{Language, scrubbed};
use crate::output::ToolOutput;
use crate::retry::StopReason;

/// What a call did to the world, all its attempts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It did what it was asked to do.
    Succeeded,
    /// It ran and was turned down or broke, and nothing is in doubt.
    Failed,
    /// Nothing was run, or all that ran certainly changed nothing.
    NotExecuted,
    /// It may have taken effect: check before it is repeated.
    Unknown,
}

impl Outcome {
    /// The name in `snake_case`, as it stands in messages and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::Succeeded => "succeeded",
            Outcome::Failed => "failed",
            Outcome::NotExecuted => "not_executed",
            Outcome::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One time that the tool's body ran.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub(crate) number: u32,
    pub(crate) started: Duration,
    pub(crate) duration: Duration,
    pub(crate) error: Option<ToolError>,
    pub(crate) delay: Option<Duration>,
}

impl Attempt {
    /// Its number, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// How long after the beginning of the call it started.
    pub fn started(&self) -> Duration {
        self.started
    }

    /// How long it ran.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// What it failed with.
    pub fn error(&self) -> Option<&ToolError> {
        self.error.as_ref()
    }

    /// The sleep that followed, where another attempt was made.
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }
}

/// The attempts of a call. Nearly every call has one, which then needs no list.
#[derive(Clone, Debug)]
pub(crate) enum Attempts {
    Some(Vec<Attempt>),
    One(Attempt),
}

/// The attempts that most calls end within, once they need a second one.
const USUAL: usize = 4;

impl Default for Attempts {
    fn default() -> Self {
        Self::none()
    }
}

impl Attempts {
    #[inline]
    pub(crate) const fn none() -> Self {
        Self::Some(Vec::new())
    }

    #[inline]
    pub(crate) fn push(&mut self, attempt: Attempt) {
        match self {
            Self::Some(list) if list.is_empty() => *self = Self::One(attempt),
            Self::Some(list) => list.push(attempt),
            Self::One(_) => {
                if let Self::One(first) = std::mem::take(self) {
                    let mut list = Vec::with_capacity(USUAL);
                    list.extend([first, attempt]);
                    *self = Self::Some(list);
                }
            }
        }
    }

    pub(crate) fn as_slice(&self) -> &[Attempt] {
        match self {
            Self::Some(list) => list,
            Self::One(attempt) => std::slice::from_ref(attempt),
        }
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Attempt> {
        match self {
            Self::Some(list) => list.last_mut(),
            Self::One(attempt) => Some(attempt),
        }
    }
}

/// A change that made unusual arguments readable, without changing what they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    pub(crate) path: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: RepairKind,
}

/// What kind of repair it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// The text around or of the JSON: a fence, an encoding, what follows the object.
    Text,
    /// The name of the tool, with a prefix or in another spelling.
    Name,
    /// A key in another spelling.
    Key,
    /// A value in another type: a number in quotes.
    Value,
}

impl Repair {
    /// Where: the path of the value, such as `attendees[1].email`; empty for the whole.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What came, shortened.
    pub fn from(&self) -> &str {
        &self.from
    }

    /// What it became, shortened.
    pub fn to(&self) -> &str {
        &self.to
    }

    /// What kind of repair it was.
    pub fn kind(&self) -> RepairKind {
        self.kind
    }
}

/// What became of a call. It always is a result: a call neither returns an error nor panics.
#[derive(Clone, Debug)]
pub struct ToolResult {
    call_id: String,
    name: String,
    output: Option<ToolOutput>,
    attempts: Attempts,
    outcome: Outcome,
    duration: Duration,
    rest: Option<Box<Rest>>,
}

/// What a call that succeeded at once does not have.
#[derive(Clone, Debug, Default)]
struct Rest {
    /// What the model reads, where it is not the whole output.
    text: Option<String>,
    /// Why no attempt was made.
    refusal: Option<ToolError>,
    repairs: Vec<Repair>,
    stop: Option<StopReason>,
    /// The question that a person has to answer.
    confirmation: Option<Confirmation>,
}

/// What the executor knows of a call when it has ended.
#[derive(Default)]
pub(crate) struct Parts {
    pub(crate) call_id: String,
    pub(crate) name: String,
    pub(crate) attempts: Attempts,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) duration: Duration,
}

impl ToolResult {
    /// A call that did what it was asked to; `text` where the model reads less than the whole output.
    #[inline]
    pub(crate) fn succeeded(parts: Parts, output: ToolOutput, text: Option<String>) -> Self {
        let rest = (text.is_some() || !parts.repairs.is_empty())
            .then(|| Box::new(Rest { text, repairs: parts.repairs, ..Rest::default() }));
        Self {
            call_id: parts.call_id,
            name: parts.name,
            output: Some(output),
            attempts: parts.attempts,
            outcome: Outcome::Succeeded,
            duration: parts.duration,
            rest,
        }
    }

    /// A call that failed or was refused; `refusal` where the reason is not the last attempt's error.
    pub(crate) fn failed(
        parts: Parts,
        outcome: Outcome,
        stop: StopReason,
        refusal: Option<ToolError>,
        text: String,
    ) -> Self {
        let rest = Rest { text: Some(text), refusal, repairs: parts.repairs, stop: Some(stop), confirmation: None };
        Self {
            call_id: parts.call_id,
            name: parts.name,
            output: None,
            attempts: parts.attempts,
            outcome,
            duration: parts.duration,
            rest: Some(Box::new(rest)),
        }
    }

    /// A call that was broken off, in neutral words: nobody did anything wrong.
    pub(crate) fn cancelled(call_id: String, name: String, begun: bool, language: Language) -> Self {
        let (outcome, words) = if begun {
            let english = "The call was cancelled while it ran. It may have taken effect: check before repeating it.";
            (Outcome::Unknown, (english, "调用在执行过程中被取消。操作可能已经生效：重复之前请先核实。"))
        } else {
            (Outcome::NotExecuted, ("The call was cancelled before it ran.", "调用在执行之前被取消。"))
        };
        let message = language.pick(|| words.0, || words.1);
        let stop = StopReason::Cancelled;
        let text = serde_json::json!({
            "stop": stop.as_str(), "tool": shorten(&scrubbed(&name), 64), "message": message, "outcome": outcome.as_str(),
        });
        let parts = Parts { call_id, name, ..Parts::default() };
        Self::failed(parts, outcome, stop, None, format!("{text:#}"))
    }

    /// The id of the call.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// The name of the tool, as the model wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the tool did what it was asked to.
    pub fn is_success(&self) -> bool {
        self.output.is_some()
    }

    /// What the model reads, whether the call succeeded or not. Never blank.
    pub fn text(&self) -> &str {
        if let Some(text) = self.rest.as_ref().and_then(|rest| rest.text.as_deref()) {
            return text;
        }
        match &self.output {
            Some(output) if !output.as_text().trim().is_empty() => output.as_text(),
            _ => "(no output)",
        }
    }

    /// What the tool gave back, whole.
    pub fn output(&self) -> Option<&ToolOutput> {
        self.output.as_ref()
    }

    /// What the tool gave back as a JSON value: words are a JSON string.
    pub fn value(&self) -> Option<&Value> {
        self.output.as_ref().map(ToolOutput::value)
    }

    /// Why the call failed: the last real error, or why it was not run. A call that was cancelled did not fail.
    pub fn error(&self) -> Option<&ToolError> {
        if self.is_success() {
            return None;
        }
        let refusal = self.rest.as_ref().and_then(|rest| rest.refusal.as_ref());
        refusal.or_else(|| self.attempts().last().and_then(Attempt::error))
    }

    /// Every attempt, in order. Empty where nothing was run.
    pub fn attempts(&self) -> &[Attempt] {
        self.attempts.as_slice()
    }

    /// What was repaired in the arguments.
    pub fn repairs(&self) -> &[Repair] {
        self.rest.as_ref().map_or(&[], |rest| &rest.repairs)
    }

    /// Why no further attempt was made. `None` where the call succeeded.
    pub fn stop(&self) -> Option<StopReason> {
        self.rest.as_ref().and_then(|rest| rest.stop)
    }

    /// The question that a person has to answer before the call runs, where there is one.
    pub fn confirmation(&self) -> Option<&Confirmation> {
        self.rest.as_ref().and_then(|rest| rest.confirmation.as_ref())
    }

    /// What the model reads, where it is not the whole output.
    pub(crate) fn shown(&self) -> Option<&str> {
        self.rest.as_ref()?.text.as_deref()
    }

    /// Why no attempt was made.
    pub(crate) fn refusal(&self) -> Option<&ToolError> {
        self.rest.as_ref()?.refusal.as_ref()
    }

    /// The model reads one more sentence, before the rest.
    pub(crate) fn prepend(&mut self, sentence: &str) {
        let text = format!("{sentence}\n{}", self.text());
        self.rest.get_or_insert_default().text = Some(text);
    }

    /// The same result under the name that the model called the tool by.
    pub(crate) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    pub(crate) fn asking(mut self, confirmation: Option<Confirmation>) -> Self {
        if let Some(rest) = &mut self.rest {
            rest.confirmation = confirmation;
        }
        self
    }

    /// What the call did to the world.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// How long the call took, waits included.
    pub fn duration(&self) -> Duration {
        self.duration
    }
}

impl Serialize for ToolResult {
    /// The whole record, for logs and for storing: ids, outcome, text, error and every attempt. Times are in seconds.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ToolResult", 8)?;
        out.serialize_field("call_id", &self.call_id)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("outcome", self.outcome.as_str())?;
        out.serialize_field("stop", &self.stop().map(StopReason::as_str))?;
        out.serialize_field("text", self.text())?;
        out.serialize_field("error", &self.error())?;
        out.serialize_field("attempts", self.attempts())?;
        out.serialize_field("duration", &self.duration.as_secs_f64())?;
        out.end()
    }
}

impl Serialize for Attempt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Attempt", 5)?;
        out.serialize_field("number", &self.number)?;
        out.serialize_field("started", &self.started.as_secs_f64())?;
        out.serialize_field("duration", &self.duration.as_secs_f64())?;
        out.serialize_field("error", &self.error)?;
        out.serialize_field("delay", &self.delay.map(|delay| delay.as_secs_f64()))?;
        out.end()
    }
}
