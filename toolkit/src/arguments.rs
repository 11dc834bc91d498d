//! The careful way in, for arguments that are not exact: read, repair what the schema itself asks for, and name
//! everything that is wrong.
//!
//! What a repair changes is the encoding and never the meaning: a wrong tool, a wrong value or a missing fact is the
//! model's to mend. The repaired text is decoded by the same decoder as exact input, so that no type is read twice over.

mod check;
mod name;
mod node;
mod number;
mod read;
mod secrets;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde_json::Value;

pub(crate) use self::name::meant;
use self::node::Node;
pub(crate) use self::number::range_of;
pub(crate) use self::secrets::Secrets;
use crate::call::Repair;
use crate::feedback::Language;
use crate::parameter::{Bad, Param};
use crate::tool::{Category, ToolSpec};

/// The most bytes that are read at all.
pub(crate) const LONGEST: usize = 1 << 20;

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
pub(crate) struct Repaired {
    pub(crate) text: String,
    pub(crate) repairs: Vec<Repair>,
    /// Keys deep inside that the schema does not know. The type may, under another name; else they are problems.
    unknown: Vec<String>,
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
        Self { mode, language, secret: spec.params().iter().any(|param| param.secret) }
    }

    fn repairs(self) -> bool {
        self.mode == RepairMode::Lossless
    }
}

/// Reads arguments that the exact way refused.
///
/// # Errors
/// Every problem that was found.
pub(crate) fn mend(spec: &ToolSpec, text: &str, reading: Reading) -> Result<Repaired, Refusal> {
    let mut repairs = Vec::new();
    let node = read::read(text, reading, &mut repairs).map_err(|unreadable| Refusal {
        problems: vec![unreadable.problem],
        expected: Vec::new(),
        cut_off: unreadable.cut_off,
    })?;
    check::check(spec, node, reading, repairs)
}

/// What the decoder found wrong although the schema had nothing against it: a rule of the type's own.
pub(crate) fn refused(spec: &ToolSpec, repaired: Repaired, bad: &Bad, language: Language) -> Refusal {
    let named = |index: usize| spec.params().get(index).map_or(("", false), |param| (param.name, param.secret));
    match bad {
        Bad::Value(index, error) if repaired.unknown.is_empty() => {
            let (name, secret) = named(*index);
            let error = error.to_string();
            let reason = if secret { SECRET } else { plain(&error) };
            let problem = language.pick(|| format!("`{name}`: {reason}"), || format!("`{name}`：{reason}"));
            Refusal { problems: vec![problem], expected: vec![name.to_owned()], cut_off: false }
        }
        _ if !repaired.unknown.is_empty() => {
            Refusal { problems: repaired.unknown, expected: repaired.concerned, cut_off: false }
        }
        Bad::Ignored(index) | Bad::Limit(index) => {
            let (name, _) = named(*index);
            let problem =
                language.pick(|| format!("`{name}` does not match its schema"), || format!("`{name}` 不符合其 schema"));
            Refusal { problems: vec![problem], expected: vec![name.to_owned()], cut_off: false }
        }
        _ => unclear(spec, language),
    }
}

/// Arguments that not everybody reads, whom they concern.
pub(crate) fn unclear(spec: &ToolSpec, language: Language) -> Refusal {
    let problem = language.pick(
        || "the arguments are not one JSON object as the schema asks for".to_owned(),
        || "参数不是符合 schema 的单个 JSON 对象".to_owned(),
    );
    Refusal { problems: vec![problem], expected: required(spec), cut_off: false }
}

/// serde's words without its position, which counts from a place that the model does not see.
fn plain(error: &str) -> &str {
    error.rsplit_once(" at line ").map_or(error, |(words, _)| words)
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

/// The names of a tool's secret parameters.
pub(crate) fn secret_names(spec: &ToolSpec) -> Vec<&'static str> {
    spec.params().iter().filter(|param| param.secret).map(|param| param.name).collect()
}

/// A value as it is shown in a message: short, on one line.
fn shown(value: &Node) -> String {
    let text = value.to_string();
    shorten(&text, 200).into_owned()
}

/// At most so many characters of a text, with a mark where something is missing.
pub(crate) fn shorten(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The name nearest to what was written, where one is near.
pub(crate) fn nearest<'a>(written: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = written.to_lowercase();
    names
        .map(|name| (distance(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance * 5 <= name.chars().count().max(wanted.chars().count()) * 2)
        .min()
        .map(|(_, name)| name)
}

/// How many characters have to be put in, left out, changed or swapped to make one text of the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

/// Whether two keys are one but for case, `_`, `-` and spaces.
pub(crate) fn same_key(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
    };
    letters(a) == letters(b)
}

fn parameter<'a>(spec: &'a ToolSpec, name: &str) -> Option<&'a Param> {
    spec.params().iter().find(|param| param.name == name)
}
