//! The calls of one reply, however a provider writes them: each with an id of its own, and arguments of one form.

use foldhash::{HashMap, HashSet};
use serde_json::{Map, Value, json};

use super::Provider;
use super::error::ParseError;
use crate::arguments::shorten;
use crate::call::Arguments;

/// What a reply asks for.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// In their order, each id once and none blank.
    pub(super) calls: Vec<Written>,
    /// The reply broke off, so that nobody knows what the calls were to be.
    pub(super) cut_off: bool,
}

/// One call as the model wrote it. What could not be read is blank or raw text, so that it still gets an answer.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: Arguments,
    /// The place of what held it among the parts of the reply.
    pub(super) place: usize,
}

impl Written {
    /// A call, its id and name wherever they are texts.
    pub(super) fn new(place: usize, id: Option<&Value>, name: Option<&Value>, arguments: Arguments) -> Self {
        let id = match id {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => String::new(),
        };
        let name = name.and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { id, name, arguments, place }
    }
}

impl Reply {
    /// The calls, with their ids filled in.
    pub(super) fn new(mut calls: Vec<Written>, cut_off: bool) -> Self {
        fill_ids(&mut calls);
        Self { calls, cut_off }
    }

    /// The calls that this part of the reply held.
    pub(super) fn at(&self, place: usize) -> impl Iterator<Item = &Written> {
        self.calls.iter().filter(move |call| call.place == place)
    }
}

/// Gives every call an id of its own, the same ones for the same reply.
///
/// An id that was given stays with the first call that has it. The later ones get `id_1`, `id_2` and so on, and a call
/// without one gets `call_0`, where the number is its place; what is given anywhere in the reply is passed over.
fn fill_ids(calls: &mut [Written]) {
    let mut taken: HashSet<String> = HashSet::default();
    let wanting: Vec<usize> = calls
        .iter()
        .enumerate()
        .filter(|(_, call)| call.id.trim().is_empty() || !taken.insert(call.id.clone()))
        .map(|(place, _)| place)
        .collect();
    // Where the numbers of each id have got to, so that many equal ids take no longer than many others.
    let mut numbers: HashMap<String, usize> = HashMap::default();
    for place in wanting {
        let Some(call) = calls.get_mut(place) else { continue };
        let missing = call.id.trim().is_empty();
        let base = if missing { format!("call_{place}") } else { std::mem::take(&mut call.id) };
        let number = numbers.entry(base.clone()).or_insert(usize::from(!missing));
        call.id = loop {
            let fresh = if *number == 0 { base.clone() } else { format!("{base}_{number}") };
            *number += 1;
            if taken.insert(fresh.clone()) {
                break fresh;
            }
        };
    }
}

/// The arguments of a call, whether they came as text, as an object or not at all.
pub(super) fn arguments(value: Option<&Value>) -> Arguments {
    match value {
        None | Some(Value::Null) => Value::Object(Map::new()).into(),
        Some(Value::String(text)) if text.trim().is_empty() => Value::Object(Map::new()).into(),
        Some(Value::String(text)) => Arguments::raw(text),
        Some(object @ Value::Object(_)) => object.clone().into(),
        Some(other) => Arguments::raw(other.to_string()),
    }
}

/// The arguments as the text of a JSON object, which is what providers take back in the history.
///
/// Text that is an object stays as it is, and is taken out of a string that holds one. What means no arguments becomes
/// `{}`. Anything else would be refused and stands, as text, under the key `invalid` of an object.
pub(super) fn object_text(arguments: &Arguments) -> String {
    let text = arguments.text();
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(_)) => text.into_owned(),
        Ok(Value::String(inner)) if serde_json::from_str::<Map<String, Value>>(&inner).is_ok() => inner,
        Ok(Value::Null) => "{}".to_owned(),
        Ok(Value::Array(items)) if items.is_empty() => "{}".to_owned(),
        _ => json!({ "invalid": text }).to_string(),
    }
}

/// The same as a value, for providers that take an object.
pub(super) fn object_value(arguments: &Arguments) -> Value {
    serde_json::from_str(&object_text(arguments)).unwrap_or_else(|_| Value::Object(Map::new()))
}

/// What came, without the keys that hold nothing: a provider refuses some `null`s that it sends itself.
pub(super) fn without_nulls(part: &Value) -> Value {
    let mut part = part.clone();
    if let Some(fields) = part.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    part
}

/// The fields of a body that is a JSON object and reports no error.
pub(super) fn fields(provider: Provider, body: &Value) -> Result<&Map<String, Value>, ParseError> {
    let Value::Object(fields) = body else {
        return Err(ParseError::new(provider, format!("it is {}, and not a JSON object", kind(body))));
    };
    match fields.get("error").filter(|error| says_something(error)) {
        Some(error) => Err(ParseError::reported(provider, &error_text(error))),
        None => Ok(fields),
    }
}

/// That a body has no such field, or what the provider says instead of it.
pub(super) fn lacks(provider: Provider, fields: &Map<String, Value>, wanted: &str) -> ParseError {
    if let Some(message) = ["message", "Message", "detail"].iter().find_map(|key| fields.get(*key)?.as_str()) {
        return ParseError::reported(provider, message);
    }
    let keys: Vec<String> = fields.keys().take(8).map(|key| format!("`{}`", shorten(key, 32))).collect();
    let keys = if keys.is_empty() { "nothing".to_owned() } else { keys.join(", ") };
    ParseError::new(provider, format!("it has no {wanted}; it has {keys}"))
}

/// Some servers send an empty `error` beside a good reply.
pub(super) fn says_something(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

/// What the provider calls the error that it reports.
pub(super) fn error_kind(body: &Value) -> &str {
    ["/error/type", "/error/code", "/error/status"]
        .iter()
        .find_map(|pointer| body.pointer(pointer)?.as_str())
        .unwrap_or_default()
}

/// What an error says, however it is wrapped.
pub(super) fn error_text(error: &Value) -> String {
    let inner = error.get("error").filter(|inner| says_something(inner)).unwrap_or(error);
    let message = inner.get("message").unwrap_or(inner);
    message.as_str().map_or_else(|| message.to_string(), str::to_owned)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests;
