//! The errors of this crate: what a call failed with, and what cannot be built.

mod http;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use crate::arguments::Secrets;
use crate::classify::{Classification, Classify, ErrorClass};
use crate::scrub::scrub;

type SharedError = Arc<dyn StdError + Send + Sync + 'static>;

/// Why a call failed: a class, a message and what follows from them.
///
/// A tool may return it as its error type, and every failed attempt of a result holds one.
#[derive(Clone)]
pub struct ToolError(Box<Inner>);

#[derive(Clone)]
struct Inner {
    verdict: Classification,
    message: String,
    source: Option<SharedError>,
    /// Stands in the log beside the raw error, so that a hidden text can be found there.
    reference: Option<u64>,
    /// It has come out of a call, and is the word of the tool that was called.
    of_a_call: bool,
    /// What must not be shown of the source, which stays as it is for the host.
    secrets: Option<Arc<Secrets>>,
}

impl ToolError {
    /// An error of this class with the text that the model reads.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self::judged(Classification::new(class), message.into())
    }

    pub(crate) fn judged(mut verdict: Classification, text: String) -> Self {
        let message = verdict.message.take().map_or(text, Cow::into_owned);
        Self(Box::new(Inner { verdict, message, source: None, reference: None, of_a_call: false, secrets: None }))
    }

    /// How long the service asked to wait.
    #[must_use]
    pub fn retry_after(mut self, wait: impl Into<Option<Duration>>) -> Self {
        self.0.verdict.retry_after = wait.into();
        self
    }

    /// The failed attempt certainly changed nothing.
    #[must_use]
    pub fn no_effect(mut self) -> Self {
        self.0.verdict.no_effect = true;
        // Whoever says it now says it of its own tool.
        self.0.of_a_call = false;
        self
    }

    /// The model sees the class and a safe sentence instead of the message.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.0.verdict.hidden = true;
        self
    }

    /// One more fact for the model, under its own key.
    #[must_use]
    pub fn detail(mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        self.0.verdict.details.push((key.into(), value.into()));
        self
    }

    /// The error behind this one. It goes to the log and to the host, never to the model.
    #[must_use]
    pub fn source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// The same error without these texts in its message and its facts.
    pub(crate) fn without(mut self, secrets: Secrets) -> Self {
        if secrets.is_empty() {
            return self;
        }
        if let Cow::Owned(hidden) = secrets.hide(&self.0.message) {
            self.0.message = hidden;
        }
        self.0.verdict.details.iter_mut().for_each(|(_, value)| secrets.hide_in(value));
        self.0.secrets = Some(Arc::new(secrets));
        self
    }

    /// The same error as it comes out of a call.
    pub(crate) fn out_of_a_call(mut self) -> Self {
        self.0.of_a_call = true;
        self
    }

    /// The same error as the word of the tool that gives it back. Where it is that of a tool which was called from inside, it
    /// says nothing about what the outer one had done before.
    pub(crate) fn given_back(mut self) -> Self {
        if self.0.of_a_call {
            self.0.verdict = self.0.verdict.of_a_part();
        }
        self
    }

    pub(crate) fn with_reference(mut self, reference: u64) -> Self {
        self.0.reference = Some(reference);
        self
    }

    /// The class.
    pub fn class(&self) -> ErrorClass {
        self.0.verdict.class
    }

    /// The text of the failure. The model reads it only where nothing hides it.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the class is one that may be retried.
    pub fn is_retryable(&self) -> bool {
        self.class().is_transient()
    }

    /// How long the service asked to wait.
    pub fn retry_after_hint(&self) -> Option<Duration> {
        self.0.verdict.retry_after
    }

    /// Whether the failed attempt certainly changed nothing.
    pub fn has_no_effect(&self) -> bool {
        self.0.verdict.no_effect
    }

    /// Whether the message is kept from the model.
    pub fn is_hidden(&self) -> bool {
        self.0.verdict.hidden
    }

    /// Whether the error's author stated the class, or it was inferred from a type, a status or a text.
    pub fn is_stated(&self) -> bool {
        self.0.verdict.stated
    }

    /// The further facts, in the order in which they were given.
    pub fn details(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.verdict.details.iter().map(|(key, value)| (key.as_ref(), value))
    }

    pub(crate) fn reference(&self) -> Option<u64> {
        self.0.reference
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

// Errors are printed where nobody thinks of secrets, so the raw source is scrubbed here too.
impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = self.0.source.as_ref().map(|source| {
            let text = format!("{source:?}");
            match &self.0.secrets {
                Some(secrets) => secrets.hide(&text).into_owned(),
                None => text,
            }
        });
        f.debug_struct("ToolError")
            .field("class", &self.class())
            .field("message", &scrub(&self.0.message))
            .field("retry_after", &self.0.verdict.retry_after)
            .field("no_effect", &self.0.verdict.no_effect)
            .field("hidden", &self.0.verdict.hidden)
            .field("source", &source.as_deref().map(scrub))
            .finish_non_exhaustive()
    }
}

impl StdError for ToolError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}

impl Classify for ToolError {
    fn classify(&self) -> Classification {
        let verdict = self.0.verdict.clone();
        if self.0.of_a_call { verdict.of_a_part() } else { verdict }
    }
}

impl Serialize for ToolError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ToolError", 6)?;
        out.serialize_field("class", &self.class())?;
        // A record is kept where nobody thinks of secrets.
        out.serialize_field("message", &scrub(&self.0.message))?;
        out.serialize_field("retry_after", &self.retry_after_hint().map(|wait| wait.as_secs_f64()))?;
        out.serialize_field("no_effect", &self.has_no_effect())?;
        out.serialize_field("hidden", &self.is_hidden())?;
        let details: serde_json::Map<String, Value> =
            self.details().map(|(key, value)| (key.to_owned(), scrubbed(value))).collect();
        out.serialize_field("details", &details)?;
        out.end()
    }
}

/// The value without credentials in its texts.
fn scrubbed(value: &Value) -> Value {
    match value {
        Value::String(text) => scrub(text).into(),
        Value::Array(items) => items.iter().map(scrubbed).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), scrubbed(value))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// Gives any error a class.
pub trait ResultExt<T> {
    /// Turns the error into a [`ToolError`] of this class, with its text as the message and itself as the source.
    ///
    /// # Errors
    /// The error, classified.
    fn class(self, class: ErrorClass) -> Result<T, ToolError>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> ResultExt<T> for Result<T, E> {
    fn class(self, class: ErrorClass) -> Result<T, ToolError> {
        self.map_err(|error| {
            let error = error.into();
            ToolError::new(class, error.to_string()).source(error)
        })
    }
}

/// Why something cannot be built: every problem that was found, not only the first.
#[derive(Clone, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<String>,
}

impl BuildError {
    pub(crate) fn check(problems: Vec<String>) -> Result<(), BuildError> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    /// Every problem, in a fixed order.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl From<String> for BuildError {
    fn from(problem: String) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [only] => f.write_str(only),
            all => {
                write!(f, "{} problems:", all.len())?;
                all.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
            }
        }
    }
}

// `main` prints the `Debug` form of what it returns; a list of sentences is of more use there than a struct.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for BuildError {}
