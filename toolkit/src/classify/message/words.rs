//! Taking a text apart into words and what stands between them.

use super::index::{Entry, INDEX, Key};
use super::nearby::Role;

/// What stands between two words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Spaces, hyphens, underscores, an apostrophe: the words belong together.
    Close,
    /// A colon, a bracket, a quote, a slash.
    Loose,
    /// The end of a sentence or of a part of it.
    Break,
}

#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Before it.
    pub(super) gap: Gap,
    pub(super) key: Key,
    /// What is known of it.
    pub(super) entry: Option<&'static Entry>,
}

impl Word {
    pub(super) fn roles(&self) -> Role {
        self.entry.map_or(0, |entry| entry.roles)
    }
}

pub(super) fn words_of(text: &str) -> Vec<Word> {
    let index = &*INDEX;
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(bytes.len() / 6 + 4);
    let (mut at, mut gap_from) = (0, 0);
    while at < bytes.len() {
        let start = at;
        at = end_of_word(text, at);
        if at == start {
            // A character that is in no word.
            at += length_at(bytes[at]);
            continue;
        }
        let gap = &bytes[gap_from..start];
        let is_path = match gap {
            [b'/'] => words.is_empty(),
            gap => matches!(gap, [.., b' ' | b'.' | b'"' | b'\'' | b'`' | b'(', b'/']),
        };
        if is_path {
            // The names in a path are names, not words.
            while at < bytes.len() && !matches!(bytes[at], b' ' | b'\n' | b'"' | b'\'' | b'`' | b')' | b':' | b',') {
                at += 1;
            }
        }
        let gap = if words.is_empty() { Gap::Break } else { gap_between(gap) };
        let key = Key::of(bytes, start, at);
        let entry = index.find(key, &bytes[start..at]);
        words.push(Word { start, end: at, gap: if is_path { Gap::Loose } else { gap }, key, entry });
        gap_from = at;
    }
    words
}

/// The end of the run of letters and digits that starts here. Chinese and its like write without spaces, and are left
/// out: each of their characters would glue what stands beside it to a word that nobody wrote.
fn end_of_word(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(at) {
        match KINDS[usize::from(byte)] {
            Kind::Word => at += 1,
            Kind::Other => break,
            Kind::Start => match text[at..].chars().next() {
                Some(c) if c < '\u{2e80}' && c.is_alphanumeric() => at += c.len_utf8(),
                _ => break,
            },
        }
    }
    at
}

#[derive(Clone, Copy)]
enum Kind {
    /// An ASCII letter or digit.
    Word,
    /// The first byte of a character that may be a letter.
    Start,
    Other,
}

static KINDS: [Kind; 256] = {
    let (mut kinds, mut at) = ([Kind::Other; 256], 0_u8);
    while at < FIRST_BEYOND {
        if at.is_ascii_alphanumeric() {
            kinds[at as usize] = Kind::Word;
        } else if !at.is_ascii() {
            kinds[at as usize] = Kind::Start;
        }
        at += 1;
    }
    kinds
};

/// The first byte of the characters from U+3000 on.
const FIRST_BEYOND: u8 = 0xe3;

/// The length of the character that begins with this byte.
fn length_at(first: u8) -> usize {
    match first {
        0..0xc0 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0.. => 4,
    }
}

fn gap_between(gap: &[u8]) -> Gap {
    match gap {
        [b' ' | b'-' | b'_' | b'\''] | [0xe2, 0x80, 0x90 | 0x91 | 0x99] | [0xc2, 0xa0] => Gap::Close,
        // As in `HTTP/1.1`.
        [b'.'] => Gap::Loose,
        _ if gap.iter().any(|byte| matches!(byte, b'.' | b',' | b';' | b'!' | b'?' | b'\n')) => Gap::Break,
        _ if gap.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'_')) => Gap::Close,
        _ => Gap::Loose,
    }
}
