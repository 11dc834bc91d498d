//! The careful way in, for arguments that are not exact: read, repair what the schema itself asks for, and name
//! everything that is wrong.
//!
//! What a repair changes is the encoding and never the meaning: a wrong tool, a wrong value or a missing fact is the
//! model's to mend. The repaired text is decoded by the same decoder as exact input, so that no type is read twice over.

mod aliases;
mod canonical;
mod check;
mod name;
mod near;
mod node;
mod number;
mod read;
mod secrets;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;

use serde_json::Value;

pub(crate) use self::canonical::canonical;
use self::check::Checked;
pub(crate) use self::check::is_checked_here;
pub(crate) use self::name::meant;
pub(crate) use self::near::{nearest, same_key};
pub(crate) use self::node::Node;
pub(crate) use self::number::range_of;
pub(crate) use self::secrets::Secrets;
pub(crate) use self::words::refused;
use crate::call::Repair;
use crate::feedback::Language;
use crate::parameter::{Bad, Param};
use crate::tool::{Category, ToolSpec};

/// The most bytes that are read at all.
pub(crate) const LONGEST: usize = 1 << 20;

/// The most characters of one problem.
const LONGEST_PROBLEM: usize = 300;

/// Whether unusual arguments are repaired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepairMode {
    /// What can be read in one way only is read that way, and recorded.
    #[default]
    Lossless,
    /// Exact input only.
    Off,
}

/// Arguments that can be decoded, and what was done to them.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) text: String,
    pub(crate) repairs: Vec<Repair>,
    /// Values that no schema lists. Their type may know them by another name, which decoding tells; else they are
    /// problems.
    unlisted: Vec<String>,
    concerned: Vec<String>,
}

/// Why arguments were refused: every problem, one sentence each.
#[derive(Debug, Default)]
pub(crate) struct Refusal {
    pub(crate) problems: Vec<String>,
    /// The parameters that the problems are about, whose schemas are shown.
    pub(crate) expected: Vec<String>,
    /// The text ends in the middle: nobody knows what was meant.
    pub(crate) cut_off: bool,
}

/// How the arguments of one call are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) mode: RepairMode,
    pub(crate) language: Language,
    /// Whether there are values that must not be shown, which cannot be told apart before the text is read.
    pub(crate) secret: bool,
}

impl Reading {
    /// A tool that cannot be undone takes exact input only, whatever the mode.
    pub(crate) fn of(spec: &ToolSpec, mode: RepairMode, language: Language) -> Self {
        let mode = if spec.category() == Category::Dangerous { RepairMode::Off } else { mode };
        Self { mode, language, secret: spec.secrets().next().is_some() }
    }

    fn repairs(self) -> bool {
        self.mode == RepairMode::Lossless
    }
}

/// Reads arguments that the exact way refused, and why it did. `decode` reads a text into the types of the tool, and says
/// what is wrong.
///
/// # Errors
/// Every problem that was found.
pub(crate) fn mend(
    spec: &ToolSpec,
    text: &str,
    exact: &Bad,
    reading: Reading,
    decode: impl Fn(&str) -> Option<Bad>,
) -> Result<Repaired, Refusal> {
    let mut repairs = Vec::new();
    let node = read::read(text, reading, &mut repairs).map_err(|unreadable| Refusal {
        problems: vec![unreadable.problem],
        expected: Vec::new(),
        cut_off: unreadable.cut_off,
    })?;
    let mut checked = check::check(spec, node, reading, repairs)?;
    if aliases::rename(spec, &mut checked, exact, decode) {
        checked = check::check(spec, checked.node, reading, checked.repairs)?;
    }
    let Checked { node, repairs, mut problems, strangers, unlisted, concerned } = checked;
    problems.extend(strangers.into_iter().map(|stranger| stranger.words));
    if !problems.is_empty() {
        problems.extend(unlisted);
        return Err(Refusal { problems, expected: concerned, cut_off: false });
    }
    let text = node.to_string();
    let invalid = spec.invalid(&text);
    if invalid.is_empty() {
        Ok(Repaired { text, repairs, unlisted, concerned })
    } else {
        Err(words::invalid(spec, invalid, reading.language))
    }
}

fn required(spec: &ToolSpec) -> Vec<String> {
    spec.params().iter().filter(|param| param.is_required()).map(|param| param.name.to_owned()).collect()
}

/// Stands for a value that must not be shown.
const SECRET: &str = "[secret]";

/// The arguments as messages show them: without the values that stand under these names.
pub(crate) fn without_secrets<'a>(names: &[&str], text: &'a str) -> Cow<'a, str> {
    if names.is_empty() {
        return Cow::Borrowed(text);
    }
    let Ok(Value::Object(mut object)) = serde_json::from_str(text) else { return Cow::Borrowed(SECRET) };
    for (name, value) in &mut object {
        if names.iter().any(|secret| same_key(secret, name)) {
            *value = SECRET.into();
        }
    }
    Cow::Owned(Value::Object(object).to_string())
}

/// A value that is written as models write JSON; `None` where it cannot be read.
pub(crate) fn tolerant(text: &str) -> Option<Node<'_>> {
    read::plain(text)
}

/// Whether a text ends in the middle of its value.
pub(crate) fn breaks_off(text: &str) -> bool {
    read::breaks_off(text)
}

/// The names of a tool's secret arguments.
pub(crate) fn secret_names(spec: &ToolSpec) -> Vec<&str> {
    spec.secrets().collect()
}

/// Arguments that not everybody reads, whom they concern.
pub(crate) fn unclear(spec: &ToolSpec, language: Language) -> Refusal {
    let problem = language.pick(
        || "the arguments are not one JSON object as the schema asks for".to_owned(),
        || "参数不是符合 schema 的单个 JSON 对象".to_owned(),
    );
    Refusal { problems: vec![problem], expected: required(spec), cut_off: false }
}

/// At most so many characters of a text, with a mark where something is missing.
pub(crate) fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn parameter<'a>(spec: &'a ToolSpec, name: &str) -> Option<&'a Param> {
    spec.params().iter().find(|param| param.name == name)
}
