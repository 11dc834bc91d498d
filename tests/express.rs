//! Arguments as a model writes them under the schema that it was given, where that differs from the tool's own.

use serde_json::{Map, Value, json};
use toolkit::{Export, Provider};

/// The schema of a tool's arguments in an export; of one that says nothing of them, the empty one.
pub(crate) fn schema_of(export: &Export, tool: &str) -> Option<Value> {
    let envelope = |tool: &Value| match export.provider() {
        Provider::OpenAiResponses | Provider::Prompt => (tool["name"].clone(), tool["parameters"].clone()),
        Provider::Anthropic => (tool["name"].clone(), tool["input_schema"].clone()),
        Provider::Gemini => (tool["name"].clone(), tool["parametersJsonSchema"].clone()),
        Provider::Bedrock => (tool["toolSpec"]["name"].clone(), tool["toolSpec"]["inputSchema"]["json"].clone()),
        Provider::Mcp => (tool["name"].clone(), tool["inputSchema"].clone()),
        _ => (tool["function"]["name"].clone(), tool["function"]["parameters"].clone()),
    };
    let tools = match export.provider() {
        Provider::Gemini => export.tools().pointer("/0/functionDeclarations")?,
        _ => export.tools(),
    };
    let (_, schema) = tools.as_array()?.iter().map(envelope).find(|(name, _)| name == tool)?;
    Some(if schema.is_null() { json!({ "type": "object" }) } else { schema })
}

/// Arguments under the keys that the model sees.
pub(crate) fn rekeyed(export: &Export, tool: &str, mut arguments: Value) -> Value {
    for renamed in export.report().renamed_keys().iter().filter(|one| one.tool() == tool) {
        let sent = renamed.path().rsplit('/').next().unwrap_or_default();
        if let Some(value) = arguments.as_object_mut().and_then(|fields| fields.remove(renamed.key())) {
            arguments[sent] = value;
        }
    }
    arguments
}

/// A value as the schema has it; `None` where it cannot be said under it.
pub(crate) fn express(schema: &Value, value: &Value) -> Option<Value> {
    Expression { root: schema }.of(schema, value)
}

struct Expression<'a> {
    root: &'a Value,
}

impl Expression<'_> {
    fn of(&self, schema: &Value, value: &Value) -> Option<Value> {
        let said = self.say(schema, value)?;
        self.takes(schema, &said).then_some(said)
    }

    fn say(&self, schema: &Value, value: &Value) -> Option<Value> {
        if let Some(path) = schema["$ref"].as_str() {
            return self.say(self.root.pointer(path.strip_prefix('#')?)?, value);
        }
        if let Some(alternatives) = schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array) {
            return alternatives.iter().find_map(|one| self.of(one, value));
        }
        match value {
            Value::Object(fields) if is_pairs(schema) => {
                let of = &schema["items"]["properties"]["value"];
                fields.iter().map(|(key, value)| Some(json!({ "key": key, "value": self.of(of, value)? }))).collect()
            }
            Value::Object(fields) => self.fields(schema, fields).map(Value::Object),
            Value::Array(items) => {
                let places = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
                let say = |(place, item)| match places.get(place).or(schema.get("items")) {
                    Some(schema) => self.of(schema, item),
                    None => Some(item.clone()),
                };
                items.iter().enumerate().map(say).collect()
            }
            other => Some(other.clone()),
        }
    }

    fn fields(&self, schema: &Value, fields: &Map<String, Value>) -> Option<Map<String, Value>> {
        let empty = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&empty);
        let mut said = Map::new();
        for (key, property) in properties {
            let is_required = schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == key));
            match fields.get(key) {
                // A `null` that the schema does not take is said by leaving it out.
                Some(Value::Null) if !is_required && !self.takes(property, &Value::Null) => {}
                Some(value) => drop(said.insert(key.clone(), self.of(property, value)?)),
                None if is_required => drop(said.insert(key.clone(), Value::Null)),
                None => {}
            }
        }
        for (key, value) in fields.iter().filter(|(key, _)| !properties.contains_key(*key)) {
            let said_as = match &schema["additionalProperties"] {
                Value::Bool(false) => return None,
                more @ Value::Object(_) => self.of(more, value)?,
                _ => value.clone(),
            };
            said.insert(key.clone(), said_as);
        }
        Some(said)
    }

    /// Whether the schema, with the definitions of the root, takes the value.
    fn takes(&self, schema: &Value, value: &Value) -> bool {
        let mut whole = schema.clone();
        if let (Value::Object(whole), Value::Object(root)) = (&mut whole, self.root) {
            for key in ["$defs", "definitions"] {
                if let Some(definitions) = root.get(key) {
                    whole.insert(key.to_owned(), definitions.clone());
                }
            }
        }
        jsonschema::validator_for(&whole).is_ok_and(|validator| validator.is_valid(value))
    }
}

fn is_pairs(schema: &Value) -> bool {
    let properties = schema.pointer("/items/properties").and_then(Value::as_object);
    properties.is_some_and(|all| all.keys().eq(["key", "value"]))
}
