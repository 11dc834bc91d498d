//! The way back from a provider's schema to the tool's own: what was changed is marked where it was changed, and a call's
//! arguments are read along the marked schema.
//!
//! The marks are keywords that no schema has and no provider sees. The tool's own types never learn of any of it.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value};

use crate::schema::{resolve, transform_subschemas};

/// On a property that may be left out and does not take `null`: a `null` means that it was left out.
pub(super) const ABSENT: &str = "\0absent";
/// On an array of objects with a `key` and a `value`: it stands for a map.
pub(super) const PAIRS: &str = "\0pairs";
/// On a text: it holds JSON.
pub(super) const TEXT: &str = "\0text";
/// On a property: its own key, which the provider does not take.
pub(super) const KEY: &str = "\0key";

/// Whether a keyword is a mark.
pub(super) fn is_mark(keyword: &str) -> bool {
    keyword.starts_with('\0')
}

/// How the arguments of one tool are turned back.
#[derive(Debug)]
pub(super) struct Undo(Value);

impl Undo {
    /// Takes the marks out of a schema; `None` where there are none.
    pub(super) fn of(schema: &mut Schema) -> Option<Self> {
        let mut search = Search { found: false };
        search.transform(schema);
        if !search.found {
            return None;
        }
        let marked = schema.clone().to_value();
        Unmark.transform(schema);
        Some(Self(marked))
    }

    /// The marked schema.
    pub(super) fn marked(&self) -> &Value {
        &self.0
    }

    /// Turns arguments back, and says whether anything was changed.
    pub(super) fn apply(&self, arguments: &mut Value) -> bool {
        Walk { root: &self.0 }.value(&self.0, arguments, 0)
    }
}

struct Search {
    found: bool,
}

impl Transform for Search {
    fn transform(&mut self, schema: &mut Schema) {
        self.found |= schema.as_object().is_some_and(|object| object.keys().any(|key| is_mark(key)));
        if !self.found {
            transform_subschemas(self, schema);
        }
    }
}

struct Unmark;

impl Transform for Unmark {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            object.retain(|key, _| !is_mark(key));
        }
        transform_subschemas(self, schema);
    }
}

/// Deeper than any value that a reader of JSON takes.
const DEEPEST: usize = 160;

struct Walk<'a> {
    root: &'a Value,
}

impl Walk<'_> {
    fn value(&self, schema: &Value, value: &mut Value, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let schema = self.branch(resolve(self.root, schema), value, depth);
        let mut changed = false;
        if let (Some(_), Value::String(text)) = (schema.get(TEXT), &*value)
            && let Ok(inner) = serde_json::from_str::<Value>(text)
        {
            *value = inner;
            return true;
        }
        if let (Some(_), Value::Array(items)) = (schema.get(PAIRS), &mut *value)
            && let Some(map) = map_of(items)
        {
            let values = schema.pointer("/items/properties/value");
            *value = Value::Object(map);
            for value in value.as_object_mut().into_iter().flat_map(Map::values_mut) {
                if let Some(values) = values {
                    self.value(values, value, depth + 1);
                }
            }
            return true;
        }
        match value {
            Value::Object(fields) => changed |= self.fields(schema, fields, depth),
            Value::Array(items) => {
                let places = schema.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                for (place, item) in items.iter_mut().enumerate() {
                    if let Some(schema) = places.get(place).or_else(|| schema.get("items")) {
                        changed |= self.value(schema, item, depth + 1);
                    }
                }
            }
            _ => {}
        }
        changed
    }

    fn fields(&self, schema: &Value, fields: &mut Map<String, Value>, depth: usize) -> bool {
        let properties = schema.get("properties").and_then(Value::as_object);
        let more = schema.get("additionalProperties").filter(|more| more.is_object());
        let mut changed = false;
        let mut is_renamed = false;
        for (key, value) in fields.iter_mut() {
            let property = properties.and_then(|properties| properties.get(key));
            is_renamed |= property.is_some_and(|property| property.get(KEY).is_some());
            if let Some(schema) = property.or(more) {
                changed |= self.value(schema, value, depth + 1);
            }
        }
        let Some(properties) = properties else { return changed };
        let before = fields.len();
        fields.retain(|key, value| !value.is_null() || properties.get(key).is_none_or(|of| of.get(ABSENT).is_none()));
        changed |= fields.len() != before;
        if is_renamed {
            let own = |key: String| match properties.get(&key).and_then(|property| property.get(KEY)) {
                Some(Value::String(own)) => own.clone(),
                _ => key,
            };
            *fields = std::mem::take(fields).into_iter().map(|(key, value)| (own(key), value)).collect();
        }
        changed || is_renamed
    }

    /// Of several alternatives the one that the value was written for.
    fn branch<'s>(&'s self, schema: &'s Value, value: &Value, depth: usize) -> &'s Value {
        let alternatives = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)?.as_array());
        let Some(alternatives) = alternatives.filter(|_| depth <= DEEPEST) else { return schema };
        let fitting =
            alternatives.iter().map(|one| resolve(self.root, one)).find(|one| self.fits(one, value, depth + 1));
        fitting.map_or(schema, |one| self.branch(one, value, depth + 1))
    }

    /// Whether a value can have been written for this schema: what tells alternatives apart, and no limits.
    fn fits(&self, schema: &Value, value: &Value, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let schema = resolve(self.root, schema);
        if let Some(alternatives) = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)?.as_array()) {
            return alternatives.iter().any(|one| self.fits(one, value, depth + 1));
        }
        let constant = schema.get("const").is_none_or(|constant| constant == value);
        let listed = schema.get("enum").and_then(Value::as_array).is_none_or(|list| list.contains(value));
        if !constant || !listed || !is_of_type(schema.get("type"), value) {
            return false;
        }
        match value {
            Value::Object(fields) => {
                let properties = schema.get("properties").and_then(Value::as_object);
                let property = |key: &str| properties.and_then(|properties| properties.get(key));
                let closed = schema.get("additionalProperties").is_some_and(|more| *more == false);
                let required = schema.get("required").and_then(Value::as_array);
                let is_there = |key: &Value| key.as_str().is_none_or(|key| fields.contains_key(key));
                required.is_none_or(|required| required.iter().all(is_there))
                    && fields.iter().all(|(key, value)| match property(key) {
                        Some(schema) => self.fits(schema, value, depth + 1),
                        None => !closed,
                    })
            }
            Value::Array(items) => {
                schema.get("items").is_none_or(|schema| items.iter().all(|item| self.fits(schema, item, depth + 1)))
            }
            _ => true,
        }
    }
}

fn is_of_type(kind: Option<&Value>, value: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        _ => true,
    };
    match kind {
        None => true,
        Some(Value::Array(kinds)) => kinds.iter().any(is),
        Some(kind) => is(kind),
    }
}

/// The map that an array of pairs stands for; `None` where it is something else.
fn map_of(items: &[Value]) -> Option<Map<String, Value>> {
    items.iter().map(|pair| Some((pair.get("key")?.as_str()?.to_owned(), pair.get("value")?.clone()))).collect()
}

#[cfg(test)]
mod tests;
