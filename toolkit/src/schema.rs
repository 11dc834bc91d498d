//! The one neutral JSON Schema of a tool's arguments, made by schemars and in no provider's dialect.

mod alone;
mod closed;
mod extent;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::Transform;
use serde_json::{Map, Value, json};

pub(crate) use self::alone::alone;
pub(crate) use self::extent::{demands_more, is_recursive_choice, unknown_keywords};

use crate::parameter::Param;
use crate::tool::OutputSchema;

/// An object with one property a parameter and every named type under `$defs`.
pub(crate) fn of_parameters<'d>(params: &[Param], default: impl Fn(usize) -> Option<&'d Value>) -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (index, param) in params.iter().enumerate() {
        properties.insert(param.name.to_owned(), param.schema(&mut generator, default(index)).to_value());
        if param.is_required() {
            required.push(Value::from(param.name));
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let mut schema = Schema::from(schema);
    closed::close(&mut schema);
    schema.to_value()
}

/// What a result looks like, with every named type under `$defs`. The outermost type stands at the root, where providers
/// look for its `type`, and under `$defs` too only if it is recursive.
pub(crate) fn of_output(make: OutputSchema) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = make(&mut generator).to_value();
    let mut definitions = generator.take_definitions(true);
    if let Some(path) = schema.get("$ref").and_then(Value::as_str).map(str::to_owned)
        && let Some(name) = path.strip_prefix("#/$defs/")
        && let Some(root) = definitions.get(name).cloned()
    {
        schema = root;
        let referred = |value: &Value| value.to_string().contains(&format!("\"{path}\""));
        if !referred(&schema) && !definitions.iter().any(|(other, value)| other != name && referred(value)) {
            definitions.shift_remove(name);
        }
    }
    if let (false, Value::Object(root)) = (definitions.is_empty(), &mut schema) {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// Takes a change to the schemas within one, as schemars does, whose walk is compiled once in this way.
pub(crate) fn transform_subschemas(change: &mut dyn Transform, schema: &mut Schema) {
    schemars::transform::transform_subschemas(change, schema);
}

/// A keyword of a schema.
pub(crate) fn keyword<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    schema.as_object()?.keyword(name)
}

/// What has keywords. There are few, so that looking at each is quicker than a hash.
pub(crate) trait Keywords {
    fn keyword(&self, name: &str) -> Option<&Value>;
}

impl Keywords for Map<String, Value> {
    fn keyword(&self, name: &str) -> Option<&Value> {
        self.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

impl Keywords for Value {
    fn keyword(&self, name: &str) -> Option<&Value> {
        keyword(self, name)
    }
}

impl Keywords for Schema {
    fn keyword(&self, name: &str) -> Option<&Value> {
        keyword(self.as_value(), name)
    }
}

/// The schema that a local reference names, such as `#/$defs/Address`; the schema itself where it is no reference.
pub(crate) fn resolve<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    // A chain of references that leads back to itself must not hang: no real one is this long.
    for _ in 0..32 {
        let Some(target) = keyword(schema, "$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'))
        else {
            break;
        };
        let found = match target.strip_prefix("/$defs/") {
            Some(name) if !name.contains(['/', '~']) => keyword(root, "$defs").and_then(|all| all.get(name)),
            _ => root.pointer(target),
        };
        match found {
            Some(found) => schema = found,
            None => break,
        }
    }
    schema
}
