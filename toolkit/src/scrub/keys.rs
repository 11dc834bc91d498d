//! Which names hold secrets, and what secrets look like.

use super::REDACTED;

/// Longer names are no keys; the bound keeps the way back from a separator short.
pub(super) const LONGEST_KEY: usize = 48;

/// How far the first part of a web token, or the first digit of a key, may be away.
const NEAR: usize = 256;

/// Ends of names that hold a secret wherever they stand, in lower case without `-` and `_`.
const SECRET_ENDS: [&str; 20] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "apikey",
    "accesstoken",
    "refreshtoken",
    "authtoken",
    "idtoken",
    "sessiontoken",
    "securitytoken",
    "bearertoken",
    "privatekey",
    "secretkey",
    "accesskey",
    "accesskeyid",
    "signingkey",
    "encryptionkey",
    "authorization",
];

/// Names that hold a secret in the query of a URL and are ordinary words elsewhere.
const SECRET_PARAMETERS: [&str; 10] =
    ["key", "sig", "code", "auth", "pass", "jwt", "sid", "session", "sessionid", "assertion"];

/// What begins a token of a well-known service, the characters that go on with it, and how many there are at least.
static FORMS: [(&str, Rest, usize); 27] = [
    ("sk-", Rest::Dashed, 16),
    ("sk_live_", Rest::Word, 10),
    ("sk_test_", Rest::Word, 10),
    ("rk_live_", Rest::Word, 10),
    ("rk_test_", Rest::Word, 10),
    ("whsec_", Rest::Word, 16),
    ("ghp_", Rest::Word, 16),
    ("gho_", Rest::Word, 16),
    ("ghu_", Rest::Word, 16),
    ("ghs_", Rest::Word, 16),
    ("ghr_", Rest::Word, 16),
    ("github_pat_", Rest::Word, 16),
    ("glpat-", Rest::Dashed, 16),
    ("xoxa-", Rest::Dashed, 10),
    ("xoxb-", Rest::Dashed, 10),
    ("xoxe-", Rest::Dashed, 10),
    ("xoxe.", Rest::Dotted, 10),
    ("xoxp-", Rest::Dashed, 10),
    ("xoxr-", Rest::Dashed, 10),
    ("xoxs-", Rest::Dashed, 10),
    ("hf_", Rest::Word, 16),
    ("npm_", Rest::Word, 16),
    ("pypi-", Rest::Dashed, 16),
    ("ya29.", Rest::Dashed, 16),
    ("AIza", Rest::Dashed, 30),
    ("AKIA", Rest::Upper, 16),
    ("ASIA", Rest::Upper, 16),
];

/// For each byte, where the forms are that begin with it.
static FORMS_OF: [(u8, u8); 256] = {
    let (mut table, mut at) = ([(0, 0); 256], 0_u8);
    while (at as usize) < FORMS.len() {
        let first = FORMS[at as usize].0.as_bytes()[0] as usize;
        let (start, end) = table[first];
        table[first] = (if start == end { at } else { start }, at + 1);
        at += 1;
    }
    table
};

#[derive(Clone, Copy)]
enum Rest {
    Word,
    Dashed,
    Dotted,
    Upper,
}

impl Rest {
    fn goes_on(self, byte: u8) -> bool {
        match self {
            Rest::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Rest::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Rest::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Rest::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// A name as the lists spell it. A dot qualifies a name and is no part of it.
pub(super) struct Name {
    letters: [u8; LONGEST_KEY],
    length: usize,
}

/// The last two letters of all these names.
const ENDS: [&[u8; 2]; 18] = [
    b"al", b"de", b"ed", b"en", b"er", b"et", b"ey", b"id", b"ie", b"ig", b"on", b"rd", b"re", b"se", b"ss", b"th",
    b"wd", b"wt",
];

/// For each byte that a name may end with, one bit for each kind of those that may stand before it. What may stand between
/// a name and its separator goes with every kind.
static LAST: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < ENDS.len() {
        let [before, last] = *ENDS[at];
        let bits = 1 << kind(before) | 1 << BETWEEN_WORDS;
        table[last as usize] |= bits;
        table[last.to_ascii_uppercase() as usize] |= bits;
        at += 1;
    }
    let (between, mut at) = (*b"_-. \"'", 0);
    while at < between.len() {
        table[between[at] as usize] = u32::MAX;
        at += 1;
    }
    table
};

/// What `_`, `-` and `.` are among the kinds, and every byte that is neither one of these nor a letter.
const BETWEEN_WORDS: u8 = 27;
const NO_LETTER: u8 = 28;

static KINDS: [u8; 256] = {
    let (mut table, mut at) = ([NO_LETTER; 256], 0_u8);
    while at < 128 {
        table[at as usize] = kind(at);
        at += 1;
    }
    table
};

const fn kind(byte: u8) -> u8 {
    match byte {
        b'_' | b'-' | b'.' => BETWEEN_WORDS,
        _ if byte.is_ascii_alphabetic() => byte & 31,
        _ => NO_LETTER,
    }
}

/// Whether the name that ends here can be one of those below.
pub(super) fn may_end_name(bytes: &[u8], end: usize) -> bool {
    let [before, last] = [end.wrapping_sub(2), end.wrapping_sub(1)].map(|at| bytes.get(at).copied().unwrap_or(0));
    LAST[usize::from(last)] >> KINDS[usize::from(before)] & 1 != 0
}

/// Whether a name can be one of those below: most are too short, or end in other letters.
pub(super) fn may_be_secret(key: &[u8]) -> bool {
    let mut letters = key.iter().rev().copied().filter(u8::is_ascii_alphanumeric);
    let (Some(last), Some(before)) = (letters.next(), letters.next()) else { return false };
    key.len() >= 3 && may_end_name(&[before, last], 2)
}

impl Name {
    pub(super) fn of(key: &[u8]) -> Self {
        let mut name = Self { letters: [0; LONGEST_KEY], length: 0 };
        let last = key.rsplit(|&byte| byte == b'.').next().unwrap_or(key);
        for (slot, letter) in name.letters.iter_mut().zip(last.iter().filter(|byte| byte.is_ascii_alphanumeric())) {
            *slot = letter.to_ascii_lowercase();
            name.length += 1;
        }
        name
    }

    fn text(&self) -> &[u8] {
        &self.letters[..self.length]
    }

    pub(super) fn ends_with(&self, end: &str) -> bool {
        self.text().ends_with(end.as_bytes())
    }

    fn is_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| name.as_bytes() == self.text())
    }

