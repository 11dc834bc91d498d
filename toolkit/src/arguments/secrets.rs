//! The values of secret parameters, wherever else they turn up: a tool may put what it was given into its error.

use std::borrow::Cow;

use serde_json::Value;

use super::{SECRET, secret_names};
use crate::tool::ToolSpec;

/// Values shorter than this are common parts of other words, and go only where they stand alone.
const LONG: usize = 4;

/// The secret values of one call.
#[derive(Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    /// The values of the tool's secret parameters in this text of the arguments.
    pub(crate) fn of(spec: &ToolSpec, text: &str) -> Self {
        let names = secret_names(spec);
        let mut all = Self::default();
        if names.is_empty() {
            return all;
        }
        if let Ok(Value::Object(object)) = serde_json::from_str(text) {
            names.iter().filter_map(|name| object.get(*name)).for_each(|value| all.collect(value));
        }
        // A secret may hold another one.
        all.0.sort_by_key(|text| std::cmp::Reverse(text.len()));
        all.0.dedup();
        all
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                let written = format!("{text:?}");
                let forms = [text.as_str(), text.trim(), &written[1..written.len() - 1]];
                self.0.extend(forms.into_iter().filter(|form| !form.is_empty()).map(str::to_owned));
            }
            Value::Number(number) => self.0.push(number.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(object) => object.values().for_each(|value| self.collect(value)),
            Value::Bool(_) | Value::Null => {}
        }
    }

    /// The text without the values.
    pub(crate) fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut shown = Cow::Borrowed(text);
        for secret in &self.0 {
            if let Some(hidden) = without(&shown, secret) {
                shown = Cow::Owned(hidden);
            }
        }
        shown
    }

    /// The value without the secret ones in its texts and numbers.
    pub(crate) fn hide_in(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(hidden) = self.hide(text) {
                    *text = hidden;
                }
            }
            Value::Number(number) if self.0.contains(&number.to_string()) => *value = SECRET.into(),
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_in(item)),
            Value::Object(object) => object.values_mut().for_each(|value| self.hide_in(value)),
            Value::Number(_) | Value::Bool(_) | Value::Null => {}
        }
    }
}

/// The text with a mark in the place of the secret; `None` where it does not stand there.
fn without(text: &str, secret: &str) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices(secret) {
        let end = at + secret.len();
        let beside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let part_of_a_word = beside(text[..at].chars().next_back()) || beside(text[end..].chars().next());
        if secret.chars().count() < LONG && part_of_a_word {
            continue;
        }
        out.push_str(&text[copied..at]);
        out.push_str(SECRET);
        copied = end;
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}
