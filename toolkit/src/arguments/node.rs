//! A JSON value that has lost nothing of how it was written: every digit of a number, and the order of the keys.

use std::fmt::{self, Write as _};

use serde_json::Value;

/// A JSON value. Numbers keep their text, so that none ever goes through a float.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
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
            (Node::Number(a), Value::Number(b)) => super::number::compare(a, &b.to_string()).is_some_and(|o| o.is_eq()),
            (Node::Text(a), Value::String(b)) => a == b,
            (Node::List(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b)),
            (Node::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| a.equals(b)))
            }
            _ => false,
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
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

impl fmt::Display for Node {
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

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
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
