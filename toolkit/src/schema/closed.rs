//! Makes the schema say what is enforced: one object in one place, and no key that the type does not know.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value};

use super::transform_subschemas;

/// Makes the schema of all parameters plain and closed.
pub(super) fn close(schema: &mut Schema) {
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    Merge { definitions }.transform(schema);
    Close { open: false }.transform(schema);
}

/// Brings the properties of a variant's struct and the tag beside them together. schemars writes a reference with
/// siblings, which every reader takes for something else.
struct Merge {
    definitions: Map<String, Value>,
}

impl Transform for Merge {
    fn transform(&mut self, schema: &mut Schema) {
        if let (Some(path), true) = (schema.get("$ref").and_then(Value::as_str), schema.get("properties").is_some())
            && let Some(target) = path.strip_prefix("#/$defs/").and_then(|name| self.definitions.get(name))
            && let Some(properties) = target.get("properties").and_then(Value::as_object)
            && !is_open(target)
        {
            let (properties, required) = (properties.clone(), target.get("required").cloned());
            let object = schema.ensure_object();
            object.shift_remove("$ref");
            if let Some(Value::Object(own)) = object.get_mut("properties") {
                for (name, property) in properties {
                    own.entry(name).or_insert(property);
                }
            }
            if let (Some(Value::Array(own)), Some(Value::Array(more))) = (object.get_mut("required"), required) {
                let more: Vec<Value> = more.into_iter().filter(|name| !own.contains(name)).collect();
                own.extend(more);
            }
        }
        transform_subschemas(self, schema);
    }
}

/// Adds `additionalProperties: false` wherever it follows from the type.
struct Close {
    /// Whether the schema in hand stands beside properties that it does not list.
    open: bool,
}

impl Transform for Close {
    fn transform(&mut self, schema: &mut Schema) {
        let has_properties = schema.get("properties").is_some();
        if has_properties && !self.open && schema.as_object().is_some_and(|object| !is_open_object(object)) {
            schema.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        let alternatives =
            ["oneOf", "anyOf", "allOf"].into_iter().find(|key| has_properties && schema.get(*key).is_some());
        let apart = alternatives.and_then(|key| Some((key, schema.ensure_object().shift_remove(key)?)));
        transform_subschemas(&mut Close { open: false }, schema);
        if let Some((key, mut branches)) = apart {
            for branch in branches.as_array_mut().into_iter().flatten() {
                if let Ok(branch) = <&mut Schema>::try_from(branch) {
                    Close { open: true }.transform(branch);
                }
            }
            schema.insert(key.to_owned(), branches);
        }
    }
}

fn is_open(schema: &Value) -> bool {
    schema.as_object().is_none_or(is_open_object)
}

/// Whether keys beside the listed properties have a meaning, or are ruled on already.
fn is_open_object(object: &Map<String, Value>) -> bool {
    const RULED: [&str; 7] =
        ["additionalProperties", "unevaluatedProperties", "patternProperties", "oneOf", "anyOf", "allOf", "$ref"];
    RULED.iter().any(|key| object.contains_key(*key))
}
