//! Numbers that the words around them make an HTTP status.

use super::nearby::{AFTER_STATUS, BEFORE_STATUS, CODE, COUNTED, ERROR, EXIT, HTTP, REASONS, RESPONSE, STATUS, WITH};
use super::sentence::Text;
use super::words::Gap;
use crate::classify::ErrorClass;
use crate::classify::http::class_of_status;

/// What makes a number a status.
enum Kind {
    Http,
    Status,
    Error,
}

impl Text<'_> {
    /// The class of the number at this word.
    pub(super) fn status(&self, at: usize) -> Option<ErrorClass> {
        let word = self.words.get(at)?;
        let status: u16 = self.word(at).parse().ok().filter(|status| (400..600).contains(status))?;
        let (before, after) = (&self.text.as_bytes()[..word.start()], &self.text.as_bytes()[word.end()..]);
        let part_of_another = matches!(before, [.., b'-' | b'+' | b'.' | b'_' | b'/' | b'#' | b'$'])
            || matches!(before, [.., b'0'..=b'9', b',' | b':'])
            || matches!(after, [b'%' | b'-' | b'_' | b'/', ..] | [b'.' | b',' | b':', b'0'..=b'9', ..]);
        if part_of_another {
            return None;
        }
        let counts = self.goes_on_with(at + 1, COUNTED);
        let reasoned = !self.words.is_close(at + 1) || self.is_one_of(at + 1, REASONS);
        let (kind, start) = self.kind(at)?;
        let is_status = match kind {
            Kind::Http => !counts,
            Kind::Status => reasoned || self.is_one_of(at + 1, AFTER_STATUS),
            Kind::Error => reasoned,
        };
        let class = class_of_status(status);
        let taken_back = || class.is_transient() && self.is_taken_back(start, self.behind_phrase(at + 1));
        (is_status && !taken_back()).then_some(class)
    }

    /// What makes the number at this word a status, and at which word that begins.
    fn kind(&self, at: usize) -> Option<(Kind, usize)> {
        let mut here = at;
        for _ in 0..6 {
            if here == 0 || self.is_apart(here) {
                break;
            }
            here -= 1;
            if self.is_one_of(here, HTTP) {
                return Some((Kind::Http, here));
            }
            if self.is_one_of(here, STATUS) {
                // The status of a process is another matter.
                let before = |back: usize, roles| here >= back && self.is_one_of(here - back, roles);
                let exit = before(1, EXIT) || before(1, WITH) && before(2, EXIT);
                return (!exit).then_some((Kind::Status, here));
            }
            if !self.is_one_of(here, BEFORE_STATUS) {
                break;
            }
        }
        let last = at.checked_sub(1).filter(|_| !self.is_apart(at))?;
        let code = self.is_one_of(last, CODE);
        let subject = if code { last.checked_sub(1)? } else { last };
        match () {
            () if self.is_one_of(subject, ERROR) => Some((Kind::Error, subject)),
            () if code && self.is_one_of(subject, RESPONSE) => Some((Kind::Status, subject)),
            () => None,
        }
    }

    fn is_apart(&self, at: usize) -> bool {
        self.words.get(at).is_none_or(|word| word.gap == Gap::Break)
    }
}
