//! Walking from an error to its causes, and telling the whole chain in one line.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use memchr::{memchr2, memmem};

use super::io::text_of_os_error;

/// Chains are a handful of links long. A `source()` that leads back to itself must not hang a call.
pub(super) const MAX_LINKS: usize = 64;

/// The error and its causes, outermost first.
pub(super) struct Links<'e> {
    next: Option<&'e (dyn Error + 'static)>,
    left: usize,
    /// The last link has no text of its own: it shows that of the next.
    is_shell: bool,
}

pub(super) fn links<'e>(error: &'e (dyn Error + 'static), most: usize) -> Links<'e> {
    Links { next: Some(error), left: most, is_shell: false }
}

impl<'e> Iterator for Links<'e> {
    type Item = &'e (dyn Error + 'static);

    fn next(&mut self) -> Option<Self::Item> {
        let link = self.next.take()?;
        self.left = self.left.checked_sub(1)?;
        self.is_shell = false;
        if self.left > 0 {
            let held = held(link);
            self.is_shell = held.is_some();
            self.next = held.or_else(|| link.source());
        }
        Some(link)
    }
}

/// The error that a link holds and stands for. Its `source()` does not lead there: that of an [`io::Error`] is the source
/// of the error in it, so that this one would never be seen, and that of a shared error is the source of what is shared.
fn held<'e>(link: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    if let Some(error) = peel::<io::Error>(link) {
        return error.get_ref().map(|error| error as &(dyn Error + 'static));
    }
    if let Some(shared) = cast::<Arc<dyn Error + Send + Sync>>(link) {
        return Some(&**shared);
    }
    cast::<Arc<dyn Error>>(link).map(|shared| &**shared)
}

/// The `E` that a link is. Most links are not, and their size says so without the call that a downcast takes.
pub(super) fn cast<'e, E: Error + 'static>(link: &'e (dyn Error + 'static)) -> Option<&'e E> {
    if size_of_val(link) == size_of::<E>() { link.downcast_ref::<E>() } else { None }
}

/// The `E` that a link is, or that it holds in a `Box` or an `Arc`, which are errors of types of their own.
pub(super) fn peel<'e, E: Error + 'static>(link: &'e (dyn Error + 'static)) -> Option<&'e E> {
    cast::<E>(link)
        .or_else(|| cast::<Box<E>>(link).map(|boxed| &**boxed))
        .or_else(|| cast::<Arc<E>>(link).map(|shared| &**shared))
}

/// Whether a link of this size can be an `E` of that size, or a `Box` or an `Arc` of one.
pub(super) fn may_hold(link: usize, error: usize) -> bool {
    link == error || link == size_of::<Box<()>>()
}

/// The texts of the first `most` links, as `a: b: c`.
///
/// Many errors repeat the text of their source, and an [`io::Error`] always does: what has just been said is left out.
pub(super) fn line(error: &(dyn Error + 'static), most: usize) -> String {
    let mut parts = Parts { line: String::with_capacity(USUAL), ..Parts::default() };
    let mut links = links(error, most);
    while let Some(link) = links.next() {
        if links.is_shell {
            continue;
        }
        let (start, at) = parts.begin();
        // Written in place, since most links are one plain line. A `Display` that fails must not fail the call; what it
        // wrote so far stands.
        let _ = match text_of_os_error(link) {
            Some(text) => parts.line.write_str(text),
            None => write!(parts.line, "{link}"),
        };
        if is_plain(&parts.line[at..]) {
            parts.join(start, at);
        } else {
            let text = parts.line.split_off(at);
            parts.line.truncate(start);
            parts.add(&text);
        }
    }
    parts.line
}

/// The texts of all links.
pub(crate) fn line_of(error: &(dyn Error + 'static)) -> String {
    line(error, MAX_LINKS)
}

/// Most messages fit into so many bytes, and are written without growing.
pub(super) const USUAL: usize = 96;

/// Whether a text may stay as it is.
fn is_plain(text: &str) -> bool {
    !text.starts_with(char::is_whitespace) && !text.ends_with(char::is_whitespace) && !is_broken(text)
}

fn is_broken(text: &str) -> bool {
    let (text, is_end) = (text.as_bytes(), |byte: &u8| matches!(byte, b'\n' | b'\r'));
    // A short text is read before a search is set up.
    if text.len() < USUAL { text.iter().any(is_end) } else { memchr2(b'\n', b'\r', text).is_some() }
}

/// How an HTTP client names the address it called, to leave the reason to the next link.
const ADDRESS: &str = "error sending request for url (";

/// The text of one error on one line where it is the `Debug` form of a chain, and as it stands where it is not.
pub(super) fn unfold(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    if before_backtrace(text).len() == text.len() && !is_report(text) {
        return Cow::Borrowed(text);
    }
    let mut parts = Parts::default();
    parts.add(text);
    Cow::Owned(parts.line)
}

/// Everything before a backtrace, which is for people who debug the program.
pub(crate) fn before_backtrace(text: &str) -> &str {
    match memmem::find(text.as_bytes(), b"tack backtrace") {
        Some(at) if text[..at].ends_with(['S', 's']) => text[..at - 1].trim_end(),
        _ => text,
    }
}

fn is_report(text: &str) -> bool {
    text.contains("\nCaused by:")
}

#[derive(Default)]
struct Parts {
    line: String,
    /// Where the last part starts, if it says nothing but which address was asked.
    address_at: Option<usize>,
}

impl Parts {
    fn add(&mut self, text: &str) {
        if !is_broken(text) {
            self.part(text.trim());
            return;
        }
        let text = before_backtrace(text);
        if is_report(text) {
            self.report(text);
        } else {
            self.part(&words(text));
        }
    }

    /// The `Debug` form of a chain, as anyhow, eyre and `main` print it: a head, and the causes with their numbers.
    fn report(&mut self, text: &str) {
        let (head, causes) = text.split_once("\nCaused by:").unwrap_or((text, ""));
        self.part(&words(head.strip_prefix("Error: ").unwrap_or(head)));
        for cause in causes.lines() {
            let cause = cause.trim();
            let unnumbered = cause.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(": ");
            self.part(unnumbered.unwrap_or(cause));
        }
    }

    fn part(&mut self, text: &str) {
        let (start, at) = self.begin();
        self.line.push_str(text);
        self.join(start, at);
    }

    /// Where the next part starts, and its text, which the caller is to write.
    fn begin(&mut self) -> (usize, usize) {
        let start = self.line.len();
        if start > 0 {
            self.line.push_str(": ");
        }
        (start, self.line.len())
    }

    /// Takes the part that starts here back where those before it have just said it.
    fn join(&mut self, mut start: usize, at: usize) {
        let (before, text) = (&self.line[..start], &self.line[at..]);
        let said = before.strip_suffix(text).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
        if text.is_empty() || said {
            self.line.truncate(start);
            return;
        }
        let is_address = text.starts_with(ADDRESS) && text.ends_with(')');
        // The reason is what helps; the address, with its host, its port and its query, is of no use to a model.
        if let Some(address) = self.address_at.take() {
            self.line.replace_range(address..at, if address > 0 { ": " } else { "" });
            start = address;
        }
        self.address_at = is_address.then_some(start);
    }
}

/// The text on one line, with one space between words.
fn words(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut is_apart = false;
    for c in text.chars() {
        if c.is_whitespace() {
            is_apart = !line.is_empty();
            continue;
        }
        if is_apart {
            line.push(' ');
            is_apart = false;
        }
        line.push(c);
    }
    line
}
