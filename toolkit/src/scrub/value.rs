//! Where a value ends: at its quote, at the end of its line, at the next name.

use super::REDACTED;
use super::keys::LONGEST_KEY;

/// Where a value begins, and how it is written.
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) quote: Option<Quote>,
}

#[derive(Clone, Copy)]
pub(super) struct Quote {
    byte: u8,
    /// Inside a text that is itself in quotes.
    escaped: bool,
}

pub(super) fn value_after(bytes: &[u8], separator: usize) -> Option<Value> {
    let mut start = separator + 1;
    match bytes.get(start)? {
        b':' => return None,
        b'=' | b'>' => start += 1,
        _ => {}
    }
    start += bytes[start..].iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    // `Some("…")`, `Secret("…")`, `b"…"`: what is in the quotes is what counts.
    let word = bytes[start..].iter().take(LONGEST_KEY).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let inner = match &bytes[start + word..] {
        [b'(', b'"' | b'\'', ..] | [b'(', b'\\', b'"', ..] => start + word + 1,
        [b'"' | b'\'', ..] if word == 1 => start + 1,
        _ => start,
    };
    let quote = match &bytes[inner..] {
        [b'\\', byte @ (b'"' | b'\''), ..] => Some(Quote { byte: *byte, escaped: true }),
        [byte @ (b'"' | b'\'' | b'`'), ..] => Some(Quote { byte: *byte, escaped: false }),
        _ => None,
    };
    let start = match quote {
        Some(quote) => inner + 1 + usize::from(quote.escaped),
        None => start,
    };
    (start < bytes.len()).then_some(Value { start, quote })
}

impl Value {
    pub(super) fn length(&self, bytes: &[u8]) -> usize {
        match self.quote {
            Some(_) => line_length(bytes, self.start, self.quote),
            None => word_length(&bytes[self.start..]),
        }
    }
}

/// To the closing quote, and never past the end of the line: a quote that nobody closed must not swallow the rest.
pub(super) fn line_length(bytes: &[u8], start: usize, quote: Option<Quote>) -> usize {
    let rest = &bytes[start..];
    let mut escaped = false;
    for (at, &byte) in rest.iter().enumerate() {
        let closes = match quote {
            Some(quote) if quote.byte == byte => quote.escaped == escaped,
            // Outside of quotes a header may still stand in the quotes of a command.
            None => matches!(byte, b'"' | b'\''),
            Some(_) => false,
        };
        if closes {
            return at - usize::from(escaped);
        }
        if matches!(byte, b'\n' | b'\r') {
            return at;
        }
        escaped = byte == b'\\' && !escaped;
    }
    rest.len()
}

/// To the end of a word that is not in quotes, without the punctuation after it.
pub(super) fn word_length(rest: &[u8]) -> usize {
    let mut end = rest.len();
    for (at, &byte) in rest.iter().enumerate() {
        let stops = match byte {
            b'"' | b'\'' | b'`' | b'<' | b'>' => true,
            b'\\' => matches!(rest.get(at + 1), Some(b'"' | b'\'' | b'n' | b'r' | b't')),
            b'&' | b';' | b',' => begins_pair(&rest[at + 1..]),
            byte => byte.is_ascii_whitespace(),
        };
        if stops {
            end = at;
            break;
        }
    }
    let is_scrubbed = |end: usize| rest[..end].ends_with(REDACTED.as_bytes());
    while end > 0 && !is_scrubbed(end) && matches!(rest[end - 1], b')' | b']' | b'}' | b',' | b'.' | b';' | b':' | b'&')
    {
        end -= 1;
    }
    end
}

/// A password may hold a comma; a comma before another name ends it.
fn begins_pair(rest: &[u8]) -> bool {
    if rest.starts_with(REDACTED.as_bytes()) {
        return true;
    }
    let name =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')).count();
    name > 0 && matches!(rest.get(name), Some(b'=' | b':'))
}

/// A query has ends of its own.
pub(super) fn parameter_length(rest: &[u8]) -> usize {
    word_length(&rest[..position(rest, |byte| matches!(byte, b'&' | b'#') || byte.is_ascii_whitespace())])
}

pub(super) fn address_length(rest: &[u8]) -> usize {
    position(rest, |byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b')'))
}

pub(super) fn position(bytes: &[u8], stops: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(stops).unwrap_or(bytes.len())
}
