//! The wordings of a text, and the words beside them that say whether it happened.

use super::Found;
use super::index::{Entry, INDEX, Phrase, Step, UNKNOWN};
use super::nearby::{
    AUXILIARIES, CIRCUMSTANCES, CODE_KEYS, DENIALS, DID, ERROR, FAULTS, FILLERS, HAPPEN, HAPPENED, LINKING, NEGATIONS,
    NEVER, NOT, ORDERLY, OS, RETURN, Role, SERVICES, THINGS,
};
use super::phrases::Says;
use super::words::{Gap, Noted, Word, Words};
use crate::classify::ErrorClass;
use crate::classify::io::class_of_os_error;

/// How far a sentence is searched for the words that decide what a subject means.
const REACH: usize = 12;

/// How many words that change nothing are passed over. More of them stand together in no sentence.
const MOST_IN_A_ROW: usize = 8;

pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) words: Words,
}

impl<'t> Text<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, words: Words::of(text, &INDEX) }
    }

    pub(super) fn search(&self, found: &mut Found) {
        let index = self.words.index;
        for &noted in &self.words.beginnings {
            let at = noted.at;
            let Some(word) = self.words.get(at) else { return };
            let entry = index.entry(word.id);
            let class = match word.id {
                UNKNOWN => self.status(at),
                _ if self.is_one_of(at, OS) => self.os_error(at),
                _ if !self.may_go_on(entry, at + 1) => None,
                _ => entry.phrases.iter().find_map(|phrase| self.hit(phrase, noted)),
            };
            if let Some(class) = class {
                found.note(class, word.start());
                if found.permanent.is_some() {
                    return;
                }
            }
        }
    }

    /// Whether one of the phrases of a word may go on here, so that most are not tried.
    fn may_go_on(&self, entry: &Entry, at: usize) -> bool {
        let next = self.words.close_id(at).unwrap_or(UNKNOWN);
        entry.may_go_on(next)
            || entry.has_fillers && next != UNKNOWN && {
                let beyond = self.words.close_id(self.beyond(at, FILLERS)).unwrap_or(UNKNOWN);
                entry.may_go_on(beyond)
            }
    }

    pub(super) fn word(&self, at: usize) -> &'t str {
        self.words.get(at).map_or("", |word| &self.text[word.start()..word.end()])
    }

    pub(super) fn is_one_of(&self, at: usize, roles: Role) -> bool {
        self.words.is_one_of(at, roles)
    }

    /// Whether there is a word here that belongs to the one before, and it is one of these.
    pub(super) fn goes_on_with(&self, at: usize, roles: Role) -> bool {
        self.words.is_close(at) && self.is_one_of(at, roles)
    }

    /// The place behind the words of this kind that stand here.
    fn beyond(&self, at: usize, roles: Role) -> usize {
        (at..at + MOST_IN_A_ROW).find(|&here| !self.goes_on_with(here, roles)).unwrap_or(at + MOST_IN_A_ROW)
    }

    fn hit(&self, phrase: &Phrase, noted: Noted) -> Option<ErrorClass> {
        let at = noted.at;
        let end = self.follow(&phrase.rest, at + 1)?;
        let happened = match phrase.says {
            Says::Failure => true,
            Says::Subject => self.subject_failed(noted, end),
            Says::State => (1..=4).any(|back| at >= back && self.is_one_of(at - back, SERVICES)),
            Says::Alone => self.words.get(end).is_none_or(|next| next.gap != Gap::Close),
        };
        let is_denied = !happened
            || self.is_negated(at, FILLERS)
            || self.is_denied(end)
            || (phrase.class.is_transient() && self.is_taken_back(at, end));
        (!is_denied).then_some(phrase.class)
    }

    /// The place behind one of the phrases that begin here, or this place.
    pub(super) fn behind_phrase(&self, at: usize) -> usize {
        let Some(first) = self.words.close_id(at) else { return at };
        self.words
            .index
            .entry(first)
            .phrases
            .iter()
            .filter_map(|phrase| self.follow(&phrase.rest, at + 1))
            .max()
            .unwrap_or(at)
    }

    /// As in `not rate limited` and `has never been throttled`.
    fn is_negated(&self, at: usize, passed_over: Role) -> bool {
        let mut before = (0..at).rev().take(MOST_IN_A_ROW).take_while(|&before| self.words.is_close(before + 1));
        let decisive = before.find(|&before| !self.is_one_of(before, passed_over));
        decisive.is_some_and(|one| self.is_one_of(one, NEGATIONS))
    }

    /// As in `timed_out: false`, but not in `timed out: no answer`.
    fn is_denied(&self, end: usize) -> bool {
        let is_value = self.words.get(end).is_some_and(|next| next.gap == Gap::Loose) && !self.words.is_close(end + 1);
        is_value && self.is_one_of(end, DENIALS)
    }

    /// Whether the words around a transient failure say that there was none: `did not return HTTP 503`, `connection
    /// closed normally`, `bad gateway configuration`, `service unavailable is not the reason`.
    pub(super) fn is_taken_back(&self, start: usize, end: usize) -> bool {
        if self.is_negated(start, FILLERS | RETURN) {
            return true;
        }
        let end = self.beyond(end, FAULTS);
        if !self.words.is_close(end) {
            return false;
        }
        let not = self.beyond(end, AUXILIARIES);
        let did_not = self.is_one_of(not, DID) && self.goes_on_with(not + 1, NOT);
        let is_name = end > start + 1 && self.is_one_of(end, THINGS);
        is_name
            || self.goes_on_with(self.beyond(end, FILLERS), ORDERLY)
            || self.goes_on_with(not, NEVER)
            || (not > end && self.goes_on_with(not, NOT))
            || (did_not && self.goes_on_with(not + 2, HAPPEN))
    }

    /// The place after the last of these words, which begin here.
    fn follow(&self, steps: &[Step], mut at: usize) -> Option<usize> {
        for step in steps {
            match *step {
                Step::Fillers => at = self.beyond(at, FILLERS),
                Step::Word(want) => {
                    self.words.close_id(at).filter(|id| *id == want)?;
                    at += 1;
                }
            }
        }
        Some(at)
    }

    /// Whether `timeout` or `rate limit` is what happened, and not what a setting or an argument is called.
    fn subject_failed(&self, noted: Noted, end: usize) -> bool {
        let at = noted.at;
        let place = |at: usize, side: fn(Word) -> usize| self.words.get(at).map_or(self.text.len(), side);
        let before = &self.text.as_bytes()[..place(at, Word::start)];
        let named = match before {
            // `read-timeout` is a word, `--timeout` is an argument.
            [.., last, b'-'] => !last.is_ascii_alphanumeric(),
            [b'-'] | [.., b'`' | b'\'' | b'$' | b'@' | b'#' | b'/' | b'\\' | b'<'] => true,
            // `config.timeout` is a name, and so is `Client.Timeout`, but not when it was exceeded.
            [.., b'.'] => !self.is_one_of(end, HAPPENED),
            [.., b'"'] => at == 0 || !self.is_one_of(at - 1, CODE_KEYS),
            _ => false,
        };
        if named || self.is_in_settings(noted, end) {
            return false;
        }
        let rest = &self.text.as_bytes()[place(end - 1, Word::end)..];
        let Some(next) = self.words.get(end) else { return !rest.contains(&b'=') };
        let number = self.word(end).starts_with(|c: char| c.is_ascii_digit());
        match (next.gap, rest) {
            // As in `timeout = 30`, `timeout()`, `timeout.rs`, `timeout: 30` and `timeout - 30`.
            (_, [b'=' | b'`' | b'\'', ..] | [b'(', b')', ..] | [b' ', b'=', ..]) | (Gap::Loose, [b'.', ..]) => false,
            (Gap::Loose, [b':', ..] | [b' ', b'-', ..]) => !number,
            (Gap::Break | Gap::Loose, _) => true,
            (Gap::Close, _) => self.goes_on_as_failure(end),
        }
    }

    fn goes_on_as_failure(&self, at: usize) -> bool {
        self.is_one_of(at, CIRCUMSTANCES)
            || self.is_one_of(at, HAPPENED)
            || (self.is_one_of(at, LINKING)
                && (at + 1..at + 5)
                    .take_while(|&later| !self.is_one_of(later, NEGATIONS))
                    .any(|later| self.is_one_of(later, HAPPENED)))
    }

    /// Whether a setting is meant by the nearest word that says so, on one side or the other, in the same part of the
    /// sentence.
    fn is_in_settings(&self, noted: Noted, end: usize) -> bool {
        let is_near = |setting: &Noted| setting.sentence == noted.sentence && setting.at + REACH >= noted.at;
        let settings = &self.words.settings;
        let (left, right) = settings.split_at(settings.partition_point(|setting| setting.at < noted.at));
        left.last().is_some_and(is_near)
            || right
                .iter()
                .find(|setting| setting.at >= end)
                .is_some_and(|right| is_near(right) && right.at < end + REACH)
    }

    /// `(os error 111)`, whatever language the text before it is in.
    fn os_error(&self, at: usize) -> Option<ErrorClass> {
        let number = self.goes_on_with(at + 1, ERROR).then(|| self.word(at + 2))?;
        number.parse().ok().and_then(class_of_os_error)
    }
}
