//! Takes secrets out of a text before anybody reads it. A view for messages and logs: what is run stays as it is.
//!
//! The danger on one side is a secret in a model's context and in every log behind it, on the other a text that no
//! longer says what went wrong. So a value goes where its key, its place or its form says that it is secret, and its
//! neighbours stay, and what was taken out once is left alone the next time.

mod keys;
#[cfg(test)]
mod tests;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use self::keys::{LONGEST_KEY, Name, key_form, looks_random, may_be_secret, may_end_name};
use self::value::{Value, address_length, line_length, parameter_length, position, value_after, word_length};

const REDACTED: &str = "[redacted]";

/// How far a user's name and password are looked for where they break the form of a URL.
const LONGEST_USER: usize = 256;

/// How far behind the byte before a name its separator may stand.
const LONGEST_NAME: usize = LONGEST_KEY + 8;

/// One pass that finds nothing is the rule. A secret that went may have kept apart what now reads as another.
const MOST_PASSES: usize = 4;

/// The text without credentials. Borrowed where there are none.
pub(crate) fn scrub(text: &str) -> Cow<'_, str> {
    let Some(mut scrubbed) = pass(text) else { return Cow::Borrowed(text) };
    for _ in 1..MOST_PASSES {
        let Some(again) = pass(&scrubbed) else { break };
        scrubbed = again;
    }
    Cow::Owned(scrubbed)
}

fn pass(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut search = Search::default();
    while let Some(at) = search.next(bytes) {
        let Some(secret) = secret_at(bytes, at) else { continue };
        search.from = secret.end;
        search.fragment_to = secret.end + LONGEST_NAME;
        // What was taken out before is left, whatever stands beside it now.
        if text[secret.start..].starts_with(REDACTED) {
            search.from = secret.start + REDACTED.len();
            search.before = 0;
            continue;
        }
        search.before = KINDS[usize::from(bytes[secret.end - 1])];
        // Both ends stand beside an ASCII byte, so that no character is cut.
        out.push_str(&text[copied..secret.start]);
        out.push_str(REDACTED);
        copied = secret.end;
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

/// The search for places where a secret may be noticed.
#[derive(Default)]
struct Search {
    from: usize,
    /// What the byte before is.
    before: u8,
    /// Up to where a separator may belong to a fragment.
    fragment_to: usize,
}

impl Search {
    fn next(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut before = self.before;
        for (at, byte) in bytes.iter().enumerate().skip(self.from) {
            let here = KINDS[usize::from(*byte)];
            // What begins no word begins no secret.
            let noticed = here & (SEPARATOR | FRAGMENT | DASH | (BEGINNING & !(before << 1)));
            before = here;
            if noticed != 0 && self.is_secret(bytes, at, here) {
                (self.from, self.before) = (at + 1, here);
                return Some(at);
            }
        }
        self.from = bytes.len();
        None
    }

    /// Whether a secret may be here, as far as the next byte and the last two say.
    fn is_secret(&mut self, bytes: &[u8], at: usize, kind: u8) -> bool {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        match kind {
            FRAGMENT => {
                self.fragment_to = at + LONGEST_NAME;
                false
            }
            SEPARATOR => next == b'/' || at < self.fragment_to || may_end_name(bytes, at),
            _ => FOLLOWED_BY[usize::from(bytes[at])] >> (next & 31) & 1 != 0,
        }
    }
}

/// What a byte can be, one bit each.
const WORD: u8 = 1;
/// The first one of a token or of a scheme. The bit is the one beside that of a word.
const BEGINNING: u8 = 2;
const SEPARATOR: u8 = 8;
const FRAGMENT: u8 = 32;
const DASH: u8 = 64;

static KINDS: [u8; 256] = {
    let (mut table, mut at) = ([0; 256], 0_u8);
    while at < 128 {
        table[at as usize] = match at {
            b':' | b'=' => SEPARATOR,
            b'#' => FRAGMENT,
            b'-' => DASH,
            _ if at.is_ascii_alphanumeric() && FOLLOWED_BY[at as usize] != 0 => WORD | BEGINNING,
            _ if at.is_ascii_alphanumeric() => WORD,
            _ => 0,
        };
        at += 1;
    }
    table
};

/// For each byte that begins something, one bit for the end of each that may follow it.
static FOLLOWED_BY: [u32; 256] = {
    let (mut table, mut at) = ([0; 256], 0);
    while at < BEGINNINGS.len() {
        let [first, second] = BEGINNINGS[at];
        table[first as usize] |= 1 << (second & 31);
        at += 1;
    }
    table
};

/// The first two letters of `Bearer`, `Basic`, of every form of key, and of what stands around a private one. Of the
/// second ones the case is not looked at.
const BEGINNINGS: [[u8; 2]; 20] = [
    *b"be", *b"ba", *b"Be", *b"Ba", *b"sk", *b"rk", *b"gh", *b"gi", *b"gl", *b"xo", *b"hf", *b"np", *b"py", *b"wh",
    *b"ya", *b"ey", *b"AI", *b"AK", *b"AS", *b"--",
];

/// The secret that is noticed at this byte. It is never empty.
fn secret_at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..];
    let secret = match rest[0] {
        b':' if rest.starts_with(b"://") => user(bytes, at + 3),
        b':' | b'=' => pair(bytes, at),
        b'-' => private_key(bytes, at),
        b'b' | b'B' => bearer(bytes, at),
        _ => key_form(rest).map(|length| at..at + length),
    };
    secret.filter(|secret| !secret.is_empty())
}

