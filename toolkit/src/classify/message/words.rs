//! Taking a text apart into words and what stands between them.

use std::sync::LazyLock;

use super::MOST;
use super::eight::{alphanumeric, bits, eight_at, places, starts_below_u3000};
use super::index::{Id, Index, UNKNOWN};
use super::nearby::{BEGINS, Role, SETTINGS, TO_STATUS};

/// What stands between two words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Spaces, hyphens, underscores, an apostrophe: the words belong together.
    Close,
    /// A colon, a bracket, a quote, a slash.
    Loose,
    /// The end of a sentence or of a part of it.
    Break,
}

/// A place in a text that is looked at, of which there are 4096 at most.
type At = u16;

/// Short, since there may be two thousand.
#[derive(Clone, Copy)]
pub(super) struct Word {
    start: At,
    end: At,
    pub(super) id: Id,
    /// Before it.
    pub(super) gap: Gap,
}

impl Word {
    pub(super) fn start(self) -> usize {
        usize::from(self.start)
    }

    pub(super) fn end(self) -> usize {
        usize::from(self.end)
    }
}

/// A word that there is something to say about.
#[derive(Clone, Copy)]
pub(super) struct Noted {
    pub(super) at: usize,
    /// How many parts of a sentence have ended before it.
    pub(super) sentence: usize,
}

/// The words of a text, and which of them there is something to say about.
pub(super) struct Words {
    pub(super) index: &'static Index,
    all: Vec<Word>,
    /// Those that begin a wording, or that may be a status.
    pub(super) beginnings: Vec<Noted>,
    /// Those that say that a setting is meant.
    pub(super) settings: Vec<Noted>,
}

impl Words {
    pub(super) fn of(text: &str, index: &'static Index) -> Self {
        let mut words = Self { index, all: cut(text.as_bytes()), beginnings: Vec::new(), settings: Vec::new() };
        words.look_up(text.as_bytes());
        words
    }

    fn look_up(&mut self, text: &[u8]) {
        let (mut sentence, mut last) = (0, 0);
        for (at, word) in self.all.iter_mut().enumerate() {
            sentence += usize::from(word.gap == Gap::Break);
            word.id = self.index.find(text, word.start(), word.end());
            let before = std::mem::replace(&mut last, 0);
            if word.id == UNKNOWN {
                // A status has three digits, and the word before it says that it is one.
                let is_number = word.end - word.start == 3 && text[word.start()].is_ascii_digit();
                if before & TO_STATUS != 0 && is_number && word.gap != Gap::Break {
                    self.beginnings.push(Noted { at, sentence });
                }
                continue;
            }
            last = self.index.roles(word.id);
            if last & BEGINS != 0 {
                self.beginnings.push(Noted { at, sentence });
            }
            if last & SETTINGS != 0 {
                self.settings.push(Noted { at, sentence });
            }
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<Word> {
        self.all.get(at).copied()
    }

    pub(super) fn is_one_of(&self, at: usize, roles: Role) -> bool {
        self.all.get(at).is_some_and(|word| self.index.roles(word.id) & roles != 0)
    }

    pub(super) fn is_close(&self, at: usize) -> bool {
        self.all.get(at).is_some_and(|word| word.gap == Gap::Close)
    }

    /// The word at this place, if it stands close to the one before.
    pub(super) fn close_id(&self, at: usize) -> Option<Id> {
        self.all.get(at).filter(|word| word.gap == Gap::Close).map(|word| word.id)
    }
}

/// Where the words begin and end, and what stands between them.
fn cut(text: &[u8]) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 2 + 1);
    // Where the last word ended, and up to where there are none.
    let (mut last_end, mut read_to) = (0, 0);
    let mut word = |start: usize, mut end: usize| {
        if start < read_to {
            return;
        }
        let mut gap = text.get(last_end).map_or(Gap::Break, |byte| GAPS_OF_ONE[usize::from(*byte)]);
        if last_end == 0 || last_end + 1 != start {
            (gap, end) = long_gap(text, last_end, start, end);
            read_to = end;
        }
        last_end = end;
        words.push(Word { start: short(start), end: short(end), id: UNKNOWN, gap });
    };
    // Where the word began that is being read, and whether one is.
    let (mut start, mut is_inside) = (0, false);
    for (letters, from) in letters(text).into_iter().zip((0..=text.len()).step_by(64)) {
        let follows = letters << 1 | u64::from(is_inside);
        let (mut starts, mut ends) = (letters & !follows, follows & !letters);
        if is_inside && ends != 0 {
            word(start, from + ends.trailing_zeros() as usize);
            ends &= ends - 1;
        }
        while ends != 0 {
            word(from + starts.trailing_zeros() as usize, from + ends.trailing_zeros() as usize);
            starts &= starts.wrapping_sub(1);
            ends &= ends - 1;
        }
        if starts != 0 {
            start = from + starts.trailing_zeros() as usize;
        }
        is_inside = letters >> 63 != 0;
    }
    words
}

