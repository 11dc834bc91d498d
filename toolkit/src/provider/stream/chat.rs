//! The chunks of Chat Completions, from OpenAI and all that speak it.

mod calls;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use self::calls::{Call, Calls};
use super::{Assembly, Finished, Problem, append, extend, number_of, object_of, objects, text_of, update};

/// A reply in chunks.
#[derive(Default)]
pub(in crate::provider) struct Chat {
    /// What stands beside the choices.
    fields: Map<String, Value>,
    /// By their numbers, of which a server may leave some out.
    choices: BTreeMap<u64, Choice>,
    /// The mark after the last chunk has come. Some servers send it and no reason, some a reason and no mark.
    done: bool,
}

#[derive(Default)]
struct Choice {
    /// What stands beside the message.
    fields: Map<String, Value>,
    /// The message but for its calls.
    message: Map<String, Value>,
    calls: Calls,
    /// What stood in the place of calls until 2023.
    legacy: Option<Call>,
    /// Some servers send a whole message, in the place of pieces or after them.
    whole: Option<Value>,
}

/// What comes in pieces of text. Other texts are sent again and mean the same.
const TEXTS: [&str; 3] = ["refusal", "reasoning", "reasoning_content"];

impl Assembly for Chat {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        if !event.contains_key("choices")
            && let Some(message) = ["message", "detail"].iter().find_map(|key| event.get(*key)?.as_str())
        {
            return Err(Problem::Reported(message.to_owned()));
        }
        for (key, value) in event {
            if key != "choices" {
                update(&mut self.fields, key, value);
            }
        }
        for chunk in objects(event, "choices") {
            let number = number_of(chunk, "index").unwrap_or(0);
            // A conversation goes on from the first choice, and its text is the one that is shown.
            let mut unseen = String::new();
            let first = self.choices.first_key_value().is_none_or(|(first, _)| number <= *first);
            self.choices.entry(number).or_default().take(chunk, if first { text } else { &mut unseen });
        }
        Ok(())
    }

    fn done(&mut self) {
        self.done = true;
    }

    fn complete(&self) -> bool {
        self.done || self.first().is_some_and(Choice::ended)
    }

    // No chunk says that one call is finished and another is not.
    fn finished(&self) -> usize {
        self.first().filter(|choice| choice.ended()).map_or(0, |choice| choice.calls.len())
    }

    fn finished_calls(&self) -> Option<Finished> {
        let choice = self.first().filter(|choice| choice.ended())?;
        let message = json!({ "role": "assistant", "content": null, "tool_calls": choice.calls.written() });
        let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": choice.reason() }] });
        Some(Finished { ids: choice.calls.ids(), body })
    }

    fn finish(mut self: Box<Self>) -> Option<Value> {
        if self.choices.is_empty() {
            return None;
        }
        let done = self.done;
        let choices = self.choices.into_iter().map(|(number, choice)| choice.finish(number, done)).collect();
        if self.fields.contains_key("object") {
            self.fields.insert("object".to_owned(), "chat.completion".into());
        }
        self.fields.insert("choices".to_owned(), choices);
        Some(self.fields.into())
    }
}

impl Chat {
    fn first(&self) -> Option<&Choice> {
        self.choices.first_key_value().map(|(_, choice)| choice)
    }
}

impl Choice {
    fn take(&mut self, chunk: &Map<String, Value>, text: &mut String) {
        for (key, value) in chunk {
            match key.as_str() {
                "delta" | "message" | "index" => {}
                "finish_reason" if value == "" => {}
                _ => update(&mut self.fields, key, value),
            }
        }
        if let Some(message) = object_of(chunk, "message") {
            if self.message.is_empty() {
                text.push_str(text_of(message, "content"));
            }
            self.whole = Some(message.clone().into());
        }
        for (key, value) in object_of(chunk, "delta").into_iter().flatten() {
            match (key.as_str(), value) {
                ("tool_calls", _) => {}
                ("function_call", Value::Object(function)) => {
                    self.legacy.get_or_insert_default().take_function(function);
                }
                ("content", Value::String(piece)) => {
                    text.push_str(piece);
                    self.take_content(piece);
                }
                ("content", Value::Array(parts)) => parts.iter().for_each(|part| self.take_part(part, text)),
                (key, Value::String(piece)) if TEXTS.contains(&key) => append(&mut self.message, key, piece),
                (key, Value::Array(items)) => extend(&mut self.message, key, items.iter().cloned()),
                (key, value) => update(&mut self.message, key, value),
            }
        }
        for call in object_of(chunk, "delta").into_iter().flat_map(|delta| objects(delta, "tool_calls")) {
            self.calls.take(call);
        }
    }

    fn take_content(&mut self, piece: &str) {
        if piece.is_empty() && self.message.contains_key("content") {
            return;
        }
        match self.message.get_mut("content") {
            Some(Value::Array(parts)) => add_part(parts, &json!({ "type": "text", "text": piece })),
            _ => append(&mut self.message, "content", piece),
        }
    }

    /// Content in parts, as Mistral's models that think send it. What was one text so far becomes the first part.
    fn take_part(&mut self, part: &Value, text: &mut String) {
        if part.get("type").is_some_and(|kind| kind == "text") {
            text.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
        }
        let content = self.message.entry("content").or_insert(Value::Null);
        let parts = match content {
            Value::Array(parts) => parts,
            other => {
                let before = other.as_str().filter(|before| !before.is_empty());
                *other = before.map(|before| json!({ "type": "text", "text": before })).into_iter().collect();
                let Value::Array(parts) = other else { return };
                parts
            }
        };
        add_part(parts, part);
    }

    fn reason(&self) -> &Value {
        self.fields.get("finish_reason").unwrap_or(&Value::Null)
    }

    fn ended(&self) -> bool {
        !self.reason().is_null() || self.whole.is_some()
    }

    fn finish(mut self, number: u64, done: bool) -> Value {
        let ended = done || self.ended();
        let mut choice = Map::new();
        choice.insert("index".to_owned(), number.into());
        choice.insert("message".to_owned(), self.whole.take().unwrap_or_else(|| self.message()));
        choice.insert("finish_reason".to_owned(), Value::Null);
        choice.extend(self.fields);
        if !ended {
            choice.insert("finish_reason".to_owned(), "length".into());
        }
        choice.into()
    }

    fn message(&mut self) -> Value {
        let mut message = std::mem::take(&mut self.message);
        message.entry("role").or_insert_with(|| "assistant".into());
        message.entry("content").or_insert(Value::Null);
        if let Some(call) = &self.legacy {
            message.insert("function_call".to_owned(), call.function());
        }
        if self.calls.len() > 0 {
            message.insert("tool_calls".to_owned(), self.calls.written());
        }
        message.into()
    }
}

/// Adds a part. A text that follows a text goes on with it, and a thought with a thought.
fn add_part(parts: &mut Vec<Value>, part: &Value) {
    let (Some(Value::Object(last)), Value::Object(fields)) = (parts.last_mut(), part) else {
        return parts.push(part.clone());
    };
    match (text_of(last, "type"), text_of(fields, "type")) {
        ("text", "text") => append(last, "text", text_of(fields, "text")),
        ("thinking", "thinking") => {
            if !matches!(last.get("thinking"), Some(Value::Array(_))) {
                return parts.push(part.clone());
            }
            let Some(Value::Array(thoughts)) = last.get_mut("thinking") else { return };
            objects(fields, "thinking").for_each(|thought| add_part(thoughts, &thought.clone().into()));
        }
        _ => parts.push(part.clone()),
    }
}

#[cfg(test)]
mod tests;
