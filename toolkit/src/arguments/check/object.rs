//! An object and its keys.

use std::collections::HashMap;

use serde_json::Value;

use super::{Stranger, Walk, describe, join, limits, types};
use crate::arguments::near::letters;
use crate::arguments::node::Node;
use crate::arguments::read::note;
use crate::arguments::{SECRET, shorten};
use crate::call::RepairKind;
use crate::schema::resolve;

impl Walk<'_> {
    /// The entries with every key that names a property in another spelling under the property's own name.
    pub(super) fn keys(&mut self, entries: Vec<(String, Node)>, names: &[&str], path: &str) -> Vec<(String, Node)> {
        if !self.reading.repairs() || entries.iter().all(|(key, _)| names.contains(&key.as_str())) {
            return entries;
        }
        let spelling = |key: &str| letters(key).collect::<String>();
        // How often each name stands there, in whatever spelling.
        let mut given: HashMap<String, usize> = HashMap::new();
        for (key, _) in &entries {
            *given.entry(spelling(key)).or_default() += 1;
        }
        let mut meant: HashMap<String, Option<&str>> = HashMap::new();
        for name in names {
            meant.entry(spelling(name)).and_modify(|name| *name = None).or_insert(Some(name));
        }
        let mut renamed = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            let spelling = spelling(&key);
            match meant.get(&spelling).copied().flatten() {
                Some(name) if name != key && given.get(&spelling) == Some(&1) => {
                    self.note_key(&join(path, name), &key, name);
                    renamed.push((name.to_owned(), value));
                }
                _ => renamed.push((key, value)),
            }
        }
        renamed
    }

    pub(super) fn note_key(&mut self, path: &str, from: &str, to: &str) {
        if !self.is_trying() {
            self.repairs.push(note(path, from, to, RepairKind::Key));
        }
    }

    /// Whether a value says that it is left out: `null`, where the schema has no use for it, or an empty text where
    /// something else is asked for.
    pub(super) fn means_absent(&self, value: &Node, schema: &Value, takes_null: bool) -> bool {
        self.reading.repairs()
            && match value {
                Node::Null => !takes_null,
                Node::Text(text) => {
                    let types = types(resolve(self.root, schema));
                    text.is_empty()
                        && !types.is_empty()
                        && !types.iter().any(|name| matches!(*name, "string" | "array"))
                }
                _ => false,
            }
    }

    pub(super) fn object(&mut self, entries: Vec<(String, Node)>, schema: &Value, path: &str) -> Vec<(String, Node)> {
        let none = serde_json::Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        let offset = std::mem::take(&mut self.offset);
        let closed = Value::Bool(false);
        let flat = std::mem::take(&mut self.flat) && schema.get("properties").is_some();
        let others = schema.get("additionalProperties").or(flat.then_some(&closed));
        // A key that the schema takes as it is means what it says.
        let is_closed = others == Some(&closed) && schema.get("patternProperties").is_none();
        let entries = if is_closed { self.keys(entries, &names, path) } else { entries };
        let mut kept = Vec::with_capacity(entries.len());
        let mut strange = Vec::new();
        // Of arguments some of which are secret, nothing is shown together, and each by itself where it is not one.
        let whole = self.secret;
        let apart = self.place.is_empty() && !self.secrets.is_empty();
        for (key, value) in entries {
            let schema_of = properties.get(&key).or_else(|| limits::pattern_for(schema, &key));
            if apart {
                self.secret = self.secrets.contains(&key);
            }
            if let Some(property) = schema_of
                && !describe::requires(schema, &key)
                && self.means_absent(&value, property, describe::takes_null(self.root, property))
            {
                let path = self.below(path, &key, true);
                self.note_value(&path, &value, None);
                continue;
            }
            let value = match (schema_of, others) {
                (None, Some(Value::Bool(false))) => {
                    strange.push(kept.len());
                    value
                }
                (Some(schema), _) | (None, Some(schema @ Value::Object(_))) => {
                    let path = self.below(path, &key, properties.contains_key(&key));
                    self.place.push(offset + kept.len());
                    let value = self.value(value, schema, &path);
                    self.place.pop();
                    value
                }
                (None, _) => value,
            };
            kept.push((key, value));
        }
        self.secret &= !apart;
        self.report_keys(&kept, &strange, schema, path);
        self.secret = whole;
        kept
    }

    /// Keys that are not known, and what is missing. Beside a stranger, what is missing may be there under another name
    /// that the type knows.
    fn report_keys(&mut self, kept: &[(String, Node)], strange: &[usize], schema: &Value, path: &str) {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            let pattern = patterns.and_then(|patterns| patterns.keys().next());
            for &at in strange {
                self.problem(|walk| match pattern {
                    Some(pattern) => walk.odd_key(&kept[at].0, pattern, path),
                    None => walk.unknown_key(&kept[at].0, &[], path),
                });
            }
            return;
        };
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        let of = std::ptr::from_ref(schema).addr();
        let soft = !strange.is_empty() && !self.is_trying();
        for (name, property) in properties {
            if !describe::requires(schema, name) || kept.iter().any(|(key, _)| key == name) {
                continue;
            }
            let path = join(path, name);
            if soft {
                let words = self.missing_words(&path, property);
                self.strangers.push(Stranger { place: self.place.clone(), key: None, of, words });
            } else {
                self.missing(&path, property);
            }
        }
        for &at in strange {
            let key = &kept[at].0;
            if soft && self.strangers.len() < super::report::MOST {
                let words = self.unknown_key(key, &names, path);
                self.strangers.push(Stranger { place: self.place.clone(), key: Some(key.clone()), of, words });
            } else {
                self.problem(|walk| walk.unknown_key(key, &names, path));
            }
        }
    }

    /// The path of an entry. A key that is not the schema's own may be a part of a secret.
    pub(super) fn below(&self, path: &str, key: &str, known: bool) -> String {
        match () {
            () if self.is_trying() => String::new(),
            () if self.secret && !known => join(path, SECRET),
            () => join(path, &shorten(key, 64)),
        }
    }
}