    /// Whether it holds a secret wherever it stands.
    pub(super) fn is_secret(&self) -> bool {
        SECRET_ENDS.iter().any(|end| self.ends_with(end))
    }

    /// Whether it holds a secret in the query of a URL.
    pub(super) fn is_secret_parameter(&self) -> bool {
        let ends = ["token", "signature", "credential"];
        self.is_secret() || self.is_one_of(&SECRET_PARAMETERS) || ends.into_iter().any(|end| self.ends_with(end))
    }

    /// Whether it may hold a token, or be a word of a parser.
    pub(super) fn is_token(&self) -> bool {
        self.ends_with("token") || self.is_one_of(&["bearer", "jwt"])
    }

    pub(super) fn is_cookie(&self) -> bool {
        self.is_one_of(&["cookie", "setcookie"])
    }
}

/// The length of the well-known form of key that these bytes begin with.
pub(super) fn key_form(bytes: &[u8]) -> Option<usize> {
    if bytes.starts_with(b"eyJ") {
        return web_token(bytes);
    }
    let (first, end) = FORMS_OF[usize::from(*bytes.first()?)];
    let forms = &FORMS[usize::from(first)..usize::from(end)];
    let &(start, rest, least) = forms.iter().find(|(start, ..)| bytes.starts_with(start.as_bytes()))?;
    let tail = &bytes[start.len()..];
    let goes_on = |byte: &&u8| rest.goes_on(**byte);
    // Words with hyphens may begin like a key; one that goes on for so long without a digit is none.
    let has_digit = tail.iter().take(NEAR).take_while(goes_on).any(u8::is_ascii_digit);
    if matches!(rest, Rest::Dashed) && !has_digit {
        return None;
    }
    let length = tail.iter().take_while(goes_on).count();
    let fits = match rest {
        Rest::Upper => length == least && !tail.get(length).is_some_and(u8::is_ascii_alphanumeric),
        _ => length >= least,
    };
    fits.then_some(start.len() + length)
}

/// A JSON web token: three parts, of which only the last may be empty.
fn web_token(bytes: &[u8]) -> Option<usize> {
    let first = bytes.iter().take(NEAR).position(|&byte| byte == b'.').filter(|&first| first >= 8)?;
    let length = bytes.iter().take_while(|&&byte| Rest::Dotted.goes_on(byte)).count();
    let second = bytes.get(first + 1..length)?.iter().position(|&byte| byte == b'.')?;
    (second >= 8).then_some(length)
}

/// Whether a word is more likely a token than a word of a language. What was scrubbed before says nothing.
pub(super) fn looks_random(word: &[u8]) -> bool {
    let scrubbed = word.windows(REDACTED.len()).position(|part| part == REDACTED.as_bytes());
    let word = &word[..scrubbed.unwrap_or(word.len())];
    let inner_dot = word.len() > 4 && word.contains(&b'.');
    let inner_capital = word.iter().skip(1).any(u8::is_ascii_uppercase);
    word.len() >= 20 || inner_dot || inner_capital || word.iter().any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_in_the_lists_is_passed_over() {
        let others = ["token", "signature", "credential", "bearer", "jwt", "cookie", "set-cookie"];
        for name in SECRET_ENDS.into_iter().chain(SECRET_PARAMETERS).chain(others) {
            for name in [name.to_owned(), name.to_uppercase(), format!("x_{name}")] {
                assert!(may_be_secret(name.as_bytes()), "{name}");
                for end in ["", " ", "\"", "\\\"", "'"] {
                    let text = format!("{name}{end}");
                    assert!(may_end_name(text.as_bytes(), text.len()), "{text}");
                }
            }
        }
        assert!(may_end_name(b"pw_d", 4) && !may_end_name(b"reading", 7) && !may_end_name(b"a", 1));
    }
}
