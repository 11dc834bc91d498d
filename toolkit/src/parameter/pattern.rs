//! Patterns of texts: regular expressions, and a quick way for those that need none.

mod row;

use std::sync::OnceLock;

use regex::Regex;

use self::row::Row;

/// A regular expression, compiled when it is first needed.
pub struct Pattern {
    text: &'static str,
    compiled: OnceLock<Result<Matcher, String>>,
}

impl Pattern {
    /// The pattern of this text.
    pub const fn new(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    pub(crate) fn text(&self) -> &'static str {
        self.text
    }

    pub(crate) fn compiled(&self) -> Result<&Matcher, &str> {
        self.compiled.get_or_init(|| Matcher::of(self.text)).as_ref().map_err(String::as_str)
    }

    /// One that cannot be compiled matches nothing; the registry refuses it before that.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.compiled().is_ok_and(|matcher| matcher.is_match(text))
    }
}

/// A pattern of JSON Schema, whose classes are those of ASCII.
pub(crate) enum Matcher {
    /// Most are a row of characters, for which a regular expression is a long way.
    Row(Row),
    Regex(Regex),
}

impl Matcher {
    /// # Errors
    /// The text is no pattern.
    pub(crate) fn of(pattern: &str) -> Result<Self, String> {
        let pattern = with_ascii_classes(pattern);
        let regex = Regex::new(&pattern).map_err(|error| error.to_string())?;
        Ok(Row::of(&pattern).map_or(Matcher::Regex(regex), Matcher::Row))
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        match self {
            Matcher::Row(row) => row.is_match(text),
            Matcher::Regex(regex) => regex.is_match(text),
        }
    }
}

/// `\d`, `\w`, `\s` and `\b` written out as what they are in ASCII.
fn with_ascii_classes(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() + 16);
    let mut in_class = false;
    let mut characters = pattern.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => {
                let Some(escaped) = characters.next() else {
                    written.push('\\');
                    break;
                };
                let class = match escaped {
                    'd' => "0-9",
                    'w' => "0-9A-Za-z_",
                    's' => r" \t\n\r\x0B\x0C",
                    'D' => "^0-9",
                    'W' => "^0-9A-Za-z_",
                    'S' => r"^ \t\n\r\x0B\x0C",
                    'b' | 'B' if !in_class => {
                        written.extend(["(?-u:\\", if escaped == 'b' { "b" } else { "B" }, ")"]);
                        continue;
                    }
                    other => {
                        written.extend(['\\', other]);
                        continue;
                    }
                };
                written.extend(["[", class, "]"]);
            }
            '[' => {
                in_class = true;
                written.push(c);
            }
            ']' => {
                in_class = false;
                written.push(c);
            }
            _ => written.push(c),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Matcher, Regex, with_ascii_classes};

    #[test]
    fn classes_are_those_of_ascii() {
        let matches = |pattern: &str, text: &str| Matcher::of(pattern).is_ok_and(|regex| regex.is_match(text));
        assert!(matches(r"^\d{3}$", "123"));
        assert!(!matches(r"^\d{3}$", "१२३"));
        assert!(matches(r"^[\w.-]+$", "a_1.b-2"));
        assert!(!matches(r"^[\w.-]+$", "é"));
        assert!(matches(r"^\S+\s\S+$", "a b"));
        assert!(matches(r"^[^\s]+$", "ab"));
        assert!(!matches(r"^[^\s]+$", "a b"));
        assert!(matches(r"\bcat\b", "a cat sat"));
        assert!(!matches(r"\bcat\b", "concatenate"));
        assert!(matches("^.{3}$", "日本語"), "a dot is a character, not a byte");
        assert!(matches(r"^\[x\]$", "[x]"));
        assert!(Matcher::of("(?=a)").is_err());
        assert!(Matcher::of("\\").is_err());
    }

    #[test]
    fn a_row_of_characters_needs_no_regular_expression() {
        let is_row = |pattern: &str| matches!(Matcher::of(pattern), Ok(Matcher::Row(_)));
        for pattern in [
            "^ORD[0-9]{8}$",
            r"^\d{4}-\d{2}-\d{2}$",
            "^[A-Z]{2,3}-[0-9]+$",
            "^[a-z][a-z0-9_-]*$",
            r"^\w+@[a-z]+\.com$",
            "^(ab)[cd]?",
            "^([0-9]{3}-){2}[0-9]{4}$",
            "^$",
        ] {
            assert!(is_row(pattern), "{pattern}");
        }
        for pattern in [
            "ORD[0-9]{8}$",
            "^a+ab$",
            "^[a-z]*[0-9a]$",
            "^a?b?a$",
            "^[^a]$",
            "^.$",
            "^é$",
            "^a|b$",
            "^(ab)+$",
            r"^a\b",
            "^a$b?",
            "^(?m:^a$)",
        ] {
            assert!(!is_row(pattern), "{pattern}");
        }
    }

    fn piece() -> impl Strategy<Value = String> {
        const WHAT: [&str; 28] = [
            "a",
            "b",
            "c",
            "0",
            "-",
            "ab",
            "[ab]",
            "[a-c]",
            "[0-9]",
            r"\d",
            r"\w",
            r"\s",
            r"[\w-]",
            "(a)",
            "([bc])",
            "(?:ab)",
            "(a|b)",
            "(ab|c)",
            "(a?)",
            "([0-9]-)",
            "[^a]",
            ".",
            "é",
            "[é]",
            "[^\\x00-\\x{10FFFF}]",
            "^",
            "$",
            r"\b",
        ];
        const TIMES: [&str; 12] = ["", "", "", "?", "+", "*", "{2}", "{1,2}", "{0,3}", "{2,}", "??", "+?"];
        (prop::sample::select(&WHAT), prop::sample::select(&TIMES)).prop_map(|(what, times)| format!("{what}{times}"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

        #[test]
        fn every_pattern_matches_what_the_regular_expression_does(
            start in prop::sample::select(&["^", "^", "^", ""]),
            pieces in prop::collection::vec(piece(), 0..5),
            end in prop::sample::select(&["$", "$", "", "\\z"]),
            texts in prop::collection::vec("[abc0-9é\\- \n]{0,7}|[ab]{0,4}[0-9]{0,3}|(ab|c|0-|-){0,4}", 8),
        ) {
            let pattern = format!("{start}{}{end}", pieces.concat());
            let (Ok(matcher), Ok(regex)) = (Matcher::of(&pattern), Regex::new(&with_ascii_classes(&pattern))) else {
                return Ok(());
            };
            for text in texts {
                prop_assert_eq!(matcher.is_match(&text), regex.is_match(&text), "{} {:?}", pattern, text);
            }
        }
    }
}