/// What stands before the `@` of a URL.
fn user(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = &bytes[start..];
    let stops = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'\\');
    let authority = &rest[..position(rest, |byte| stops(byte) || matches!(byte, b'/' | b'?' | b'#'))];
    let end = authority.iter().rposition(|&byte| byte == b'@').or_else(|| {
        // A password may hold a `/` that nobody escaped. What stands after the colon is no port then.
        let colon = authority.iter().position(|&byte| byte == b':')?;
        let is_port = authority[colon + 1..].iter().all(u8::is_ascii_digit) && authority.len() > colon + 1;
        let near = &rest[..rest.len().min(LONGEST_USER)];
        let near = &near[..position(near, stops)];
        near.iter().rposition(|&byte| byte == b'@').filter(|_| !is_port && authority[0] != b'[')
    })?;
    let user = start..start + end;
    // The name that everybody has on a Git server.
    (&bytes[user.clone()] != b"git").then_some(user)
}

/// The value after a separator, where the name before it says that it is secret.
///
/// The value's end is looked for last, when it is known to go: otherwise a text of many separators would be read anew
/// for each of them.
fn pair(bytes: &[u8], separator: usize) -> Option<Range<usize>> {
    let key = key_before(bytes, separator)?;
    if !may_be_secret(&bytes[key.range.clone()]) && bytes[..key.range.start].last() != Some(&b'#') {
        return None;
    }
    let value = value_after(bytes, separator)?;
    let name = Name::of(&bytes[key.range.clone()]);
    let glued = bytes[separator] == b'=' && value.start == separator + 1;
    let place = if glued { place_of(&bytes[..key.range.start]) } else { Place::Text };
    let length = match place {
        _ if name.ends_with("authorization") => return authorization(bytes, &value),
        _ if is_left(bytes, &value) => return None,
        Place::Fragment => address_length(&bytes[value.start..]),
        Place::Query if name.is_secret_parameter() => parameter_length(&bytes[value.start..]),
        Place::Text if name.is_cookie() && bytes[separator] == b':' => line_length(bytes, value.start, value.quote),
        Place::Text if name.is_secret() => value.length(bytes),
        Place::Text if name.is_token() => {
            let length = value.length(bytes);
            let sure = bytes[separator] == b'=' && (glued || value.quote.is_some())
                || key.quoted
                || looks_random(&bytes[value.start..value.start + length]);
            length * usize::from(sure)
        }
        Place::Query | Place::Text => return None,
    };
    Some(value.start..value.start + length)
}

/// Where a name stands.
enum Place {
    Text,
    /// Among the parameters of a URL, where ordinary words may be names of secrets.
    Query,
    /// In the fragment of a URL, which is for the browser alone. Where it holds values, they are those of a sign-in.
    Fragment,
}

fn place_of(before: &[u8]) -> Place {
    match before {
        [.., b'?' | b'&'] => Place::Query,
        [.., last, b'#'] if !last.is_ascii_whitespace() => Place::Fragment,
        _ => Place::Text,
    }
}

struct Key {
    range: Range<usize>,
    quoted: bool,
}

fn key_before(bytes: &[u8], separator: usize) -> Option<Key> {
    let mut end = separator;
    while end > 0 && separator - end < 4 && bytes[end - 1] == b' ' {
        end -= 1;
    }
    let quoted = end > 0 && matches!(bytes[end - 1], b'"' | b'\'');
    if quoted {
        end -= 1;
        end -= usize::from(end > 0 && bytes[end - 1] == b'\\');
    }
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = bytes[..end].iter().rev().take(LONGEST_KEY).take_while(|&byte| is_key(byte)).count();
    (length > 0).then_some(Key { range: end - length..end, quoted })
}

