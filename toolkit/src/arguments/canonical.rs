//! One spelling for arguments that say the same.

use std::fmt::Write as _;

use super::node::{Node, write_text};
use super::number;
use super::read;

/// The arguments in the one spelling that all texts have which say the same: the order of the keys, white space, escapes
/// and the spelling of numbers do not count. What cannot be read is its own spelling.
pub(crate) fn canonical(text: &str) -> String {
    match read::plain(text) {
        Some(node) => {
            let mut written = String::with_capacity(text.len());
            write(&node, &mut written);
            written
        }
        None => text.trim().to_owned(),
    }
}

fn write(node: &Node<'_>, out: &mut String) {
    // Writing to a string cannot fail.
    let _ = match node {
        Node::Null | Node::Bool(_) => write!(out, "{node}"),
        Node::Number(text) => out.write_str(&number::canonical(text)),
        Node::Text(text) => write_text(out, text),
        Node::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(item, out);
            }
            out.write_char(']')
        }
        Node::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (index, (key, value)) in sorted.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                let _ = write_text(out, key);
                out.push(':');
                write(value, out);
            }
            out.write_char('}')
        }
    };
}

impl Node<'_> {
    /// The value in its one spelling.
    pub(super) fn canonical(&self) -> String {
        let mut written = String::new();
        write(self, &mut written);
        written
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn what_says_the_same_is_written_the_same() {
        let one = canonical(r#"{"a": 1, "b": {"x": [1.5, "é"], "y": null}}"#);
        for same in [
            r#"{"b":{"y":null,"x":[1.50,"\u00e9"]},"a":1}"#,
            r#" { "b" : { "x" : [15e-1, "é"], "y" : null }, "a" : 1.0 } "#,
            "{'a': 10e-1, 'b': {x: [0.15E1, 'é'], y: None,}}",
            "```json\n{\"a\": 1, \"b\": {\"x\": [1.5, \"é\"], \"y\": null}}\n```",
        ] {
            assert_eq!(canonical(same), one, "{same}");
        }
        for other in [
            r#"{"a": 1, "b": {"x": [1.5, "e"], "y": null}}"#,
            r#"{"a": "1", "b": {"x": [1.5, "é"], "y": null}}"#,
            r#"{"a": 1, "b": {"x": ["é", 1.5], "y": null}}"#,
            r#"{"a": 1, "b": {"x": [1.5, "é"]}}"#,
            r#"{"a": 1.0000000000000000000001, "b": {"x": [1.5, "é"], "y": null}}"#,
        ] {
            assert_ne!(canonical(other), one, "{other}");
        }
        assert_eq!(canonical(" \n"), canonical("{}"));
        assert_eq!(canonical("{cut"), "{cut");
        assert_eq!(canonical(&one), one);
    }

    #[test]
    fn numbers_count_by_what_they_are() {
        for (a, b) in [("1e2", "100"), ("0.1", "1E-1"), ("-0", "0"), ("-0.0", "0e5"), ("120", "12e+1")] {
            assert_eq!(canonical(&format!("{{\"n\":{a}}}")), canonical(&format!("{{\"n\":{b}}}")), "{a} {b}");
        }
        for (a, b) in [("9007199254740993", "9007199254740992"), ("1e400", "1e401"), ("-1", "1"), ("10", "1")] {
            assert_ne!(canonical(&format!("{{\"n\":{a}}}")), canonical(&format!("{{\"n\":{b}}}")), "{a} {b}");
        }
    }

    #[test]
    fn a_quarter_of_a_megabyte_of_anything_comes_to_an_end() {
        // What takes more than linear time does not: 2^36 steps are hours here.
        for flood in ["[", "\"", "\\", "1", ",", "{\"a\":", "[],", "0.1,", "\"a\":1,", "{},"] {
            for beginning in ["", "[", "{", "\""] {
                let text = format!("{beginning}{}", flood.repeat((1 << 18) / flood.len()));
                for end in ["", "1}"] {
                    let one = canonical(&format!("{text}{end}"));
                    assert_eq!(canonical(&one), one);
                }
            }
        }
    }
}
