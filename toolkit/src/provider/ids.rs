//! The ids of calls, for providers that do not take every id back.
//!
//! An id is the provider's own and goes back as it came. Only one that another provider gave, in a history that moves from
//! one to the next, may break a rule here. It is replaced by a function of the id alone, so that the call in the model's
//! turn and the result that answers it still belong together, in every export and process.

use std::borrow::Cow;

use super::dialect::Rule;

/// What a provider takes as the id of a call.
pub(super) struct IdRule {
    pub(super) allowed: fn(char) -> bool,
    pub(super) shortest: usize,
    pub(super) longest: usize,
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the table of the documentation"))]
    pub(super) rule: Rule,
}

impl IdRule {
    fn takes(&self, id: &str) -> bool {
        (self.shortest..=self.longest).contains(&id.chars().count()) && id.chars().all(self.allowed)
    }

    /// The id as the provider takes it.
    pub(super) fn sent<'a>(&self, id: &'a str) -> Cow<'a, str> {
        if self.takes(id) { Cow::Borrowed(id) } else { Cow::Owned(self.replaced(id)) }
    }

    /// Letters and digits of the id's hash, as many as are taken and enough to keep the ids of a conversation apart.
    fn replaced(&self, id: &str) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut rest = hash(id);
        let digits = (0..self.longest.min(11)).map(|_| {
            let digit = usize::try_from(rest % 62).ok().and_then(|digit| DIGITS.get(digit));
            rest /= 62;
            char::from(*digit.unwrap_or(&b'0'))
        });
        digits.collect()
    }
}

/// FNV-1a with a finish that spreads the last characters, by which ids mostly differ, over all digits.
pub(super) fn hash(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    static NINE: IdRule = IdRule {
        allowed: |c| c.is_ascii_alphanumeric(),
        shortest: 9,
        longest: 9,
        rule: Rule { text: "", source: "", date: "" },
    };

    #[test]
    fn an_id_that_is_taken_stays_and_any_other_becomes_one() {
        assert_eq!(NINE.sent("FG5wT9xQz"), "FG5wT9xQz");
        for id in ["", "call_1", "call_REDACTED_1", "toolu_01", "ids.with:more", "größe1234", &"x".repeat(300)] {
            assert!(NINE.takes(&NINE.sent(id)), "{id} became {}", NINE.sent(id));
            assert_eq!(NINE.sent(id), NINE.sent(id));
        }
    }

    #[test]
    fn ids_that_differ_stay_apart() {
        let sent: std::collections::BTreeSet<_> =
            (0..100_000).map(|number| NINE.sent(&format!("call_{number}")).into_owned()).collect();
        assert_eq!(sent.len(), 100_000);
    }
}
