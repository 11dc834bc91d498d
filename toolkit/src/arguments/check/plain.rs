//! The quick look at a value that is neither list nor object: most of them are as their schema wants them.

use serde_json::Value;

use super::formats;
use crate::arguments::node::{Node, is_integer};
use crate::arguments::number::small_range_of;

/// Whether the schema takes the value as it is, as far as can be told at once. What is not, or cannot be told at once, is
/// judged keyword by keyword.
pub(super) fn takes(value: &Node<'_>, schema: &Value) -> bool {
    let Value::Object(keywords) = schema else { return false };
    let given = match value {
        Node::List(_) | Node::Object(_) => return false,
        // So many digits fit always.
        Node::Number(text) if text.len() > 18 || text.contains(['e', 'E']) => return false,
        Node::Number(text) if is_integer(text) => match text.parse::<i64>() {
            Ok(given) => Some(given),
            Err(_) => return false,
        },
        Node::Number(_) | Node::Text(_) | Node::Null | Node::Bool(_) => None,
    };
    let length = |text: &str| u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let mut has_type = false;
    for (keyword, wanted) in keywords {
        let fits = match (keyword.as_str(), value) {
            ("type", _) => {
                has_type = true;
                match wanted {
                    Value::String(name) => value.is_of_type(name),
                    Value::Array(names) => names.iter().filter_map(Value::as_str).any(|name| value.is_of_type(name)),
                    _ => false,
                }
            }
            ("description" | "title" | "default" | "examples", _)
            | ("minLength" | "maxLength" | "pattern" | "format" | "minimum" | "maximum", Node::Null | Node::Bool(_)) => {
                true
            }
            ("minLength", Node::Text(text)) => wanted.as_u64().is_some_and(|least| length(text) >= least),
            ("maxLength", Node::Text(text)) => wanted.as_u64().is_some_and(|most| length(text) <= most),
            ("format", Node::Text(_)) => !formats::is_known(wanted),
            ("format", Node::Number(_)) => match (wanted.as_str(), given) {
                (Some("double" | "float"), _) => true,
                (Some(name), Some(given)) => {
                    small_range_of(name).is_some_and(|(least, most)| (least..=most).contains(&i128::from(given)))
                }
                _ => false,
            },
            ("minimum", Node::Number(_)) => wanted.as_i64().zip(given).is_some_and(|(least, given)| given >= least),
            ("maximum", Node::Number(_)) => wanted.as_i64().zip(given).is_some_and(|(most, given)| given <= most),
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    has_type
}
