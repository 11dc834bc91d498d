//! Looks through a schema for what a provider is known to refuse.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value};

use super::dialect::{Broken, Rule, SchemaRule};
use super::schema::Extent;
use crate::schema::transform_subschemas;

/// The key under which every object of the copy that is looked through carries its own place: schemars walks the schemas
/// and does not say where it is. No schema has such a key, and a text is no schema, so that the walk passes it by.
const PLACE: &str = "\0place";
const ROOT: &str = "#";

/// Every rule that the schema breaks, and where, as a JSON Pointer: those of the root first. With it the extent of the
/// schema, which the rules of the root ask for and later counts of the request too. The schema stays as it is.
pub(super) fn broken(schema: &mut Schema, rules: &'static [SchemaRule]) -> (Vec<(String, &'static Rule)>, Extent) {
    let mut search = Search { rules, found: false, extent: Extent::default() };
    search.transform(schema);
    let Search { found, extent, .. } = search;
    let of_root = rules.iter().filter(|rule| matches!(rule.broken, Broken::AtRoot(broken) if broken(schema, &extent)));
    let mut lint = Lint { rules, found: of_root.map(|rule| (ROOT.to_owned(), &rule.rule)).collect() };
    // Nearly every schema breaks nothing, and needs no places.
    if found || schema.as_object().is_none() {
        let mut marked = schema.as_value().clone();
        mark(&mut marked, ROOT);
        match Schema::try_from(marked) {
            Ok(mut marked) if marked.as_object().is_some() => lint.transform(&mut marked),
            _ => lint.look(schema, ROOT),
        }
    }
    (lint.found, extent)
}

/// Finds out whether there is anything to look for, and how much there is of everything.
struct Search {
    rules: &'static [SchemaRule],
    found: bool,
    extent: Extent,
}

impl Transform for Search {
    fn transform(&mut self, node: &mut Schema) {
        // A schema within another that is `true` or `false` breaks nothing, as that of `additionalProperties` mostly is.
        self.found |= node.as_object().is_some()
            && self.rules.iter().any(|rule| matches!(rule.broken, Broken::Anywhere(broken) if broken(node)));
        let level = self.extent.enter(node);
        transform_subschemas(self, node);
        self.extent.leave(level);
    }
}

fn mark(value: &mut Value, place: &str) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                mark(value, &format!("{place}/{}", key.replace('~', "~0").replace('/', "~1")));
            }
            object.insert(PLACE.to_owned(), place.into());
        }
        Value::Array(list) => {
            for (index, value) in list.iter_mut().enumerate() {
                mark(value, &format!("{place}/{index}"));
            }
        }
        _ => {}
    }
}

struct Lint {
    rules: &'static [SchemaRule],
    found: Vec<(String, &'static Rule)>,
}

impl Lint {
    fn look(&mut self, node: &Schema, place: &str) {
        for SchemaRule { broken, rule } in self.rules {
            if matches!(broken, Broken::Anywhere(broken) if broken(node)) {
                self.found.push((place.to_owned(), rule));
            }
        }
    }
}

impl Transform for Lint {
    fn transform(&mut self, node: &mut Schema) {
        if let Some(place) = node.as_object().and_then(|node: &Map<String, Value>| node.get(PLACE)) {
            let place = place.as_str().unwrap_or_default().to_owned();
            self.look(node, &place);
        }
        transform_subschemas(self, node);
    }
}

#[cfg(test)]
mod tests;
