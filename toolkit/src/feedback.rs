//! What the model reads of a call that did not succeed: structured, in its language, and something to act on.
//!
//! The message is one JSON object, so that no text of an error or of an argument can pass for the message around it.

mod advice;
mod lines;

use std::borrow::Cow;
use std::time::Duration;

use serde_json::{Map, Value};

pub(crate) use self::advice::Situation;
use self::lines::Lines;
pub(crate) use self::lines::indented;
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

/// How much of each part a message takes. JSON writes some characters as six, so what fits is only known once it is
/// written.
#[derive(Clone, Copy)]
struct Room {
    /// The most characters of one text.
    text: usize,
    /// The most characters of the arguments where they are shown as text.
    echo: usize,
    /// How many problems are told one by one.
    problems: usize,
    expected: bool,
    details: bool,
    /// The arguments are shown as JSON.
    json: bool,
}

impl Room {
    /// From the whole message to the least of it, which fits whatever stands in it. What the model needs to go on, the
    /// class, the outcome and what to do next, is there in each.
    const ALL: [Room; 8] = {
        let whole = Room { text: LONGEST_TEXT, echo: 600, problems: 8, expected: true, details: true, json: true };
        [
            whole,
            Room { expected: false, ..whole },
            Room { expected: false, echo: 200, json: false, ..whole },
            Room { expected: false, echo: 200, json: false, details: false, ..whole },
            Room { text: 300, echo: 200, expected: false, details: false, json: false, ..whole },
            Room { text: 100, echo: 100, expected: false, details: false, json: false, ..whole },
            Room { text: 60, echo: 60, problems: 4, expected: false, details: false, json: false },
            Room { text: 30, echo: 30, problems: 2, expected: false, details: false, json: false },
        ]
    };
}

/// The texts of a message, scrubbed once.
struct Words<'a> {
    tool: Cow<'a, str>,
    reason: Cow<'a, str>,
    problems: Vec<Cow<'a, str>>,
    arguments: Option<Cow<'a, str>>,
}

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
    /// The schemas of what the problems are about, each by its name as it stands two levels deep in the message.
    pub(crate) expected: Vec<(&'a str, Cow<'a, str>)>,
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
            expected: Vec::new(),
            open: false,
        }
    }

    /// The message: at most 2,000 characters, whatever the error says.
    pub(crate) fn render(&self, language: Language) -> String {
        let reason = self.reason(language);
        let words = Words {
            tool: scrub(self.tool),
            reason: scrubbed(&reason),
            problems: self.problems.iter().take(Room::ALL[0].problems).map(|one| scrubbed(one)).collect(),
            arguments: self.arguments.map(scrubbed),
        };
        let expected: usize = self.expected.iter().map(|(_, schema)| schema.len()).sum();
        let mut lines = Lines::with_capacity(700 + expected.min(LONGEST));
        for room in Room::ALL {
            lines.clear();
            self.write(&mut lines, &words, &room, language);
            if !lines.is_longer_than(LONGEST) {
                break;
            }
        }
        lines.into_text()
    }

    fn write(&self, lines: &mut Lines, words: &Words<'_>, room: &Room, language: Language) {
        lines.put_text("error", self.error.class().as_str());
        if !self.tool.is_empty() {
            lines.put_text("tool", &shorten(&words.tool, room.text.min(64)));
        }
        lines.put_text("message", &shorten(&words.reason, room.text));
        if !self.problems.is_empty() {
            let shown: Vec<Cow<'_, str>> =
                words.problems.iter().take(room.problems).map(|one| shorten(one, room.text.min(300))).collect();
            let more = self.problems.len().checked_sub(room.problems).filter(|more| *more > 0);
            let more = more.map(|more| language.pick(|| format!("and {more} more"), || format!("另有 {more} 处问题")));
            lines.put_list("problems", shown.iter().map(|one| &**one).chain(more.as_deref()));
        }
        if let Some(outcome) = self.outcome {
            lines.put_text("outcome", outcome.as_str());
            lines.put("attempts", self.attempts);
        }
        lines.put("may_call_again", self.situation.may_call_again());
        if let Some(wait) = self.error.retry_after_hint() {
            lines.put_value("retry_after_seconds", &seconds(wait));
        }
        if room.details {
            let details: Map<String, Value> =
                self.error.details().map(|(key, value)| (key.to_owned(), tidy(value))).collect();
            if !details.is_empty() {
                lines.put_value("details", &details.into());
            }
        }
        lines.put_text("next", self.situation.advice(language));
        if room.expected && !self.expected.is_empty() {
            lines.put_object("expected", self.expected.iter().map(|(name, schema)| (*name, &**schema)));
        }
        if let Some(arguments) = &words.arguments {
            lines.put_value("arguments", &echo(arguments, room));
        }
        lines.end();
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

fn seconds(wait: Duration) -> Value {
    // Whole seconds as an integer; a fraction is rounded up to the millisecond, never down to an earlier time.
    if wait.subsec_nanos() == 0 {
        return wait.as_secs().into();
    }
    let millis = u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
    Duration::from_millis(millis).as_secs_f64().into()
}

/// The arguments as they are shown: as JSON where they are and there is room, else as the beginning of their text.
fn echo(arguments: &str, room: &Room) -> Value {
    if room.json
        && arguments.chars().count() <= room.text
        && let Ok(value) = serde_json::from_str(arguments)
    {
        return value;
    }
    shorten(arguments, room.echo).into()
}

/// A fact of the error's author, whose texts may hold what a text may hold.
fn tidy(value: &Value) -> Value {
    match value {
        Value::String(text) => shorten(&scrubbed(text), LONGEST_TEXT).into(),
        Value::Array(items) => items.iter().map(tidy).collect(),
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), tidy(value))).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// A text without secrets. Of a very long one only the beginning: no more of it is shown.
pub(crate) fn scrubbed(text: &str) -> Cow<'_, str> {
    const LOOKED_AT: usize = 16_384;
    if text.len() <= LOOKED_AT {
        return scrub(text);
    }
    let end = (0..=LOOKED_AT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let head = &text[..end];
    // Half of a secret may not look like one, so it is cut between two words where there are any.
    let head = head.rfind(char::is_whitespace).map_or(head, |end| &head[..end]);
    Cow::Owned(scrub(head).into_owned() + "…")
}

impl ToolError {
    /// What the model reads of this error where there is no call to speak of.
    pub fn to_llm_message(&self, language: Language) -> String {
        Feedback::new("", self, Situation::of_error(self)).render(language)
    }
}
