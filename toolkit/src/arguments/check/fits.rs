//! Whether a schema takes a value as it is.

use std::borrow::Cow;

use serde_json::Value;

use super::{Walk, branches, describe, limits, plain, types, union};
use crate::arguments::node::Node;
use crate::schema::{keyword, resolve};

impl Walk<'_> {
    /// Whether the schema takes the value without a repair. Alternatives are tried in the order and to the extent that
    /// serde tries them, so that a value on which serde would spend its life is given up here.
    pub(super) fn fits(&mut self, value: &Node<'_>, schema: &Value) -> bool {
        self.fits_beside(value, schema, false)
    }

    /// The same of an object whose schema, where it stands beside other properties, takes no others than its own.
    pub(super) fn fits_beside(&mut self, value: &Node<'_>, schema: &Value, flat: bool) -> bool {
        if !self.spend(1) {
            return false;
        }
        let schema = resolve(self.root, schema);
        if plain::takes(value, schema) {
            return true;
        }
        if let Some(all) = branches(schema) {
            return self.fits_one(value, all, schema);
        }
        let types = types(schema);
        if *schema == Value::Bool(false) || (!types.is_empty() && !types.any(|name| value.is_of_type(name))) {
            return false;
        }
        let listed = keyword(schema, "enum").and_then(Value::as_array);
        if listed.is_some_and(|all| !all.iter().any(|one| value.equals(one)))
            || limits::broken(value, schema, self.reading.language, true).is_some()
        {
            return false;
        }
        match value {
            Node::Object(entries) => self.fits_object(entries, schema, flat),
            Node::List(items) => {
                let places = keyword(schema, "prefixItems").and_then(Value::as_array);
                let schema_of = |index| places.and_then(|all| all.get(index)).or(keyword(schema, "items"));
                items.iter().enumerate().all(|(index, item)| schema_of(index).is_none_or(|one| self.fits(item, one)))
                    && !limits::holds_one_twice(items, schema)
            }
            _ => true,
        }
    }

    fn fits_one(&mut self, value: &Node<'_>, all: &[Value], schema: &Value) -> bool {
        // serde copies what it tries alternatives on.
        let size = value.size(self.steps);
        if !self.spend(size) {
            return false;
        }
        let all: Vec<&Value> = all.iter().map(|branch| resolve(self.root, branch)).collect();
        let Some(own) = keyword(schema, "properties").and_then(Value::as_object) else {
            return match union::named(value, &all) {
                Some(branch) => self.fits(value, branch),
                None => all.iter().any(|branch| self.fits(value, branch)),
            };
        };
        let Node::Object(entries) = value else { return false };
        let (mine, rest) = entries.iter().cloned().partition(|(key, _)| own.contains_key(&**key));
        let rest = Node::Object(rest);
        self.fits_object(&mine, schema, false)
            && match union::named(&rest, &all) {
                Some(branch) => self.fits_beside(&rest, branch, true),
                None => all.iter().any(|branch| self.fits_beside(&rest, branch, true)),
            }
    }

    fn fits_object(&mut self, entries: &[(Cow<'_, str>, Node<'_>)], schema: &Value, flat: bool) -> bool {
        let properties = keyword(schema, "properties").and_then(Value::as_object);
        let closed = Value::Bool(false);
        let others = keyword(schema, "additionalProperties").or((flat && properties.is_some()).then_some(&closed));
        let mut known = true;
        for (key, value) in entries {
            let own = properties.and_then(|all| all.get(&**key)).or_else(|| limits::pattern_for(schema, key));
            match own.or(others) {
                Some(Value::Bool(false)) if own.is_none() => known = false,
                Some(schema) if !self.fits(value, schema) => return false,
                _ => {}
            }
        }
        known
            && properties
                .into_iter()
                .flat_map(|all| all.keys())
                .all(|name| !describe::requires(schema, name) || entries.iter().any(|(key, _)| key == name))
    }
}
