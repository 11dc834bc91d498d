//! A part of a schema that can be read without the rest.

use serde_json::{Map, Value};

use super::resolve;

/// The most references that are followed. Beyond them a type says what it is, and not what is in it.
const MOST: usize = 24;

/// The part with every definition in the place of its name, so that nothing in it refers to what is not there. Where a
/// type holds itself, it is opened once.
pub(crate) fn alone(root: &Value, part: &Value) -> Value {
    Open { root, left: MOST, within: Vec::new() }.unfold(part)
}

struct Open<'s> {
    root: &'s Value,
    left: usize,
    /// The names that are being opened.
    within: Vec<&'s str>,
}

impl<'s> Open<'s> {
    fn unfold(&mut self, part: &'s Value) -> Value {
        match part {
            Value::Array(items) => items.iter().map(|item| self.unfold(item)).collect(),
            Value::Object(keywords) => {
                let mut out = Map::new();
                let name = keywords.get("$ref").and_then(Value::as_str);
                if let Some(name) = name {
                    self.open(name, resolve(self.root, part), &mut out);
                }
                for (keyword, value) in keywords {
                    if keyword != "$ref" || name.is_none() {
                        out.insert(keyword.clone(), self.unfold(value));
                    }
                }
                Value::Object(out)
            }
            other => other.clone(),
        }
    }

    fn open(&mut self, name: &'s str, definition: &'s Value, out: &mut Map<String, Value>) {
        let Value::Object(keywords) = definition else { return };
        if self.left == 0 || self.within.contains(&name) {
            let kept = ["type", "description"].into_iter().filter_map(|key| keywords.get_key_value(key));
            out.extend(kept.map(|(key, value)| (key.clone(), value.clone())));
            return;
        }
        self.left -= 1;
        self.within.push(name);
        if let Value::Object(opened) = self.unfold(definition) {
            out.extend(opened);
        }
        self.within.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn definitions_stand_in_the_place_of_their_names() {
        let root = json!({"$defs": {
            "Guest": {"type": "object", "properties": {"email": {"$ref": "#/$defs/Email"}}},
            "Email": {"type": "string", "minLength": 3, "description": "An address."},
            "Tree": {"type": "object", "properties": {"children": {"items": {"$ref": "#/$defs/Tree"}}}},
        }});
        let part = json!({"anyOf": [{"$ref": "#/$defs/Guest", "description": "Who."}, {"type": "null"}]});
        let email = json!({"type": "string", "minLength": 3, "description": "An address."});
        let guest = json!({"type": "object", "properties": {"email": email}, "description": "Who."});
        assert_eq!(alone(&root, &part), json!({"anyOf": [guest, {"type": "null"}]}));
        let tree = json!({"type": "object", "properties": {"children": {"items": {"type": "object"}}}});
        assert_eq!(alone(&root, &json!({"$ref": "#/$defs/Tree"})), tree);
        assert_eq!(alone(&root, &json!({"properties": {"$ref": true}})), json!({"properties": {"$ref": true}}));
    }

    #[test]
    fn a_schema_that_doubles_with_every_name_stays_small() {
        let two = |next: usize| json!({"anyOf": [{"$ref": format!("#/$defs/T{next}")}, {"$ref": format!("#/$defs/T{next}")}]});
        let definitions: Map<String, Value> = (0..40).map(|at| (format!("T{at}"), two(at + 1))).collect();
        let root = json!({"$defs": definitions});
        let text = alone(&root, &json!({"$ref": "#/$defs/T0"})).to_string();
        assert!(text.len() < 10_000 && !text.contains("$ref"), "{} bytes", text.len());
    }
}
