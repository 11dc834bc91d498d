//! Names as a provider takes them: what it refuses is rewritten, never two names into one, and mapped back.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::dialect::Rule;

/// What a provider takes as the name of a tool. The characters that it takes are ASCII in every known case.
pub(super) struct NameRule {
    /// Whether a name may begin with this character, which is one of the allowed.
    pub(super) first: fn(char) -> bool,
    pub(super) allowed: fn(char) -> bool,
    pub(super) longest: usize,
    pub(super) rule: Rule,
}

impl NameRule {
    pub(super) fn takes(&self, name: &str) -> bool {
        name.chars().next().is_some_and(self.first) && name.len() <= self.longest && name.chars().all(self.allowed)
    }

    /// The nearest name that is taken.
    fn mend(&self, name: &str) -> String {
        let mut mended: String = name.chars().map(|c| if (self.allowed)(c) { c } else { '_' }).collect();
        match mended.chars().next() {
            None => mended.push_str("unnamed"),
            Some(first) if !(self.first)(first) => mended.insert(0, '_'),
            Some(_) => {}
        }
        mended.chars().take(self.longest).collect()
    }

    /// The nearest name that is taken and free: with the hash of the original where the plain one is not.
    pub(super) fn mend_apart(&self, name: &str, is_free: impl Fn(&str) -> bool) -> String {
        let mended = self.mend(name);
        if is_free(&mended) {
            return mended;
        }
        let mut salt = 0;
        loop {
            let hash = format!("_{:08x}", hash(name, salt));
            let kept: String = mended.chars().take(self.longest.saturating_sub(hash.len())).collect();
            let apart = kept + &hash;
            if is_free(&apart) {
                return apart;
            }
            salt += 1;
        }
    }
}

/// FNV-1a. The result is part of what a model reads, so it must be the same in every build and process.
fn hash(text: &str, salt: u32) -> u32 {
    text.bytes().fold(0x811c_9dc5 ^ salt, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The names of one export, both ways.
pub(super) struct Names {
    rule: &'static NameRule,
    /// From the name that the provider sees to the tool's own.
    own: BTreeMap<String, String>,
    /// From the tool's own name to the one that the provider sees, where they differ.
    sent: BTreeMap<String, String>,
}

impl Names {
    /// Names that are taken as they are stay; the others are rewritten around them, in the order given.
    pub(super) fn new<'a>(rule: &'static NameRule, names: impl IntoIterator<Item = &'a str>) -> Self {
        let (good, bad): (Vec<&str>, Vec<&str>) = names.into_iter().partition(|name| rule.takes(name));
        let mut own: BTreeMap<String, String> =
            good.into_iter().map(|name| (name.to_owned(), name.to_owned())).collect();
        let mut sent = BTreeMap::new();
        for name in bad {
            if sent.contains_key(name) {
                continue;
            }
            let rewritten = rule.mend_apart(name, |candidate| !own.contains_key(candidate));
            own.insert(rewritten.clone(), name.to_owned());
            sent.insert(name.to_owned(), rewritten);
        }
        Self { rule, own, sent }
    }

    /// The name that the provider sees of a tool; a name of no tool stays as it is.
    pub(super) fn sent<'a>(&'a self, own: &'a str) -> &'a str {
        self.sent.get(own).map_or(own, String::as_str)
    }

    /// The tool's own name for what the model wrote; what it made up stays as it is.
    pub(super) fn own<'a>(&'a self, written: &'a str) -> &'a str {
        self.own.get(written).map_or(written, String::as_str)
    }

    /// Whether a tool goes by this name, its own or the one that the provider sees.
    pub(super) fn know(&self, name: &str) -> bool {
        self.own.contains_key(name) || self.sent.contains_key(name)
    }

    /// A name that the model wrote, as the provider takes it back in the history. What it made up keeps apart from the
    /// names of tools, so that the history never shows a tool that was not called.
    pub(super) fn replayed<'a>(&'a self, written: &'a str) -> Cow<'a, str> {
        let name = self.sent(written);
        if self.rule.takes(name) {
            return Cow::Borrowed(name);
        }
        Cow::Owned(self.rule.mend_apart(written, |candidate| !self.own.contains_key(candidate)))
    }

    /// The tools whose names were rewritten, and the names that the provider sees.
    pub(super) fn rewritten(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sent.iter().map(|(own, sent)| (own.as_str(), sent.as_str()))
    }
}

#[cfg(test)]
mod tests;