/// One bit for each byte of a letter or a digit.
fn letters(text: &[u8]) -> [u64; MOST / 64 + 1] {
    let mut letters = [0; MOST / 64 + 1];
    for from in (0..text.len()).step_by(8) {
        let eight = eight_at(text, from);
        letters[from / 64] |= bits(alphanumeric(eight)) << (from % 64);
        for at in places(starts_below_u3000(eight)).map(|place| from + place) {
            for at in at..at + foreign_letter(text, at) {
                letters[at / 64] |= 1 << (at % 64);
            }
        }
    }
    letters
}

/// What stands before a word that begins the text or is not the neighbour of the last, and where the word ends.
#[inline(never)]
fn long_gap(text: &[u8], last_end: usize, start: usize, end: usize) -> (Gap, usize) {
    let (gap, is_first) = (&text[last_end..start], last_end == 0);
    if begins_path(gap, is_first) {
        // The names in a path are names, not words.
        return (Gap::Loose, end + text[end..].iter().position(|&byte| ends_path(byte)).unwrap_or(text.len() - end));
    }
    (if is_first { Gap::Break } else { gap_between(gap) }, end)
}

#[expect(clippy::cast_possible_truncation, reason = "a text ends after 4096 bytes")]
fn short(at: usize) -> At {
    at as At
}

/// Where Chinese and its like begin, which are written without spaces: each of their characters would glue what stands
/// beside it to a word that nobody wrote.
const WITHOUT_SPACES: usize = 0x2e80;

/// One bit for each character before them that is a letter or a digit.
static LETTERS: LazyLock<[u64; WITHOUT_SPACES / 64]> = LazyLock::new(|| {
    let mut letters = [0; WITHOUT_SPACES / 64];
    for c in ('\0'..).take(WITHOUT_SPACES).filter(|c| c.is_alphanumeric()) {
        letters[c as usize / 64] |= 1 << (c as usize % 64);
    }
    letters
});

/// The length of the letter that begins here. Zero if it is none.
fn foreign_letter(text: &[u8], at: usize) -> usize {
    let part = |next: usize| text.get(at + next).map_or(0, |byte| usize::from(byte & 0x3f));
    let (code, length) = match text[at] {
        first @ 0xe0.. => (usize::from(first & 0xf) << 12 | part(1) << 6 | part(2), 3),
        first => (usize::from(first & 0x1f) << 6 | part(1), 2),
    };
    let is_letter = LETTERS.get(code / 64).is_some_and(|letters| letters >> (code % 64) & 1 != 0);
    if is_letter { length } else { 0 }
}

fn begins_path(gap: &[u8], is_first: bool) -> bool {
    match gap {
        [b'/'] => is_first,
        gap => matches!(gap, [.., b' ' | b'.' | b'"' | b'\'' | b'`' | b'(', b'/']),
    }
}

fn ends_path(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'"' | b'\'' | b'`' | b')' | b':' | b',')
}

fn gap_between(gap: &[u8]) -> Gap {
    match gap {
        [0xe2, 0x80, 0x90 | 0x91 | 0x99] | [0xc2, 0xa0] => Gap::Close,
        // A dash, and no hyphen: what follows it explains what stands before it.
        b" - " | b" -- " => Gap::Loose,
        gap => gap.iter().fold(Gap::Close, |gap, byte| gap.max(GAPS[usize::from(*byte)])),
    }
}

/// What each byte makes of a gap of several.
static GAPS: [Gap; 256] = gaps();

/// What each byte is where it stands alone. A full stop ends nothing then, as in `HTTP/1.1`.
static GAPS_OF_ONE: [Gap; 256] = {
    let mut gaps = gaps();
    gaps[b'\'' as usize] = Gap::Close;
    gaps[b'.' as usize] = Gap::Loose;
    gaps
};

const fn gaps() -> [Gap; 256] {
    let (mut gaps, mut at) = ([Gap::Loose; 256], 0_u8);
    while at < 128 {
        gaps[at as usize] = match at {
            b'.' | b',' | b';' | b'!' | b'?' | b'\n' => Gap::Break,
            b' ' | b'\t' | b'-' | b'_' => Gap::Close,
            _ => Gap::Loose,
        };
        at += 1;
    }
    gaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same, a character at a time.
    fn letters_one_by_one(text: &str) -> Vec<bool> {
        let mut letters = Vec::new();
        for c in text.chars() {
            letters.extend(vec![c < '\u{2e80}' && c.is_alphanumeric(); c.len_utf8()]);
        }
        letters
    }

    proptest! {
        #[test]
        fn letters_are_found_wherever_they_stand(text in "([ -~]|[a-c]|[\u{80}-\u{7ff}]|[\u{800}-\u{ffff}]|😀){0,90}") {
            let found = letters(text.as_bytes());
            let found: Vec<_> = (0..text.len()).map(|at| found[at / 64] >> (at % 64) & 1 != 0).collect();
            prop_assert_eq!(found, letters_one_by_one(&text));
        }
    }
}
