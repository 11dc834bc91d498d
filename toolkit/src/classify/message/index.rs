//! Every word that means something, so that each word of a text is looked up once.

use std::sync::LazyLock;

use super::eight::{all, eight_at};
use super::nearby::{BEGINS, ROLES, Role};
use super::phrases::{PHRASES, Says};
use crate::classify::ErrorClass;

/// The number of a word.
pub(super) type Id = u16;

/// That of every word that is not in here.
pub(super) const UNKNOWN: Id = 0;

/// What is known of one word.
#[derive(Default)]
pub(super) struct Entry {
    word: &'static str,
    tail: u64,
    /// The phrases that begin with it.
    pub(super) phrases: Vec<Phrase>,
    /// One of the phrases is this word alone.
    is_phrase: bool,
    /// In one of the phrases fillers may stand behind it.
    pub(super) has_fillers: bool,
    /// One bit for each word that is the next in a phrase, which others share.
    next: u64,
}

impl Entry {
    /// Whether one of the phrases may go on with this word.
    #[inline]
    pub(super) fn may_go_on(&self, next: Id) -> bool {
        self.is_phrase || self.next >> (next % 64) & 1 != 0
    }
}

pub(super) struct Phrase {
    pub(super) class: ErrorClass,
    pub(super) says: Says,
    /// What follows the first word.
    pub(super) rest: Vec<Step>,
}

#[derive(Clone, Copy)]
pub(super) enum Step {
    /// Any fillers, or none.
    Fillers,
    /// This word.
    Word(Id),
}

/// A power of two, and several times as many as there are words.
const SLOTS: usize = 2048;

/// A word is at the place that its key hashes to, or at one of the next, with no gap between.
pub(super) struct Index {
    /// [`NONE`] where there is no word. Apart from the entries, since most words of a text are not in here, and what says so
    /// is to stay in the nearest cache.
    keys: [Key; SLOTS],
    ids: [Id; SLOTS],
    /// For each first letter one bit for each length that a word has. This alone rules out most words of a text.
    lengths: [u32; 32],
    /// The words of one letter, so that a text of many costs no more than others.
    letters: [Id; 256],
    /// By their numbers: what each can be beside another, and the rest.
    roles: Vec<Role>,
    entries: Vec<Entry>,
}

pub(super) static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index {
        keys: [NONE; SLOTS],
        ids: [UNKNOWN; SLOTS],
        roles: vec![0],
        lengths: [0; 32],
        letters: [UNKNOWN; 256],
        entries: vec![Entry::default()],
    };
    for (role, words) in ROLES {
        for word in words {
            let id = usize::from(index.add(word));
            index.roles[id] |= role;
        }
    }
    for &(class, says, phrases) in PHRASES {
        for words in phrases {
            index.add_phrase(class, says, words);
        }
    }
    index
});

impl Index {
    fn add_phrase(&mut self, class: ErrorClass, says: Says, words: &'static str) {
        let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
        let mut step = |word| if word == "~" { Step::Fillers } else { Step::Word(self.add(word)) };
        let rest: Vec<_> = rest.split_ascii_whitespace().map(&mut step).collect();
        let next = rest.iter().find_map(|step| match step {
            Step::Word(id) => Some(1 << (id % 64)),
            Step::Fillers => None,
        });
        let id = usize::from(self.add(first));
        self.roles[id] |= BEGINS;
        let entry = &mut self.entries[id];
        entry.is_phrase |= rest.is_empty();
        entry.has_fillers |= matches!(rest.first(), Some(Step::Fillers));
        entry.next |= next.unwrap_or(0);
        entry.phrases.push(Phrase { class, says, rest });
    }

    fn add(&mut self, word: &'static str) -> Id {
        let (text, length) = (word.as_bytes(), word.len());
        let at = self.slot(text, 0, length);
        if self.keys[at] == NONE {
            self.lengths[usize::from(text[0] & 31)] |= 1 << (length & 31);
            self.keys[at] = Key::of(text, 0, length);
            self.ids[at] = Id::try_from(self.entries.len()).unwrap_or(UNKNOWN);
            self.roles.push(0);
            if let [letter] = text {
                self.letters[usize::from(*letter)] = self.ids[at];
                self.letters[usize::from(letter.to_ascii_uppercase())] = self.ids[at];
            }
            self.entries.push(Entry { word, tail: tail(text, length), ..Entry::default() });
        }
        self.ids[at]
    }

    /// Where the word that stands here in a text is, or would be.
    #[inline]
    fn slot(&self, text: &[u8], start: usize, end: usize) -> usize {
        let key = Key::of(text, start, end);
        let is_whole = end - start < Key::LETTERS;
        let mut at = key.place();
        loop {
            let here = self.keys[at];
            if here == NONE || here == key && (is_whole || self.is_same(self.ids[at], text, start, end)) {
                return at;
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// Whether the word here is the one of this number, which has its key and is longer.
    #[inline(never)]
    fn is_same(&self, id: Id, text: &[u8], start: usize, end: usize) -> bool {
        let Entry { word, tail: last, .. } = self.entry(id);
        word.len() == end - start
            && tail(text, end) == *last
            && (word.len() <= 2 * Key::LETTERS || word.as_bytes().eq_ignore_ascii_case(&text[start..end]))
    }

    /// The number of the word that stands here in a text, in any case.
    #[inline]
    pub(super) fn find(&self, text: &[u8], start: usize, end: usize) -> Id {
        if end - start == 1 {
            return self.letters[usize::from(text[start])];
        }
        if self.lengths[usize::from(text[start] & 31)] >> ((end - start) & 31) & 1 == 0 {
            return UNKNOWN;
        }
        self.ids[self.slot(text, start, end)]
    }

    pub(super) fn roles(&self, id: Id) -> Role {
        self.roles[usize::from(id)]
    }

    pub(super) fn entry(&self, id: Id) -> &Entry {
        &self.entries[usize::from(id)]
    }
}

/// The last eight letters of a word that is longer than its key, in any case.
fn tail(text: &[u8], end: usize) -> u64 {
    end.checked_sub(8).map_or(0, |from| eight_at(text, from) | all(0x20))
}

/// One number for a word in any case: its first letters. A longer word may have that of another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key(u64);

const NONE: Key = Key(0);

impl Key {
    const LETTERS: usize = 8;

    /// The key of the word that stands here in a text.
    #[inline]
    fn of(text: &[u8], start: usize, end: usize) -> Self {
        // This bit makes a letter small and leaves a digit as it is.
        let letters = eight_at(text, start) | all(0x20);
        let kept = u64::MAX >> (8 * Self::LETTERS.saturating_sub(end - start));
        Self(letters & kept)
    }

    #[inline]
    fn place(self) -> usize {
        usize::try_from(self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())).unwrap_or(0)
    }
}
