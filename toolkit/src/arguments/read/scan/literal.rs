//! Texts and numbers: every character and every digit.

use std::borrow::Cow;

use super::{Fault, FaultKind, Read, Scan, is_word};
use crate::arguments::node::Node;

impl<'a> Scan<'a> {
    /// A number as JSON writes it, with every digit.
    pub(super) fn number(&mut self) -> Read<Node<'a>> {
        let at = self.at;
        let goes_on = |byte: &&u8| matches!(**byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = self.left().iter().take_while(goes_on).count();
        let text = self.rest().get(..length).unwrap_or_default();
        self.at += length;
        if text == "-" && self.rest().starts_with("Infinity") {
            return Err(Fault { at, kind: FaultKind::NotFinite }.into());
        }
        if !is_json_number(text) {
            let kind = if self.rest().is_empty() { FaultKind::CutOff } else { FaultKind::NotAValue };
            return Err(Fault { at, kind }.into());
        }
        if self.byte().is_some_and(|byte| !matches!(byte, b',' | b'}' | b']')) && self.peek().is_some_and(is_word) {
            return Err(Fault { at, kind: FaultKind::NotAValue }.into());
        }
        Ok(Node::Number(text.into()))
    }

    pub(super) fn quoted(&mut self, quote: u8) -> Read<Cow<'a, str>> {
        let start = self.at;
        if quote == b'\'' {
            self.odd(start, ("single quotes are", "单引号"));
        }
        self.at += 1;
        let mut text = String::new();
        loop {
            let ends = |byte: &u8| *byte == quote || *byte == b'\\' || *byte < b' ';
            let Some(length) = self.left().iter().position(ends) else {
                self.at = self.text.len();
                return self.fail(FaultKind::CutOff);
            };
            let part = self.rest().get(..length).unwrap_or_default();
            self.at += length;
            if text.is_empty() && self.take_byte(quote) {
                return Ok(part.into());
            }
            text.push_str(part);
            match self.byte() {
                Some(b'\\') => text.push(self.escape()?),
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(text.into());
                }
                Some(byte) => {
                    self.odd(self.at, ("a line break inside a string is", "字符串中的换行"));
                    text.push(char::from(byte));
                    self.at += 1;
                }
                None => return self.fail(FaultKind::CutOff),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let at = self.at;
        self.at += 1;
        let Some(c) = self.peek() else { return self.fail(FaultKind::CutOff) };
        self.at += c.len_utf8();
        Ok(match c {
            '"' | '\\' | '/' => c,
            '\'' => {
                self.odd(at, ("`\\'` is", "`\\'` "));
                c
            }
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(at),
            _ => return Err(Fault { at, kind: FaultKind::BadEscape }.into()),
        })
    }

    /// What follows `\u`: one unit, or the two of a pair.
    fn unicode(&mut self, at: usize) -> Read<char> {
        let lone = || Fault { at, kind: FaultKind::LoneSurrogate };
        let first = self.hex(at)?;
        let code = match first {
            0xD800..=0xDBFF => {
                if !self.rest().is_empty() && !self.rest().starts_with('\\') {
                    return Err(lone().into());
                }
                if !self.take("\\u") {
                    return if self.rest().len() < 2 { self.fail(FaultKind::CutOff) } else { Err(lone().into()) };
                }
                match self.hex(at)? {
                    second @ 0xDC00..=0xDFFF => 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00),
                    _ => return Err(lone().into()),
                }
            }
            other => other,
        };
        char::from_u32(code).ok_or_else(|| lone().into())
    }

    fn hex(&mut self, at: usize) -> Read<u32> {
        let Some(digits) = self.rest().get(..4) else {
            let kind = if self.rest().len() < 4 { FaultKind::CutOff } else { FaultKind::BadEscape };
            return Err(Fault { at, kind }.into());
        };
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Fault { at, kind: FaultKind::BadEscape }.into());
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| Fault { at, kind: FaultKind::BadEscape }.into())
    }
}

/// The grammar of JSON for numbers: no plus, no leading zero, digits on both sides of the point.
fn is_json_number(text: &str) -> bool {
    fn digits(text: &str) -> Option<&str> {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < text.len()).then_some(rest)
    }
    let text = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = text.len() > 1 && text.starts_with('0') && text.as_bytes()[1].is_ascii_digit();
    let Some(mut rest) = digits(text).filter(|_| !leading_zero) else { return false };
    if let Some(fraction) = rest.strip_prefix('.') {
        let Some(after) = digits(fraction) else { return false };
        rest = after;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let Some(after) = digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)) else { return false };
        rest = after;
    }
    rest.is_empty()
}
