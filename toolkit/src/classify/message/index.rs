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
const SLOTS: usize = 4096;

pub(super) struct Index {
    /// A word is at the place that its key hashes to, or at one of the next, with no gap between.
    slots: Vec<Option<(u64, Entry)>>,
}

pub(super) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index { slots: std::iter::repeat_with(|| None).take(SLOTS).collect() };
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
        while self.slots[at].as_ref().is_some_and(|(_, entry)| entry.word != word) {
            at = (at + 1) % SLOTS;
        }
        let (_, entry) = self.slots[at].get_or_insert_with(|| (key, Entry { word, ..Entry::default() }));
        entry
    }

    /// What is known of a word, in any case.
    pub(super) fn find(&self, word: &[u8]) -> Option<&Entry> {
        let key = key(word);
        let mut at = place(key);
        while let Some((known, entry)) = &self.slots[at] {
            // A short word is its key.
            if *known == key && (word.len() <= KEY || entry.word.as_bytes().eq_ignore_ascii_case(word)) {
                return Some(entry);
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
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}
