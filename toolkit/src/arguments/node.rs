//! A JSON value that has lost nothing of how it was written: every digit of a number, and the order of the keys.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde_json::Value;

/// A JSON value. Numbers keep their text, so that none ever goes through a float; what stands in the text that was read
/// as it is stays there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<'t> {
    Null,
    Bool(bool),
    Number(Cow<'t, str>),
    Text(Cow<'t, str>),
    List(Vec<Node<'t>>),
    Object(Entries<'t>),
}

/// The entries of an object, in their order.
pub(crate) type Entries<'t> = Vec<(Cow<'t, str>, Node<'t>)>;

impl<'t> Node<'t> {
    /// Whether it has the JSON type of this name. `2.0` is an integer in JSON Schema, and to no decoder; it is repaired.
    pub(crate) fn is_of_type(&self, name: &str) -> bool {
        match (self, name) {
            (Node::Null, "null")
            | (Node::Bool(_), "boolean")
            | (Node::Text(_), "string")
            | (Node::List(_), "array")
            | (Node::Object(_), "object")
            | (Node::Number(_), "number") => true,
            (Node::Number(text), "integer") => is_integer(text),
            _ => false,
        }
    }

    /// Whether it says the same as a value of a schema.
    pub(crate) fn equals(&self, value: &Value) -> bool {
        match (self, value) {
            (Node::Null, Value::Null) => true,
            (Node::Bool(a), Value::Bool(b)) => a == b,
            (Node::Number(a), Value::Number(b)) => {
                super::number::compare(a, &b.to_string()).is_some_and(std::cmp::Ordering::is_eq)
            }
            (Node::Text(a), Value::String(b)) => a == b,
            (Node::List(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b)),
            (Node::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(&**key).is_some_and(|b| a.equals(b)))
            }
            _ => false,
        }
    }

    /// The JSON value of a text that holds one and nothing else; `None` where it does not.
    pub(crate) fn of_json(text: &'t str) -> Option<Self> {
        super::read::exact(text)
    }

    /// The plainest value of every kind.
    pub(super) fn of_every_kind() -> [Self; 6] {
        [
            Node::Null,
            Node::Number("1".into()),
            Node::Text("".into()),
            Node::Bool(true),
            Node::List(Vec::new()),
            Node::Object(Vec::new()),
        ]
    }

    /// How many values it is, itself and all inside of it; no more are counted than `most`.
    pub(super) fn size(&self, most: usize) -> usize {
        let inner = |size: usize, value: &Node<'_>| if size >= most { size } else { size + value.size(most - size) };
        match self {
            Node::List(items) => items.iter().fold(1, inner),
            Node::Object(entries) => entries.iter().map(|(_, value)| value).fold(1, inner),
            Node::Text(text) | Node::Number(text) => 1 + text.len() / 64,
            Node::Null | Node::Bool(_) => 1,
        }
    }

    /// The entries of the object to which these places lead, from list to list and from object to object.
    pub(super) fn entries_at<'a>(&'a mut self, places: &[usize]) -> Option<&'a mut Entries<'t>> {
        match (self, places) {
            (Node::Object(entries), []) => Some(entries),
            (Node::Object(entries), [first, rest @ ..]) => entries.get_mut(*first)?.1.entries_at(rest),
            (Node::List(items), [first, rest @ ..]) => items.get_mut(*first)?.entries_at(rest),
            _ => None,
        }
    }

    /// The entries, where it is an object.
    pub(super) fn entries(&self) -> &[(Cow<'t, str>, Node<'t>)] {
        if let Node::Object(entries) = self { entries } else { &[] }
    }

    /// The text of an object with this one entry.
    pub(super) fn alone(&self, key: &str) -> String {
        let mut text = String::from("{");
        // Writing to a string does not fail.
        let _ = write_text(&mut text, key).and_then(|()| write!(text, ":{self}}}"));
        text
    }

    /// The value by itself, without the text that it was read from.
    pub(super) fn into_owned(self) -> Node<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        match self {
            Node::Null => Node::Null,
            Node::Bool(flag) => Node::Bool(flag),
            Node::Number(text) => Node::Number(own(text)),
            Node::Text(text) => Node::Text(own(text)),
            Node::List(items) => Node::List(items.into_iter().map(Node::into_owned).collect()),
            Node::Object(entries) => {
                Node::Object(entries.into_iter().map(|(key, value)| (own(key), value.into_owned())).collect())
            }
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node<'t>> {
        match self {
            Node::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// Digits with a sign, as every decoder takes an integer.
pub(crate) fn is_integer(text: &str) -> bool {
    text != "-0" && text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit())
}

/// The beginning of what is written, and then no more.
struct Beginning {
    text: String,
    left: usize,
}

impl fmt::Write for Beginning {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        for c in more.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// The value on one line, at most so many characters of it.
pub(super) fn beginning(value: &Node<'_>, limit: usize) -> String {
    let mut beginning = Beginning { text: String::new(), left: limit };
    if write!(beginning, "{value}").is_err() {
        beginning.text.push('…');
    }
    beginning.text
}

impl fmt::Display for Node<'_> {
    /// As JSON, in the plainest way.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Null => f.write_str("null"),
            Node::Bool(flag) => write!(f, "{flag}"),
            Node::Number(text) => f.write_str(text),
            Node::Text(text) => write_text(f, text),
            Node::List(items) => {
                f.write_char('[')?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    item.fmt(f)?;
                }
                f.write_char(']')
            }
            Node::Object(entries) => {
                f.write_char('{')?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    write_text(f, key)?;
                    f.write_char(':')?;
                    value.fmt(f)?;
                }
                f.write_char('}')
            }
        }
    }
}

pub(crate) fn write_text(f: &mut impl fmt::Write, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| matches!(c, '"' | '\\') || c < ' ') {
        let (plain, after) = rest.split_at(at);
        f.write_str(plain)?;
        let mut after = after.chars();
        match after.next() {
            Some('\n') => f.write_str("\\n")?,
            Some('\t') => f.write_str("\\t")?,
            Some('\r') => f.write_str("\\r")?,
            Some(c @ ('"' | '\\')) => write!(f, "\\{c}")?,
            Some(c) => write!(f, "\\u{:04x}", u32::from(c))?,
            None => {}
        }
        rest = after.as_str();
    }
    f.write_str(rest)?;
    f.write_char('"')
}
