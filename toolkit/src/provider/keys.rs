//! The keys of properties, for providers that do not take every key.

use std::collections::BTreeSet;

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value, json};

use super::names::NameRule;
use super::undo;
use crate::schema::{Keywords as _, transform_subschemas};

/// Rewrites every key that the provider does not take, never two of one object into one, and marks it for the way back.
/// Says whether there was one.
pub(super) fn rewrite(schema: &mut Schema, rule: &'static NameRule) -> bool {
    let mut rewrite = Rewrite { rule, found: false };
    rewrite.transform(schema);
    rewrite.found
}

struct Rewrite {
    rule: &'static NameRule,
    found: bool,
}

impl Transform for Rewrite {
    fn transform(&mut self, schema: &mut Schema) {
        let properties = schema.keyword("properties").and_then(Value::as_object);
        if properties.is_some_and(|properties| properties.keys().any(|key| !self.rule.takes(key))) {
            self.found = true;
            self.object(schema);
        }
        transform_subschemas(self, schema);
    }
}

impl Rewrite {
    fn object(&self, schema: &mut Schema) {
        let Some(Value::Object(properties)) = schema.remove("properties") else { return };
        let mut taken: BTreeSet<String> = properties.keys().filter(|key| self.rule.takes(key)).cloned().collect();
        let mut sent = Map::new();
        let mut renamed = Map::new();
        for (key, mut property) in properties {
            if self.rule.takes(&key) {
                sent.insert(key, property);
                continue;
            }
            let new = self.rule.mend_apart(&key, |candidate| !taken.contains(candidate));
            taken.insert(new.clone());
            if property.is_boolean() {
                property = json!({});
            }
            property[undo::KEY] = key.as_str().into();
            renamed.insert(key, new.as_str().into());
            sent.insert(new, property);
        }
        schema.insert("properties".to_owned(), sent.into());
        for key in ["required", "propertyOrdering"] {
            for name in schema.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(new) = name.as_str().and_then(|name| renamed.get(name)) {
                    *name = new.clone();
                }
            }
        }
    }
}
