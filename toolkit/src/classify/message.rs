//! The class of a text, the last resort: whole words in their place, never a number by itself.
//!
//! An order id, a port, a duration or a version may hold any digits, and `timeout` may be the name of a setting. A text
//! that is taken for a transient failure repeats a call, so what is not clear is no match.

mod chinese;
mod index;
mod nearby;
mod phrases;
mod words;

use std::borrow::Cow;

use memchr::memmem;
use regex::bytes::Regex;

use self::index::{Phrase, Step, is_same};
use self::nearby::{
    AFTER_STATUS, BEFORE_STATUS, CIRCUMSTANCES, CODE, CODE_KEYS, COUNTED, DENIALS, ERROR, EXIT, FILLERS, HAPPENED,
    HTTP, LINKING, NEGATIONS, OS, REASONS, RESPONSE, Role, SERVICES, SETTINGS, STATUS, WITH,
};
use self::phrases::Says;
use self::words::{Gap, Word, words_of};
use super::ErrorClass;
use super::chain::before_backtrace;
use super::http::class_of_status;
use super::io::class_of_os_error;

/// What an error says, it says at its beginning.
const MOST: usize = 4096;

/// How far a sentence is searched for the words that decide what a subject means.
const REACH: usize = 12;

/// What tokio and std say when the other side of a channel went away, where the type is not to be had.
const GONE: [&str; 3] = ["channel closed", "semaphore closed", "sending on a closed channel"];

/// The class that a text gives away, by the host's patterns and the common wordings. A permanent one wins over a
/// transient one; among equals the host's wins, then the one that stands first.
pub(super) fn class_of(text: &str, patterns: &[(Regex, ErrorClass)]) -> ErrorClass {
    let text = readable(text);
    let mut found = Found::default();
    for (pattern, class) in patterns {
        if pattern.is_match(text.as_bytes()) {
            // All at one place, so that the order of registration cannot matter.
            found.note(*class, 0);
        }
    }
    if found.permanent.is_none() {
        let mut words = Found::default();
        Text::of(&text).search(&mut words);
        if !text.is_ascii() {
            chinese::search(&text, &mut words);
        }
        found.permanent = words.permanent;
        found.transient = found.transient.or(words.transient);
    }
    match (found.permanent.or(found.transient), text.trim_end()) {
        (Some((_, class)), _) => class,
        (None, rest) if GONE.iter().any(|gone| rest.ends_with(gone)) => ErrorClass::Internal,
        (None, _) => ErrorClass::Unknown,
    }
}

