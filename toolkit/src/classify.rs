//! What a failure means: the ten classes, and the verdict on one error.
//!
//! A wrong class retries what must not be retried, or gives up what would have worked. So the error's own
//! [`Classify`] speaks first, then the types in its chain, then the status it carries, and the words of its message last.

mod chain;
#[cfg(any(feature = "reqwest", feature = "rusqlite", feature = "sqlx", feature = "tonic"))]
mod crates;
mod http;
mod io;
mod message;
mod registered;
mod standard;
#[cfg(test)]
mod table;
#[cfg(test)]
mod tests;
mod types;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

pub(crate) use self::chain::{before_backtrace, line_of};
pub(crate) use self::http::class_of_status;
pub use self::registered::{Entry, EntryOfAny, Known};
pub use self::standard::ErrorClassifier;

/// What kind of failure an error is. It decides whether the call is tried again and what the model is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorClass {
    /// No answer within the time. Transient.
    Timeout,
    /// The connection failed or broke. Transient.
    Network,
    /// Too many requests. Transient.
    RateLimit,
    /// The service is down or overloaded. Transient.
    ServiceUnavailable,
    /// What was asked for cannot be done as asked. Permanent.
    InvalidArgument,
    /// Not allowed, not paid, not signed in. Permanent.
    PermissionDenied,
    /// What was asked for is not there. Permanent.
    NotFound,
    /// It clashes with the state of things. Permanent.
    Conflict,
    /// A fault of the tool or of what it depends on. Permanent.
    Internal,
    /// Nothing is known about it. Permanent.
    Unknown,
}

impl ErrorClass {
    /// Every class, the transient ones first.
    pub const ALL: [ErrorClass; 10] = [
        ErrorClass::Timeout,
        ErrorClass::Network,
        ErrorClass::RateLimit,
        ErrorClass::ServiceUnavailable,
        ErrorClass::InvalidArgument,
        ErrorClass::PermissionDenied,
        ErrorClass::NotFound,
        ErrorClass::Conflict,
        ErrorClass::Internal,
        ErrorClass::Unknown,
    ];

    /// The name in `snake_case`, as it stands in messages, logs and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorClass::Timeout => "timeout",
            ErrorClass::Network => "network",
            ErrorClass::RateLimit => "rate_limit",
            ErrorClass::ServiceUnavailable => "service_unavailable",
            ErrorClass::InvalidArgument => "invalid_argument",
            ErrorClass::PermissionDenied => "permission_denied",
            ErrorClass::NotFound => "not_found",
            ErrorClass::Conflict => "conflict",
            ErrorClass::Internal => "internal",
            ErrorClass::Unknown => "unknown",
        }
    }

    /// Whether a later attempt may succeed where this one failed. Only these four classes are ever retried.
    pub const fn is_transient(self) -> bool {
        matches!(
            self,
            ErrorClass::Timeout | ErrorClass::Network | ErrorClass::RateLimit | ErrorClass::ServiceUnavailable
        )
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A text that names no [`ErrorClass`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownErrorClass(String);

impl fmt::Display for UnknownErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an error class; the classes are ", self.0)?;
        for (index, class) in ErrorClass::ALL.into_iter().enumerate() {
            write!(f, "{}`{class}`", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownErrorClass {}

impl FromStr for ErrorClass {
    type Err = UnknownErrorClass;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        ErrorClass::ALL
            .into_iter()
            .find(|class| class.as_str() == text)
            .ok_or_else(|| UnknownErrorClass(text.to_owned()))
    }
}

impl Serialize for ErrorClass {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorClass {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The verdict on one failure.
///
/// ```
/// use std::time::Duration;
/// use toolkit::{Classification, ErrorClass};
///
/// let verdict = Classification::new(ErrorClass::RateLimit).retry_after(Duration::from_secs(7)).no_effect();
/// assert_eq!(verdict.class(), ErrorClass::RateLimit);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Classification {
    pub(crate) class: ErrorClass,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) no_effect: bool,
    pub(crate) hidden: bool,
    /// Said by the author of the error, and not inferred from a type or a text.
    pub(crate) stated: bool,
    pub(crate) message: Option<Cow<'static, str>>,
    pub(crate) details: Vec<(Cow<'static, str>, Value)>,
}

impl Classification {
    /// A verdict of this class. The failed attempt may have had an effect, and the model reads the error's text.
    pub const fn new(class: ErrorClass) -> Self {
        Self {
            class,
            retry_after: None,
            no_effect: false,
            hidden: false,
            stated: true,
            message: None,
            details: Vec::new(),
        }
    }

    /// A verdict that no author stated: inferred from a type, a status or a text.
    pub(crate) fn inferred(class: ErrorClass) -> Self {
        Self { stated: false, ..Self::new(class) }
    }

    /// How long the service asked to wait: the next attempt comes no earlier.
    #[must_use]
    pub fn retry_after(mut self, wait: impl Into<Option<Duration>>) -> Self {
        self.retry_after = wait.into();
        self
    }

    /// The failed attempt certainly changed nothing, so that a tool which is not idempotent may be tried again.
    ///
    /// Say it only of the tool as a whole: a refused connection in step two says nothing about step one.
    #[must_use]
    pub fn no_effect(mut self) -> Self {
        self.no_effect = true;
        self
    }

    /// The model sees the class and a safe sentence instead of the error's text.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// What the model reads instead of the error's text.
    #[must_use]
    pub fn message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// One more fact for the model, under its own key.
    #[must_use]
    pub fn detail(mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        self.details.push((key.into(), value.into()));
        self
    }

    /// The class.
    pub const fn class(&self) -> ErrorClass {
        self.class
    }

    /// How long the service asked to wait.
    pub const fn retry_after_hint(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Whether the failed attempt certainly changed nothing.
    pub const fn has_no_effect(&self) -> bool {
        self.no_effect
    }

    /// Whether the error's text is kept from the model.
    pub const fn is_hidden(&self) -> bool {
        self.hidden
    }
}

/// An error that says what each of its failures means. Derive it: `#[derive(Classify)]`.
#[diagnostic::on_unimplemented(
    message = "the error type `{Self}` does not say what its failures mean",
    note = "add `#[derive(Classify)]` to `{Self}` and a `#[class(…)]` to each variant"
)]
pub trait Classify: std::error::Error + 'static {
    /// The verdict on this failure.
    fn classify(&self) -> Classification;

    /// Another error to judge instead of this one, by the executor's [`ErrorClassifier`].
    fn delegate(&self) -> Option<&(dyn std::error::Error + 'static)> {
        None
    }
}
