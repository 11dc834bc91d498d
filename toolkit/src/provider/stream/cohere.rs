//! The events of Cohere's Chat, version 2.

use serde_json::{Map, Value, json};

use super::blocks::{Block, Blocks};
use super::{
    Assembly, Finished, Problem, append, drop_fragment, error_text, extend, number_of, object_of, objects,
    says_something,
};
use super::{text_of, update};

/// A reply in events.
#[derive(Default)]
pub(in crate::provider) struct Cohere {
    /// What stands beside the message.
    fields: Map<String, Value>,
    /// The message but for its content and its calls.
    message: Map<String, Value>,
    content: Blocks,
    calls: Blocks,
    begun: bool,
    ended: bool,
    /// A server that does not stream.
    whole: Option<Value>,
}

impl Assembly for Cohere {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        let number = number_of(event, "index");
        let delta = object_of(event, "delta");
        let message = delta.and_then(|delta| object_of(delta, "message"));
        let kind = text_of(event, "type");
        if kind.is_empty() {
            return self.take_whole(event, text);
        }
        match kind {
            "message-start" => {
                if let Some(id) = event.get("id") {
                    update(&mut self.fields, "id", id);
                }
                for (key, value) in message.into_iter().flatten() {
                    self.message.insert(key.clone(), value.clone());
                }
            }
            "content-start" => {
                let block = message.and_then(|message| object_of(message, "content")).cloned().unwrap_or_default();
                text.push_str(text_of(&block, "text"));
                self.content.open(number, block);
            }
            "content-delta" => {
                if let Some(piece) = message.and_then(|message| object_of(message, "content")) {
                    self.take_content(number, piece, text);
                }
            }
            "tool-plan-delta" => {
                append(&mut self.message, "tool_plan", message.map_or("", |message| text_of(message, "tool_plan")));
            }
            "tool-call-start" => {
                for call in message.into_iter().flat_map(|message| objects(message, "tool_calls")) {
                    let input = object_of(call, "function").map_or("", |function| text_of(function, "arguments"));
                    self.calls.open(number, call.clone()).input.push_str(input);
                }
            }
            "tool-call-delta" => {
                for call in message.into_iter().flat_map(|message| objects(message, "tool_calls")) {
                    let input = object_of(call, "function").map_or("", |function| text_of(function, "arguments"));
                    match self.calls.find(number) {
                        Some(block) => block.input.push_str(input),
                        None => drop_fragment(number),
                    }
                }
            }
            "tool-call-end" => {
                if let Some(call) = self.calls.find(number) {
                    call.closed = true;
                }
            }
            "citation-start" => {
                let citations = message.into_iter().flat_map(|message| objects(message, "citations"));
                extend(&mut self.message, "citations", citations.map(|citation| citation.clone().into()));
            }
            "message-end" => self.end(delta)?,
            _ => return Ok(()),
        }
        self.begun = true;
        Ok(())
    }

    fn complete(&self) -> bool {
        self.ended || self.whole.is_some()
    }

    fn finished(&self) -> usize {
        self.front().count()
    }

    fn finished_calls(&self) -> Option<Finished> {
        let ids = self.front().map(|call| text_of(&call.fields, "id").to_owned()).collect();
        let calls: Vec<Value> = self.front().map(written).collect();
        let message = json!({ "role": "assistant", "tool_calls": calls });
        Some(Finished { ids, body: json!({ "finish_reason": "TOOL_CALL", "message": message }) })
    }

    fn finish(mut self: Box<Self>) -> Option<Value> {
        if self.whole.is_some() || !self.begun {
            return self.whole;
        }
        let mut message = self.message;
        message.entry("role").or_insert_with(|| "assistant".into());
        message.insert("content".to_owned(), self.content.into_iter().map(|block| Value::from(block.fields)).collect());
        message.insert("tool_calls".to_owned(), self.calls.iter().map(written).collect());
        // A whole message has none of these where there is nothing in them.
        message
            .retain(|_, value| !value.is_null() && value != "" && value.as_array().is_none_or(|list| !list.is_empty()));
        if !self.ended {
            self.fields.insert("finish_reason".to_owned(), "MAX_TOKENS".into());
        }
        self.fields.insert("message".to_owned(), message.into());
        Some(self.fields.into())
    }
}

impl Cohere {
    fn take_whole(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        match event.get("message") {
            Some(Value::Object(message)) => {
                objects(message, "content").for_each(|part| text.push_str(text_of(part, "text")));
                self.whole = Some(event.clone().into());
                Ok(())
            }
            Some(Value::String(message)) => Err(Problem::Reported(message.clone())),
            _ => Ok(()),
        }
    }

    fn take_content(&mut self, number: Option<u64>, piece: &Map<String, Value>, text: &mut String) {
        let kind = if piece.contains_key("thinking") { "thinking" } else { "text" };
        let block = self.content.find_or_open(number, || Map::from_iter([("type".to_owned(), kind.into())]));
        for (key, value) in piece {
            match (key.as_str(), value) {
                ("text", Value::String(piece)) => {
                    text.push_str(piece);
                    append(&mut block.fields, key, piece);
                }
                ("thinking", Value::String(piece)) => append(&mut block.fields, key, piece),
                (key, value) => update(&mut block.fields, key, value),
            }
        }
    }

    fn end(&mut self, delta: Option<&Map<String, Value>>) -> Result<(), Problem> {
        for (key, value) in delta.into_iter().flatten() {
            if key == "error" && says_something(value) {
                return Err(Problem::Reported(error_text(value)));
            }
            update(&mut self.fields, key, value);
        }
        self.ended = true;
        Ok(())
    }

    /// The calls before the first that is still open.
    fn front(&self) -> impl Iterator<Item = &Block> {
        self.calls.iter().take_while(|call| call.closed)
    }
}

/// The call as it stands in a whole message.
fn written(call: &Block) -> Value {
    let mut fields = call.fields.clone();
    if let Value::Object(function) = fields.entry("function").or_insert_with(|| Map::new().into()) {
        function.insert("arguments".to_owned(), call.input.as_str().into());
    }
    fields.into()
}

#[cfg(test)]
pub(super) mod tests;
