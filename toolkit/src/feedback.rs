//! What the model reads of a call that did not succeed: structured, in its language, and something to act on.
//!
//! The message is one JSON object, so that no text of an error or of an argument can pass for the message around it.

mod advice;

use std::borrow::Cow;
use std::time::Duration;

use serde_json::{Map, Value};

pub(crate) use self::advice::Situation;
use crate::arguments::shorten;
use crate::call::Outcome;
use crate::error::ToolError;
use crate::scrub::scrub;

/// The language of the model's messages. Names of fields and classes stay English in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Language {
    pub(crate) fn pick<T>(self, english: impl FnOnce() -> T, chinese: impl FnOnce() -> T) -> T {
        match self {
            Language::En => english(),
            Language::Zh => chinese(),
        }
    }
}

/// The most characters of a message.
const LONGEST: usize = 2_000;
/// The most characters of one text in it.
const LONGEST_TEXT: usize = 600;

/// Everything that a message says.
pub(crate) struct Feedback<'a> {
    pub(crate) tool: &'a str,
    pub(crate) error: &'a ToolError,
    pub(crate) situation: Situation,
    /// What the call did, where there was a call.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) attempts: usize,
    /// The arguments as they came. Left out of a refusal of arguments, which names what is wrong with them.
    pub(crate) arguments: Option<&'a str>,
    pub(crate) problems: &'a [String],
    /// The schemas of what the problems are about.
    pub(crate) expected: Map<String, Value>,
    /// The error's whole text is shown although it is hidden.
    pub(crate) open: bool,
}

impl<'a> Feedback<'a> {
    pub(crate) fn new(tool: &'a str, error: &'a ToolError, situation: Situation) -> Self {
        Self {
            tool,
            error,
            situation,
            outcome: None,
            attempts: 0,
            arguments: None,
            problems: &[],
            expected: Map::new(),
            open: false,
        }
    }

    /// The message: at most 2,000 characters, whatever the error says.
    pub(crate) fn render(&self, language: Language) -> String {
        let mut message = self.object(language, LONGEST_TEXT);
        // What can be done without goes first, in this order; what stays is what the model needs to go on.
        for spare in ["expected", "arguments", "details"] {
            let text = pretty(&message);
            if text.chars().count() <= LONGEST {
                return text;
            }
            message.remove(spare);
        }
        for limit in [300, 100, 30] {
            let text = pretty(&message);
            if text.chars().count() <= LONGEST {
                return text;
            }
            message = self.object(language, limit);
            message.retain(|key, _| !matches!(key.as_str(), "expected" | "arguments" | "details"));
        }
        pretty(&message)
    }

    fn object(&self, language: Language, limit: usize) -> Map<String, Value> {
        let mut message = Map::new();
        let mut put = |key: &str, value: Value| message.insert(key.to_owned(), value);
        put("error", self.error.class().as_str().into());
        put("tool", shorten(self.tool, 64.min(limit)).into());
        let reason = self.reason(language);
        put("message", shorten(&scrub(&reason), limit).into());
        if !self.problems.is_empty() {
            put("problems", problems(self.problems, limit, language));
        }
        if let Some(outcome) = self.outcome {
            put("outcome", outcome.as_str().into());
            put("attempts", self.attempts.into());
        }
        put("may_call_again", self.situation.may_call_again().into());
        if let Some(wait) = self.error.retry_after_hint() {
            put("retry_after_seconds", seconds(wait));
        }
        let details: Map<String, Value> =
            self.error.details().map(|(key, value)| (key.to_owned(), value.clone())).collect();
        if !details.is_empty() {
            put("details", details.into());
        }
        put("next", self.situation.advice(language).into());
        if !self.expected.is_empty() {
            put("expected", self.expected.clone().into());
        }
        if let Some(arguments) = self.arguments {
            put("arguments", echo(arguments, limit));
        }
        message
    }

    /// The words of the failure: the author's own where nothing hides them, else a neutral sentence and where to look.
    fn reason(&self, language: Language) -> Cow<'_, str> {
        if self.open || !self.error.is_hidden() {
            let text = self.error.message().trim();
            if !text.is_empty() {
                return Cow::Borrowed(text);
            }
        }
        let mut text = advice::neutral(self.error.class(), language).to_owned();
        if let Some(reference) = self.error.reference() {
            text += &language
                .pick(|| format!(" (log reference {reference:08x})"), || format!("（日志编号 {reference:08x}）"));
        }
        Cow::Owned(text)
    }
}

fn pretty(message: &Map<String, Value>) -> String {
    serde_json::to_string_pretty(message).unwrap_or_default()
}

fn seconds(wait: Duration) -> Value {
    // Whole seconds as an integer; a fraction is rounded up to the millisecond, never down to an earlier time.
    if wait.subsec_nanos() == 0 {
        return wait.as_secs().into();
    }
    let millis = u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
    Duration::from_millis(millis).as_secs_f64().into()
}

fn problems(all: &[String], limit: usize, language: Language) -> Value {
    const SHOWN: usize = 8;
    let mut list: Vec<Value> = all.iter().take(SHOWN).map(|one| shorten(&scrub(one), limit.min(300)).into()).collect();
    if let Some(more) = all.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        list.push(language.pick(|| format!("and {more} more"), || format!("另有 {more} 处问题")).into());
    }
    Value::Array(list)
}

/// The arguments as they are shown: as JSON where they are, without secrets.
fn echo(arguments: &str, limit: usize) -> Value {
    let clean = scrub(arguments);
    if clean.chars().count() <= limit
        && let Ok(value) = serde_json::from_str(&clean)
    {
        return value;
    }
    shorten(&clean, limit).into()
}

impl ToolError {
    /// What the model reads of this error where there is no call to speak of.
    pub fn to_llm_message(&self, language: Language) -> String {
        Feedback::new("", self, Situation::of_error(self)).render_without_tool(language)
    }
}

impl Feedback<'_> {
    fn render_without_tool(&self, language: Language) -> String {
        let mut message = self.object(language, LONGEST_TEXT);
        message.remove("tool");
        pretty(&message)
    }
}
