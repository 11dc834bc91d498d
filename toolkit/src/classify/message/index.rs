//! Every word that means something, so that each word of a text is looked up once.

use std::sync::LazyLock;

use super::nearby::{ROLES, Role};
use super::phrases::{PHRASES, Says};
use crate::classify::ErrorClass;

/// What is known of one word.
#[derive(Default)]
pub(super) struct Entry {
    word: &'static str,
    pub(super) roles: Role,
    /// The phrases that begin with it.
    pub(super) phrases: Vec<Phrase>,
}

pub(super) struct Phrase {
    pub(super) class: ErrorClass,
    pub(super) says: Says,
    /// What follows the first word.
    pub(super) rest: Vec<Step>,
}

pub(super) enum Step {
    /// Any fillers, or none.
    Fillers,
    /// This word.
    Word(Key, &'static str),
}

impl Step {
    fn of(written: &'static str) -> Self {
        if written == "~" { Step::Fillers } else { Step::Word(Key::of(written.as_bytes(), 0, written.len()), written) }
    }
}

/// A power of two, and several times as many as there are words.
const SLOTS: usize = 1024;

/// A word is at the place that its key hashes to, or at one of the next, with no gap between.
pub(super) struct Index {
    /// [`NONE`] where there is no word. Apart from the entries, since most words of a text are not in here, and what says so
    /// is to stay in the nearest cache.
    keys: [Key; SLOTS],
    entries: Vec<Entry>,
}

pub(super) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { keys: [NONE; SLOTS], entries: Vec::new() };
    index.entries.resize_with(SLOTS, Entry::default);
    for (role, words) in ROLES {
        for word in words {
            index.entry(word).roles |= role;
        }
    }
    for &(class, says, phrases) in PHRASES {
        for &words in phrases {
            let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
            let rest = rest.split_ascii_whitespace().map(Step::of).collect();
            index.entry(first).phrases.push(Phrase { class, says, rest });
        }
    }
    index
});

impl Index {
    fn entry(&mut self, word: &'static str) -> &mut Entry {
        let key = Key::of(word.as_bytes(), 0, word.len());
        let mut at = key.place();
        while self.keys[at] != NONE && self.entries[at].word != word {
            at = (at + 1) % SLOTS;
        }
        self.keys[at] = key;
        self.entries[at].word = word;
        &mut self.entries[at]
    }

    /// What is known of a word with this key, in any case.
    pub(super) fn find(&self, key: Key, word: &[u8]) -> Option<&Entry> {
        let mut at = key.place();
        while self.keys[at] != NONE {
            if self.keys[at] == key && is_same(word, self.entries[at].word) {
                return Some(&self.entries[at]);
            }
            at = (at + 1) % SLOTS;
        }
        None
    }
}

/// One number for a word in any case: its first letters and its length. Words that are longer may share one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u64);

const NONE: Key = Key(0);

impl Key {
    /// How many letters a key holds, beside the length.
    const LETTERS: usize = 7;

    /// The key of the word that stands here in a text.
    pub(super) fn of(text: &[u8], start: usize, end: usize) -> Self {
        let eight = text[start..].first_chunk().copied().unwrap_or_else(|| {
            let mut eight = [0; 8];
            eight.iter_mut().zip(&text[start..]).for_each(|(slot, byte)| *slot = *byte);
            eight
        });
        let length = end - start;
        // This bit makes a letter small and leaves a digit as it is.
        let letters = u64::from_le_bytes(eight) | u64::from_le_bytes([0x20; 8]);
        let kept = (1 << (length.min(Self::LETTERS) * 8)) - 1;
        Self((letters & kept) << 8 | (length as u64 & 0xff))
    }

    fn place(self) -> usize {
        usize::try_from(self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())).unwrap_or(0)
    }
}

/// Whether two words of one key are the same. A short word is its key.
pub(super) fn is_same(word: &[u8], other: &str) -> bool {
    word.len() <= Key::LETTERS || other.as_bytes().eq_ignore_ascii_case(word)
}
