//! What cannot be exported, and what cannot be read.

use std::error::Error as StdError;
use std::fmt;

use super::Provider;
use super::dialect::Rule;
use crate::arguments::shorten;
use crate::scrub::scrub;

/// Why tools cannot be sent to a provider: every problem of every tool, not only the first.
///
/// A provider refuses the whole request for one bad tool, and often names one problem a request.
#[derive(Clone)]
pub struct ExportError {
    provider: Provider,
    problems: Vec<ExportProblem>,
}

impl ExportError {
    pub(super) fn check(provider: Provider, problems: Vec<ExportProblem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { provider, problems }) }
    }

    /// Every problem, in the order of the tools.
    pub fn problems(&self) -> &[ExportProblem] {
        &self.problems
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} would refuse the tools", self.provider)?;
        match self.problems.as_slice() {
            [only] => write!(f, ": {only}"),
            all => all.iter().try_for_each(|problem| write!(f, "\n- {problem}")),
        }
    }
}

// `main` prints the `Debug` form of what it returns; a list of sentences is of more use there than a struct.
impl fmt::Debug for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for ExportError {}

/// One thing that a provider is known to refuse, or to take only in places.
#[derive(Clone, Debug)]
pub struct ExportProblem {
    tool: Option<String>,
    path: String,
    found: String,
    rule: &'static Rule,
}

impl ExportProblem {
    pub(super) fn new(tool: Option<&str>, path: String, found: String, rule: &'static Rule) -> Self {
        Self { tool: tool.map(str::to_owned), path, found, rule }
    }

    /// The tool, by its name in the registry. `None` where all tools together are the problem.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// The place in the tool's schema as a JSON Pointer such as `#/properties/tags`; empty where no schema is at fault.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What the provider asks for.
    pub fn rule(&self) -> &str {
        self.rule.text
    }

    /// Where the rule comes from: a specification, or a public report that quotes the provider's refusal.
    pub fn source(&self) -> &str {
        self.rule.source
    }

    /// When the rule was last looked up, such as `2026-11-30`.
    pub fn date(&self) -> &str {
        self.rule.date
    }
}

impl fmt::Display for ExportProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tool) = &self.tool {
            write!(f, "tool `{tool}`")?;
            if !self.path.is_empty() {
                write!(f, " at {}", self.path)?;
            }
            f.write_str(": ")?;
        }
        if !self.found.is_empty() {
            write!(f, "{}: ", self.found)?;
        }
        let Rule { text, source, date } = self.rule;
        write!(f, "{text} ({source}, as of {date})")
    }
}

/// Why a response body is not a reply of the provider's.
///
/// A reply that holds unreadable *calls* is no such error: those become calls that fail, so that each gets its answer.
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError {
    provider: Provider,
    problem: String,
    reported: Option<String>,
}

impl ParseError {
    pub(super) fn new(provider: Provider, problem: String) -> Self {
        Self { provider, problem, reported: None }
    }

    /// The provider itself says that something went wrong. Its texts quote requests, keys included.
    pub(super) fn reported(provider: Provider, message: &str) -> Self {
        let message = shorten(&scrub(message.trim()), 300).into_owned();
        Self { provider, problem: format!("the provider reports an error: {message}"), reported: Some(message) }
    }

    /// The provider's own words, shortened and without secrets, where it reported an error.
    pub fn provider_message(&self) -> Option<&str> {
        self.reported.as_deref()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the body is no reply of {}: {}", self.provider, self.problem)
    }
}

impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for ParseError {}
