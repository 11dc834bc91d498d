//! References, replaced by what they refer to.

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::{Map, Value, json};

use crate::schema::{Keywords as _, transform_subschemas};

/// How often a recursive type stands within itself before it is cut.
const DEEPEST: usize = 2;
/// How many values the copies have at most, all together. A type that uses another eight times, which uses a third eight
/// times, would otherwise grow without end.
const MOST_VALUES: usize = 4_000;

/// Replaces every reference. Where a type goes on within itself it is cut, and says so.
pub(in crate::provider) fn inlined(root: &mut Schema) {
    replace(
        root,
        |_| true,
        |node| {
            let described = node.keyword("description").and_then(Value::as_str).map(str::to_owned);
            let cut = "of the same kind as the object around it; its form is not repeated here";
            let description = described.map_or_else(|| cut.to_owned(), |own| format!("{own} ({cut})"));
            *node = schemars::json_schema!({ "type": "object", "description": description });
        },
    );
    if let Some(root) = root.as_object_mut() {
        root.shift_remove("$defs");
        root.shift_remove("definitions");
    }
}

/// Replaces the references that have more beside them than a description and a default, and those that lead elsewhere
/// than to a definition.
pub(in crate::provider) fn inlined_beside(root: &mut Schema) {
    let is_wanted = |node: &Map<String, Value>| {
        let leads_to = |path: &str| path == "#" || path.starts_with("#/$defs/") || path.starts_with("#/definitions/");
        let beside = |key: &String| !key.starts_with('$') && !matches!(key.as_str(), "description" | "default");
        node.keys().any(beside) || !node.keyword("$ref").and_then(Value::as_str).is_some_and(leads_to)
    };
    replace(root, is_wanted, |node| {
        if let Some(node) = node.as_object_mut() {
            node.retain(|key, _| key.starts_with('$') || key == "description");
        }
    });
}

/// Replaces the references that have anything beside them.
pub(in crate::provider) fn inlined_siblings(root: &mut Schema) {
    replace(
        root,
        |node| node.keys().any(|key| key != "$ref" && key != "$defs"),
        |node| {
            if let Some(node) = node.as_object_mut() {
                node.retain(|key, _| key.starts_with('$'));
            }
        },
    );
}

fn replace(root: &mut Schema, is_wanted: fn(&Map<String, Value>) -> bool, cut: fn(&mut Schema)) {
    if !has_reference(root.as_value()) {
        return;
    }
    let original = root.as_value().clone();
    let mut inline = Inline { root: &original, within: vec!["#".to_owned()], left: MOST_VALUES, is_wanted, cut };
    inline.transform(root);
}

/// Whether there is a reference anywhere; a property of that name costs a copy and no more.
pub(super) fn has_reference(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| key == "$ref" || has_reference(value)),
        Value::Array(list) => list.iter().any(has_reference),
        _ => false,
    }
}

struct Inline<'a> {
    root: &'a Value,
    /// The references that led here.
    within: Vec<String>,
    left: usize,
    is_wanted: fn(&Map<String, Value>) -> bool,
    cut: fn(&mut Schema),
}

impl Transform for Inline<'_> {
    fn transform(&mut self, node: &mut Schema) {
        let before = self.within.len();
        while let Some(path) = self.wanted(node) {
            let target = pointed(self.root, &path);
            let deep = self.within.iter().filter(|one| **one == path).count() >= DEEPEST;
            let values = target.map_or(0, count);
            let Some(target) = target.filter(|_| !deep && values <= self.left) else {
                (self.cut)(node);
                break;
            };
            self.left -= values;
            self.within.push(path);
            *node = merged(target, node);
        }
        transform_subschemas(self, node);
        self.within.truncate(before);
    }
}

impl Inline<'_> {
    fn wanted(&self, node: &Schema) -> Option<String> {
        let object = node.as_object()?;
        let path = object.keyword("$ref")?.as_str()?;
        (self.is_wanted)(object).then(|| path.to_owned())
    }
}

/// What a local reference leads to.
fn pointed<'a>(root: &'a Value, path: &str) -> Option<&'a Value> {
    let pointer = path.strip_prefix('#')?;
    root.pointer(pointer).or_else(|| root.pointer(&percent_decoded(pointer)))
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The target, with what stands beside the reference over it.
fn merged(target: &Value, node: &Schema) -> Schema {
    let mut merged = match target {
        Value::Object(target) => target.clone(),
        Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
        _ => Map::new(),
    };
    merged.shift_remove("$defs");
    merged.shift_remove("definitions");
    for (key, value) in node.as_object().into_iter().flatten().filter(|(key, _)| *key != "$ref") {
        merged.insert(key.clone(), value.clone());
    }
    merged.into()
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(object) => object.values().map(count).sum(),
        Value::Array(list) => list.iter().map(count).sum::<usize>(),
        _ => 0,
    }
}