/// Whether a value is no secret but a place for one, a list, or a word of a sentence.
fn is_left(bytes: &[u8], value: &Value) -> bool {
    const WORDS: [&str; 24] = [
        "is",
        "are",
        "was",
        "must",
        "should",
        "may",
        "has",
        "cannot",
        "can",
        "not",
        "no",
        "required",
        "missing",
        "invalid",
        "incorrect",
        "wrong",
        "too",
        "expected",
        "empty",
        "null",
        "none",
        "true",
        "false",
        "undefined",
    ];
    let rest = &bytes[value.start..];
    if rest.starts_with(b"-----BEGIN ") || is_template(rest) {
        return true;
    }
    match (value.quote, rest.first()) {
        (Some(_), _) | (None, None) => return false,
        (None, Some(b'[' | b'{' | b'(')) => return true,
        (None, Some(_)) => {}
    }
    let word = &rest[..word_length(&rest[..rest.len().min(LONGEST_KEY)])];
    WORDS.iter().any(|one| word.eq_ignore_ascii_case(one.as_bytes()))
}

fn is_template(rest: &[u8]) -> bool {
    matches!(rest, [b'$', b'{' | b'(' | b'[', ..] | [b'{', b'{', ..] | [b'*', b'*', ..] | [b'<', ..] | [b'%', b's', ..])
        || matches!(rest, [b'$', first, ..] if first.is_ascii_uppercase())
}

/// The credentials of an `Authorization` header. The scheme stays.
fn authorization(bytes: &[u8], value: &Value) -> Option<Range<usize>> {
    const SCHEMES: [&str; 6] = ["bearer", "basic", "token", "negotiate", "ntlm", "apikey"];
    const SCHEMES_WITH_LISTS: [&str; 5] = ["digest", "oauth", "aws4-hmac-sha256", "signature", "hawk"];

    let rest = &bytes[value.start..];
    let near = &rest[..rest.len().min(LONGEST_KEY)];
    let first = &near[..position(near, |byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\''))];
    let spaces = rest[first.len()..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let is_one_of =
        |schemes: &[&str]| spaces > 0 && schemes.iter().any(|scheme| first.eq_ignore_ascii_case(scheme.as_bytes()));
    let has_list = is_one_of(&SCHEMES_WITH_LISTS);
    let has_scheme = has_list || is_one_of(&SCHEMES);
    let skipped = if has_scheme { first.len() + spaces } else { 0 };
    let start = value.start + skipped;
    let credentials = &bytes[start..];
    if is_template(credentials) || credentials.first() == Some(&b'[') {
        return None;
    }
    if value.quote.is_some() || has_list {
        return Some(start..start + line_length(bytes, start, value.quote));
    }
    // `authorization: denied` is a sentence.
    let is_word = !has_scheme
        && first.len() < LONGEST_KEY
        && first.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_punctuation());
    (!is_word).then(|| start..start + word_length(credentials))
}

/// The token after `Bearer`, where it looks like one: the bearer of bad news carries none.
fn bearer(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..];
    let scheme = [&b"bearer"[..], b"basic"]
        .into_iter()
        .find(|scheme| rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))?;
    let spaces = rest[scheme.len()..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = at + scheme.len() + spaces;
    let credentials = bytes.get(start..).filter(|credentials| spaces > 0 && !credentials.is_empty())?;
    let token = &credentials[..word_length(credentials)];
    let least = if scheme.len() == 6 { 2 } else { 12 };
    let is_token = token.len() >= least && looks_random(token) && !is_template(token) && token[0] != b'[';
    is_token.then(|| start..start + token.len())
}

/// The body of a private key in PEM form. One without its end goes to the end of the text.
fn private_key(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let rest = &bytes[at..];
    if rest.get(5) != Some(&b'B') {
        return None;
    }
    let label = rest.strip_prefix(BEGIN)?;
    let label = &label[..label.len().min(LONGEST_KEY)];
    let dashes = label.windows(5).position(|five| five == b"-----")?;
    if !label[..dashes].ends_with(b"PRIVATE KEY") {
        return None;
    }
    let body = BEGIN.len() + dashes + 5;
    let length = rest[body..].windows(9).position(|nine| nine == b"-----END ").unwrap_or(rest.len() - body);
    Some(at + body..at + body + length)
}