/// The part of a text that speaks: its beginning, without backtrace and URLs, whose paths, ports and queries may hold
/// any word and any number.
fn readable(text: &str) -> Cow<'_, str> {
    let text = before_backtrace(beginning(text));
    let scheme_end = memmem::Finder::new("://");
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = scheme_end.find(rest.as_bytes()) {
        let scheme = rest[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-'));
        out.push_str(scheme);
        out.push_str("url");
        rest = &rest[at + 3..];
        rest = &rest[end_of_url(rest)..];
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn beginning(text: &str) -> &str {
    let mut end = text.len().min(MOST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn end_of_url(text: &str) -> usize {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return at,
            ')' => open -= 1,
            '"' | '\'' | '<' | '>' | '`' | '，' | '。' | '）' => return at,
            c if c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

#[derive(Default)]
struct Found {
    permanent: Option<(usize, ErrorClass)>,
    transient: Option<(usize, ErrorClass)>,
}

impl Found {
    fn note(&mut self, class: ErrorClass, at: usize) {
        let best = match class {
            ErrorClass::Unknown => return,
            class if class.is_transient() => &mut self.transient,
            _ => &mut self.permanent,
        };
        if best.is_none_or(|best| (at, class) < best) {
            *best = Some((at, class));
        }
    }
}

#[expect(clippy::struct_field_names, reason = "a text is what it is")]
struct Text<'t> {
    text: &'t str,
    words: Vec<Word>,
    /// All that its words can be.
    roles: Role,
}

impl<'t> Text<'t> {
    fn of(text: &'t str) -> Self {
        let words = words_of(text);
        let roles = words.iter().fold(0, |roles, word| roles | word.roles());
        Self { text, words, roles }
    }

    fn word(&self, at: usize) -> &'t str {
        self.words.get(at).map_or("", |word| &self.text[word.start..word.end])
    }

    fn is_one_of(&self, at: usize, roles: Role) -> bool {
        self.words.get(at).is_some_and(|word| word.roles() & roles != 0)
    }

    fn search(&self, found: &mut Found) {
        for (at, word) in self.words.iter().enumerate() {
            let class = match word.entry {
                Some(entry) if entry.roles & OS != 0 => self.os_error(at),
                Some(entry) => entry.phrases.iter().find_map(|phrase| self.hit(phrase, at)),
                None if self.text.as_bytes()[word.start].is_ascii_digit() => self.status(at),
                None => None,
            };
            if let Some(class) = class {
                found.note(class, word.start);
                if found.permanent.is_some() {
                    return;
                }
            }
        }
    }

    fn hit(&self, phrase: &Phrase, at: usize) -> Option<ErrorClass> {
        let end = self.follow(&phrase.rest, at + 1)?;
        let denied = self.is_negated(at) || self.is_denied(end);
        let happened = match phrase.says {
            Says::Failure => true,
            Says::Subject => self.subject_failed(at, end),
            Says::State => (1..=4).any(|back| at >= back && self.is_one_of(at - back, SERVICES)),
            Says::Alone => self.words.get(end).is_none_or(|next| next.gap != Gap::Close),
        };
        (happened && !denied).then_some(phrase.class)
    }

    /// As in `not rate limited` and `has never been throttled`.
    fn is_negated(&self, at: usize) -> bool {
        let before = (0..at).rev().take_while(|&before| self.is_close(before + 1));
        before.skip_while(|&before| self.is_one_of(before, FILLERS)).take(1).any(|one| self.is_one_of(one, NEGATIONS))
    }

    /// As in `timed_out: false`, but not in `timed out: no answer`.
    fn is_denied(&self, end: usize) -> bool {
        let is_value = self.words.get(end).is_some_and(|next| next.gap == Gap::Loose) && !self.is_close(end + 1);
        is_value && self.is_one_of(end, DENIALS)
    }

    /// The place after the last of these words, which begin here.
    fn follow(&self, steps: &[Step], mut at: usize) -> Option<usize> {
        for step in steps {
            match *step {
                Step::Fillers => {
                    while self.is_close(at) && self.is_one_of(at, FILLERS) {
                        at += 1;
                    }
                }
                Step::Word(key, want) => {
                    let word = self.words.get(at).filter(|word| word.gap == Gap::Close && word.key == key)?;
                    if !is_same(&self.text.as_bytes()[word.start..word.end], want) {
                        return None;
                    }
                    at += 1;
                }
            }
        }
        Some(at)
    }

    fn is_close(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.gap == Gap::Close)
    }

    /// Whether `timeout` or `rate limit` is what happened, and not what a setting or an argument is called.
    fn subject_failed(&self, at: usize, end: usize) -> bool {
        let before = &self.text[..self.words[at].start];
        let named = match before.as_bytes() {
            // `read-timeout` is a word, `--timeout` is an argument.
            [.., last, b'-'] => !last.is_ascii_alphanumeric(),
            [b'-'] | [.., b'`' | b'\'' | b'$' | b'@' | b'#' | b'/' | b'\\' | b'<'] => true,
            // `config.timeout` is a name, and so is `Client.Timeout`, but not when it was exceeded.
            [.., b'.'] => !self.is_one_of(end, HAPPENED),
            [.., b'"'] => at == 0 || !self.is_one_of(at - 1, CODE_KEYS),
            _ => false,
        };
        if named || self.is_in_settings(at, end) {
            return false;
        }
        let rest = &self.text.as_bytes()[self.words[end - 1].end..];
        let Some(next) = self.words.get(end) else { return !rest.contains(&b'=') };
        let number = self.word(end).starts_with(|c: char| c.is_ascii_digit());
        match (next.gap, rest) {
            // As in `timeout = 30`, `timeout()`, `timeout.rs` and `timeout: 30`.
            (_, [b'=' | b'`' | b'\'', ..] | [b'(', b')', ..] | [b' ', b'=', ..]) | (Gap::Loose, [b'.', ..]) => false,
            (Gap::Loose, [b':', ..]) => !number,
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

    fn is_in_settings(&self, at: usize, end: usize) -> bool {
        if self.roles & SETTINGS == 0 {
            return false;
        }
        let left = (0..at).rev().take(REACH).take_while(|&before| self.words[before + 1].gap != Gap::Break);
        let right = (end..self.words.len()).take(REACH).take_while(|&after| self.words[after].gap != Gap::Break);
        left.chain(right).any(|near| self.is_one_of(near, SETTINGS))
    }

    /// The class of a number that the words around it make an HTTP status.
    fn status(&self, at: usize) -> Option<ErrorClass> {
        let word = self.words[at];
        let status: u16 = self.word(at).parse().ok().filter(|status| (400..600).contains(status))?;
        let (before, after) = (&self.text.as_bytes()[..word.start], &self.text.as_bytes()[word.end..]);
        let part_of_another = matches!(before, [.., b'-' | b'+' | b'.' | b'_' | b'/' | b'#' | b'$'])
            || matches!(before, [.., b'0'..=b'9', b',' | b':'])
            || matches!(after, [b'%' | b'-' | b'_' | b'/', ..] | [b'.' | b',' | b':', b'0'..=b'9', ..]);
        if word.end - word.start != 3 || part_of_another {
            return None;
        }
        let counts = self.is_close(at + 1) && self.is_one_of(at + 1, COUNTED);
        let reasoned = !self.is_close(at + 1) || self.is_one_of(at + 1, REASONS);
        let is_status = match self.context(at)? {
            Context::Http => !counts,
            Context::Status => reasoned || self.is_one_of(at + 1, AFTER_STATUS),
            Context::Error => reasoned,
        };
        is_status.then(|| class_of_status(status))
    }

    fn context(&self, at: usize) -> Option<Context> {
        let mut here = at;
        for _ in 0..6 {
            if here == 0 || self.words[here].gap == Gap::Break {
                break;
            }
            here -= 1;
            if self.is_one_of(here, HTTP) {
                return Some(Context::Http);
            }
            if self.is_one_of(here, STATUS) {
                // The status of a process is another matter.
                let before = |back: usize, roles| here >= back && self.is_one_of(here - back, roles);
                let exit = before(1, EXIT) || before(1, WITH) && before(2, EXIT);
                return (!exit).then_some(Context::Status);
            }
            if !self.is_one_of(here, BEFORE_STATUS) {
                break;
            }
        }
        let last = at.checked_sub(1).filter(|_| self.words[at].gap != Gap::Break)?;
        let code = self.is_one_of(last, CODE);
        let subject = if code { last.checked_sub(1)? } else { last };
        match () {
            () if self.is_one_of(subject, ERROR) => Some(Context::Error),
            () if code && self.is_one_of(subject, RESPONSE) => Some(Context::Status),
            () => None,
        }
    }

    /// `(os error 111)`, whatever language the text before it is in.
    fn os_error(&self, at: usize) -> Option<ErrorClass> {
        let is_error = self.is_close(at + 1) && self.is_one_of(at + 1, ERROR);
        let number = is_error.then(|| self.word(at + 2))?;
        number.parse().ok().and_then(class_of_os_error)
    }
}

enum Context {
    Http,
    Status,
    Error,
}
