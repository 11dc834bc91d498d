//! An object and its keys.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::Value;

use super::path::Path;
use super::{Stranger, Walk, describe, limits, types};
use crate::arguments::near::letters;
use crate::arguments::node::{Entries, Node};
use crate::arguments::read::note;
use crate::arguments::{SECRET, same_key, shorten};
use crate::call::RepairKind;
use crate::schema::{keyword, resolve};

impl Walk<'_> {
    /// The entries with every key that names a property in another spelling under the property's own name.
    pub(super) fn keys<'t>(&mut self, mut entries: Entries<'t>, names: &[&str], path: &Path<'_>) -> Entries<'t> {
        /// So many keys and names are compared with each other; more are looked up.
        const FEW: usize = 4096;
        let is_strange = |key: &str| !names.contains(&key);
        if !self.reading.repairs() || !entries.iter().any(|(key, _)| is_strange(key)) {
            return entries;
        }
        if entries.len() * (entries.len() + names.len()) > FEW {
            return self.many_keys(entries, names, path);
        }
        for at in 0..entries.len() {
            let key = &entries[at].0;
            let mut alike = names.iter().filter(|name| same_key(name, key));
            if is_strange(key)
                && let (Some(name), None) = (alike.next(), alike.next())
                // However it is spelt, it stands there once.
                && entries.iter().filter(|(other, _)| same_key(other, key)).count() == 1
            {
                self.note_key(&Path::Key(path, name), key, name);
                entries[at].0 = (*name).to_owned().into();
            }
        }
        entries
    }

    fn many_keys<'t>(&mut self, entries: Entries<'t>, names: &[&str], path: &Path<'_>) -> Entries<'t> {
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
                Some(name) if key != name && given.get(&spelling) == Some(&1) => {
                    self.note_key(&Path::Key(path, name), &key, name);
                    renamed.push((name.to_owned().into(), value));
                }
                _ => renamed.push((key, value)),
            }
        }
        renamed
    }

    pub(super) fn note_key(&mut self, path: &Path<'_>, from: &str, to: &str) {
        if !self.is_trying() {
            self.repairs.push(note(&path.to_string(), from, to, RepairKind::Key));
        }
    }

    /// Whether a value says that it is left out: `null`, where the schema has no use for it, or an empty text where
    /// something else is asked for.
    pub(super) fn means_absent(&self, value: &Node<'_>, schema: &Value, takes_null: impl FnOnce() -> bool) -> bool {
        self.reading.repairs()
            && match value {
                Node::Null => !takes_null(),
                Node::Text(text) => {
                    let types = types(resolve(self.root, schema));
                    text.is_empty() && !types.is_empty() && !types.any(|name| matches!(name, "string" | "array"))
                }
                _ => false,
            }
    }

    pub(super) fn object<'t>(&mut self, entries: Entries<'t>, schema: &Value, parent: &Path<'_>) -> Entries<'t> {
        let none = serde_json::Map::new();
        let properties = keyword(schema, "properties").and_then(Value::as_object);
        let offset = std::mem::take(&mut self.offset);
        let closed = Value::Bool(false);
        let flat = std::mem::take(&mut self.flat) && keyword(schema, "properties").is_some();
        let others = keyword(schema, "additionalProperties").or(flat.then_some(&closed));
        let properties = properties.unwrap_or(&none);
        // A key that the schema takes as it is means what it says.
        let is_closed = others == Some(&closed) && keyword(schema, "patternProperties").is_none();
        let entries = if is_closed && !entries.iter().all(|(key, _)| property(properties, key).is_some()) {
            let names: Vec<&str> = properties.keys().map(String::as_str).collect();
            self.keys(entries, &names, parent)
        } else {
            entries
        };
        let mut strange = Vec::new();
        // Of arguments some of which are secret, nothing is shown together, and each by itself where it is not one.
        let whole = self.secret;
        let apart = self.place.is_empty() && !self.secrets.is_empty();
        let mut count = 0;
        let walked = entries.into_iter().filter_map(|(key, value)| {
            let own = property(properties, &key);
            let schema_of = own.or_else(|| limits::pattern_for(schema, &key));
            if apart {
                self.secret = self.secrets.iter().any(|secret| *secret == key);
            }
            if let Some(property) = schema_of
                && self.means_absent(&value, property, || describe::takes_null(self.root, property))
                && !describe::requires(schema, &key)
            {
                let name = self.below(&key, true);
                self.note_value(&Path::Key(parent, &name), &value, None);
                return None;
            }
            let value = match (schema_of, others) {
                (None, Some(Value::Bool(false))) => {
                    strange.push(count);
                    value
                }
                (Some(schema), _) | (None, Some(schema @ Value::Object(_))) => {
                    let name = self.below(&key, own.is_some());
                    self.place.push(offset + count);
                    let value = self.value(value, schema, &Path::Key(parent, &name));
                    self.place.pop();
                    value
                }
                (None, _) => value,
            };
            count += 1;
            Some((key, value))
        });
        let kept: Entries<'t> = walked.collect();
        self.secret &= !apart;
        self.report_keys(&kept, &strange, schema, parent);
        self.secret = whole;
        kept
    }

    /// Keys that are not known, and what is missing. Beside a stranger, what is missing may be there under another name
    /// that the type knows.
    fn report_keys(&mut self, kept: &[(Cow<'_, str>, Node<'_>)], strange: &[usize], schema: &Value, path: &Path<'_>) {
        let Some(properties) = keyword(schema, "properties").and_then(Value::as_object) else {
            let patterns = keyword(schema, "patternProperties").and_then(Value::as_object);
            let pattern = patterns.and_then(|patterns| patterns.keys().next());
            for &at in strange {
                self.problem(|walk| match pattern {
                    Some(pattern) => walk.odd_key(&kept[at].0, pattern, path),
                    None => walk.unknown_key(&kept[at].0, &[], path),
                });
            }
            return;
        };
        if strange.is_empty() && !describe::lacks(schema, kept) {
            return;
        }
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        let of = std::ptr::from_ref(schema).addr();
        let soft = !strange.is_empty() && !self.is_trying();
        for (name, property) in properties {
            if !describe::requires(schema, name) || kept.iter().any(|(key, _)| key == name) {
                continue;
            }
            let path = Path::Key(path, name);
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
                self.strangers.push(Stranger { place: self.place.clone(), key: Some(key.to_string()), of, words });
            } else {
                self.problem(|walk| walk.unknown_key(key, &names, path));
            }
        }
    }

    /// The name of an entry in a path. A key that is not the schema's own may be a part of a secret.
    pub(super) fn below<'k>(&self, key: &'k str, known: bool) -> Cow<'k, str> {
        if self.secret && !known { Cow::Borrowed(SECRET) } else { shorten(key, 64) }
    }
}

/// Of few properties looking at each is quicker than a hash.
fn property<'s>(all: &'s serde_json::Map<String, Value>, key: &str) -> Option<&'s Value> {
    if all.len() > 12 {
        return all.get(key);
    }
    all.iter().find(|(name, _)| *name == key).map(|(_, property)| property)
}
