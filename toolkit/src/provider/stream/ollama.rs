//! The lines of Ollama's chat: each a piece of the text, or whole calls.

use serde_json::{Map, Value, json};

use super::{Assembly, Finished, Problem, append, extend, object_of, objects, text_of, update};

/// A reply in lines.
#[derive(Default)]
pub(in crate::provider) struct Ollama {
    /// What stands beside the message.
    fields: Map<String, Value>,
    message: Map<String, Value>,
    begun: bool,
    ended: bool,
}

impl Assembly for Ollama {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        for (key, value) in event {
            if key != "message" {
                update(&mut self.fields, key, value);
            }
        }
        self.ended |= event.get("done").is_some_and(|done| done == true);
        self.begun |= self.ended || event.contains_key("message");
        for (key, value) in object_of(event, "message").into_iter().flatten() {
            match (key.as_str(), value) {
                ("content", Value::String(piece)) => {
                    text.push_str(piece);
                    append(&mut self.message, key, piece);
                }
                ("thinking", Value::String(piece)) => append(&mut self.message, key, piece),
                (key, Value::Array(items)) => extend(&mut self.message, key, items.iter().cloned()),
                (key, value) => update(&mut self.message, key, value),
            }
        }
        Ok(())
    }

    fn complete(&self) -> bool {
        self.ended
    }

    // A call comes whole.
    fn finished(&self) -> usize {
        objects(&self.message, "tool_calls").count()
    }

    fn finished_calls(&self) -> Option<Finished> {
        let ids = objects(&self.message, "tool_calls").map(|call| text_of(call, "id").to_owned()).collect();
        let message = json!({ "role": "assistant", "content": "", "tool_calls": self.message.get("tool_calls")? });
        Some(Finished { ids, body: json!({ "message": message, "done": true, "done_reason": "stop" }) })
    }

    fn finish(mut self: Box<Self>) -> Option<Value> {
        if !self.begun {
            return None;
        }
        self.message.entry("role").or_insert_with(|| "assistant".into());
        self.message.entry("content").or_insert_with(|| "".into());
        self.fields.insert("message".to_owned(), self.message.into());
        if !self.ended {
            self.fields.insert("done".to_owned(), true.into());
            self.fields.insert("done_reason".to_owned(), "length".into());
        }
        Some(self.fields.into())
    }
}

#[cfg(test)]
mod tests;
