//! The class of a text, the last resort: whole words in their place, never a number by itself.
//!
//! An order id, a port, a duration or a version may hold any digits, and `timeout` may be the name of a setting. A text
//! that is taken for a transient failure repeats a call, so what is not clear is no match.

mod chinese;
mod eight;
mod index;
mod nearby;
mod phrases;
mod sentence;
mod status;
mod words;

use std::borrow::Cow;

use memchr::memmem;
use regex::bytes::Regex;

use self::sentence::Text;
use super::ErrorClass;
use super::chain::before_backtrace;

/// What an error says, it says at its beginning.
const MOST: usize = 4096;

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
