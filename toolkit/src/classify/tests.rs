//! Real errors of real failures, and the texts that people posted.

mod denied;
mod messages;
mod order;
mod types;
mod words;

use std::error::Error;
use std::fmt;

use super::{Classification, Classify, ErrorClass, ErrorClassifier};
use crate::error::ToolError;

fn classify(error: &(dyn Error + 'static)) -> ToolError {
    ErrorClassifier::standard().classify(error)
}

fn class(error: &(dyn Error + 'static)) -> ErrorClass {
    classify(error).class()
}

/// An error with a text, and maybe a cause.
#[derive(Debug)]
struct Layer {
    text: &'static str,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl Layer {
    fn new(text: &'static str) -> Self {
        Self { text, cause: None }
    }

    fn over(text: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { text, cause: Some(cause.into()) }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl Error for Layer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

/// An error that judges itself.
#[derive(Debug)]
struct Judged {
    text: &'static str,
    verdict: Classification,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl Judged {
    fn new(text: &'static str, verdict: Classification) -> Self {
        Self { text, verdict, cause: None }
    }

    fn over(text: &'static str, verdict: Classification, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { text, verdict, cause: Some(cause.into()) }
    }
}

impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl Error for Judged {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn Error + 'static))
    }
}

impl Classify for Judged {
    fn classify(&self) -> Classification {
        self.verdict.clone()
    }
}

/// An error that hands over to its cause.
#[derive(Debug)]
struct Handing {
    text: &'static str,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

impl Handing {
    fn to(text: &'static str, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { text, cause: Some(cause.into()) }
    }
}

impl fmt::Display for Handing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl Error for Handing {}

impl Classify for Handing {
    fn classify(&self) -> Classification {
        Classification::new(ErrorClass::Unknown)
    }

    /// Its cause, or itself where it has none.
    fn delegate(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.cause.as_deref().map_or(self, |cause| cause as &(dyn Error + 'static)))
    }
}
