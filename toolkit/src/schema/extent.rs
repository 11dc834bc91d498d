//! What of a schema serde checks by itself, and what it leaves to us.

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::Value;

use crate::arguments::range_of;

/// Whether a schema demands something of a value that reading it into its type does not check.
pub(crate) fn demands_more(schema: &Value) -> bool {
    let Ok(mut schema) = Schema::try_from(schema.clone()) else { return true };
    let mut search = Search { found: false };
    search.transform(&mut schema);
    search.found
}

struct Search {
    found: bool,
}

impl Transform for Search {
    fn transform(&mut self, schema: &mut Schema) {
        self.found |= node_demands_more(schema);
        if !self.found {
            transform_subschemas(self, schema);
        }
    }
}

fn node_demands_more(schema: &Schema) -> bool {
    const NEVER_CHECKED: [&str; 10] = [
        "pattern",
        "multipleOf",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "contains",
        "not",
        "propertyNames",
    ];
    if NEVER_CHECKED.iter().any(|key| schema.get(*key).is_some()) {
        return true;
    }
    let natural = schema.get("format").and_then(Value::as_str).and_then(range_of);
    let is_natural = |key: &str| match (schema.get(key), &natural) {
        (None, _) => true,
        (Some(bound), Some((least, most))) => bound.to_string() == *if key == "minimum" { least } else { most },
        (Some(_), None) => false,
    };
    if !is_natural("minimum") || !is_natural("maximum") {
        return true;
    }
    let both = |least: &str, most: &str| (schema.get(least), schema.get(most));
    let is_char = matches!(both("minLength", "maxLength"), (Some(a), Some(b)) if a == b && *a == 1);
    if both("minLength", "maxLength") != (None, None) && !is_char {
        return true;
    }
    // An array or a tuple of a fixed length is read as one.
    match both("minItems", "maxItems") {
        (None, None) => false,
        (Some(least), Some(most)) => least != most,
        _ => true,
    }
}
