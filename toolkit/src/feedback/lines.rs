//! One JSON object over several lines, written part by part as `serde_json` writes it, without a value in between.

use serde::Serialize;
use serde_json::Value;

/// An object that is being written.
pub(super) struct Lines {
    /// JSON, and so UTF-8.
    bytes: Vec<u8>,
}

impl Lines {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes) }
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    pub(super) fn put_text(&mut self, key: &str, text: &str) {
        self.key(key, 1);
        self.text(text);
    }

    /// An entry whose value is a number or a flag.
    pub(super) fn put(&mut self, key: &str, value: impl Serialize) {
        self.key(key, 1);
        self.write(value);
    }

    /// An entry of any value.
    pub(super) fn put_value(&mut self, key: &str, value: &Value) {
        self.key(key, 1);
        self.push(&indented(value, 1));
    }

    /// An entry that is a list of texts.
    pub(super) fn put_list<'t>(&mut self, key: &str, texts: impl Iterator<Item = &'t str>) {
        self.key(key, 1);
        self.push("[");
        for text in texts {
            self.next(2);
            self.text(text);
        }
        self.push("\n  ]");
    }

    /// An entry that is an object. Its values are JSON already, as deep as they stand.
    pub(super) fn put_object<'t>(&mut self, key: &str, entries: impl Iterator<Item = (&'t str, &'t str)>) {
        self.key(key, 1);
        for (key, value) in entries {
            self.key(key, 2);
            self.push(value);
        }
        self.push("\n  }");
    }

    /// The object as it is written so far.
    pub(super) fn end(&mut self) {
        self.push("\n}");
    }

    /// Whether it has more characters than these.
    pub(super) fn is_longer_than(&self, characters: usize) -> bool {
        let begins = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.bytes.len() > characters && self.bytes.iter().filter(begins).count() > characters
    }

    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.bytes).unwrap_or_default()
    }

    fn key(&mut self, key: &str, depth: usize) {
        if matches!(self.bytes.last(), None | Some(b' ')) {
            self.push("{");
        }
        self.next(depth);
        self.text(key);
        self.push(": ");
    }

    /// A new line for what follows.
    fn next(&mut self, depth: usize) {
        if !matches!(self.bytes.last(), Some(b'{' | b'[')) {
            self.push(",");
        }
        self.push(if depth == 1 { "\n  " } else { "\n    " });
    }

    fn text(&mut self, text: &str) {
        // All at once, so that many bytes are looked at together.
        let odd = |byte: &u8| u8::from(*byte < b' ') | u8::from(*byte == b'"') | u8::from(*byte == b'\\');
        if text.as_bytes().iter().fold(0, |all, byte| all | odd(byte)) != 0 {
            return self.write(text);
        }
        self.push("\"");
        self.push(text);
        self.push("\"");
    }

    fn write(&mut self, value: impl Serialize) {
        // Writing to a vector does not fail, nor does a text, a number or a flag.
        let _ = serde_json::to_writer(&mut self.bytes, &value);
    }

    fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

/// A value over several lines, as it stands so deep in an object.
pub(crate) fn indented(value: &Value, depth: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // A line end inside of a text is written as an escape.
    text.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_written_as_a_value_would_be() {
        let inner = json!({"a": [], "b": {"c": [1, {"d": "x\ny"}], "e": {}}, "f": null});
        let texts = ["plain", "\"quoted\"\n\u{8}\u{7f}日"];
        let mut lines = Lines::with_capacity(0);
        lines.put_text("text ends in a space", "x ");
        lines.put_text("\"", texts[1]);
        lines.put("number", 7);
        lines.put("flag", true);
        lines.put_value("inner", &inner);
        lines.put_list("list", texts.into_iter());
        let (one, two) = (indented(&inner, 2), indented(&json!([1]), 2));
        lines.put_object("object", [("one", &*one), ("{", &*two)].into_iter());
        lines.put_value("last", &json!([{}]));
        lines.end();
        let value = json!({
            "text ends in a space": "x ", "\"": texts[1], "number": 7, "flag": true, "inner": inner, "list": texts,
            "object": {"one": inner, "{": [1]}, "last": [{}]
        });
        assert!(lines.is_longer_than(10));
        let text = lines.into_text();
        assert_eq!(text, serde_json::to_string_pretty(&value).unwrap_or_default());
    }
}
