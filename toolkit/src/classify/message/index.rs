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
    /// The words after the first.
    pub(super) rest: &'static str,
}

/// A power of two, and several times as many as there are words.
const SLOTS: usize = 1024;

/// A word is at the place that its key hashes to, or at one of the next, with no gap between.
pub(super) struct Index {
    /// Zero where there is no word. Apart from the entries, since most words of a text are not in here, and what says so
    /// is to stay in the nearest cache.
    keys: [u64; SLOTS],
    entries: Vec<Entry>,
}

pub(super) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { keys: [0; SLOTS], entries: Vec::new() };
    index.entries.resize_with(SLOTS, Entry::default);
    for (role, words) in ROLES {
        for word in words {
            index.entry(word).roles |= role;
        }
    }
    for &(class, says, phrases) in PHRASES {
        for &words in phrases {
            let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
            index.entry(first).phrases.push(Phrase { class, says, rest });
        }
    }
    index
});

impl Index {
    fn entry(&mut self, word: &'static str) -> &mut Entry {
        let key = key(word.as_bytes());
        let mut at = place(key);
        while self.keys[at] != 0 && self.entries[at].word != word {
            at = (at + 1) % SLOTS;
        }
        self.keys[at] = key;
        self.entries[at].word = word;
        &mut self.entries[at]
    }

    /// What is known of a word, in any case.
    pub(super) fn find(&self, word: &[u8]) -> Option<&Entry> {
        let key = key(word);
        let mut at = place(key);
        while self.keys[at] != 0 {
            // A short word is its key.
            if self.keys[at] == key
                && (word.len() <= KEY || self.entries[at].word.as_bytes().eq_ignore_ascii_case(word))
            {
                return Some(&self.entries[at]);
            }
            at = (at + 1) % SLOTS;
        }
        None
    }
}

/// How many letters a key holds, beside the length.
const KEY: usize = 7;

/// One number for a word in any case: its first letters and its length. Words that are longer may share one.
fn key(word: &[u8]) -> u64 {
    let start = word.iter().take(KEY).fold(0, |key, byte| key << 8 | u64::from(byte.to_ascii_lowercase()));
    start << 8 | (word.len() as u64 & 0xff)
}

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())) as usize
}
