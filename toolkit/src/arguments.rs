//! The careful way in, for arguments that are not exact: read, repair what the schema itself asks for, and name
//! everything that is wrong.
//!
//! What a repair changes is the encoding and never the meaning: a wrong tool, a wrong value or a missing fact is the
//! model's to mend. The repaired text is decoded by the same decoder as exact input, so that no type is read twice over.

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
pub(crate) use self::check::is_checked_here;
use self::check::{Checked, Stranger};
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

/// Reads arguments that the exact way refused. `decode` reads a text into the types of the tool, and says what is wrong.
///
/// # Errors
/// Every problem that was found.
pub(crate) fn mend(
    spec: &ToolSpec,
    text: &str,
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
    if rename_aliases(&mut checked, decode) {
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

/// Puts the names of the schema in the place of other names that a type goes by, which only the type knows: it refuses
/// such a key the second time, and says whose it is. Whether there was one.
fn rename_aliases(checked: &mut Checked, decode: impl Fn(&str) -> Option<Bad>) -> bool {
    /// A type has few other names, and a text may hold many keys that are none.
    const ASKED: usize = 16;
    /// Nor are long ones read again and again.
    const BYTES: usize = 16 << 20;
    if checked.strangers.is_empty() {
        return false;
    }
    let mut read = 0;
    let mut twice = |node: &Node| {
        let text = if read < BYTES { node.to_string() } else { String::new() };
        read += text.len();
        match decode(&text) {
            Some(Bad::Value(_, error)) => words::duplicate(&error.to_string()),
            _ => None,
        }
    };
    // Where a name stands twice already, the answers would be about that one.
    if twice(&checked.node).is_some() {
        return false;
    }
    let mut renamed = false;
    let mut known: Vec<(usize, &str, Option<String>)> = Vec::new();
    for Stranger { place, key, of, .. } in &checked.strangers {
        let Some(key) = key else { continue };
        let Some(entries) = checked.node.entries_at(place) else { continue };
        let Some(at) = entries.iter().position(|(name, _)| name == key) else { continue };
        let name = match known.iter().find(|(schema, other, _)| schema == of && other == key) {
            Some((.., name)) => name.clone(),
            None if known.len() == ASKED => None,
            None => {
                let value = entries[at].1.clone();
                // The value may need a repair before its type reads it: any that the type does read is as good.
                let mut name = None;
                for value in [value.clone()].into_iter().chain(Node::of_every_kind()) {
                    let Some(entries) = checked.node.entries_at(place) else { break };
                    entries[at].1 = value.clone();
                    entries.insert(at + 1, (key.clone(), value));
                    name = twice(&checked.node);
                    checked.node.entries_at(place).map(|entries| entries.remove(at + 1));
                    if name.is_some() {
                        break;
                    }
                }
                if let Some(entries) = checked.node.entries_at(place) {
                    entries[at].1 = value;
                }
                known.push((*of, key, name.clone()));
                name
            }
        };
        if let (Some(name), Some(entries)) = (name, checked.node.entries_at(place))
            && entries.iter().all(|(other, _)| *other != name)
        {
            entries[at].0 = name;
            renamed = true;
        }
    }
    renamed
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
pub(crate) fn tolerant(text: &str) -> Option<Node> {
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
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn parameter<'a>(spec: &'a ToolSpec, name: &str) -> Option<&'a Param> {
    spec.params().iter().find(|param| param.name == name)
}
