//! The events of Bedrock's `ConverseStream`, as its SDKs decode them: each under its name.

use serde_json::{Map, Value, json};

use super::blocks::{Block, Blocks};
use super::{Assembly, Finished, Problem, append, drop_fragment, extend, number_of, object_of, text_of};

/// A reply in events.
#[derive(Default)]
pub(in crate::provider) struct Bedrock {
    role: String,
    blocks: Blocks,
    /// What stands beside the message.
    fields: Map<String, Value>,
    begun: bool,
    /// A server that does not stream.
    whole: Option<Value>,
}

impl Assembly for Bedrock {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        if event.contains_key("output") {
            let content = event.get("output").and_then(|output| output.pointer("/message/content"));
            let texts = content.and_then(Value::as_array).into_iter().flatten();
            texts.filter_map(|block| block.get("text")?.as_str()).for_each(|piece| text.push_str(piece));
            self.whole = Some(event.clone().into());
            return Ok(());
        }
        for (name, value) in event {
            let Value::Object(fields) = value else { continue };
            self.take_named(name, fields, text)?;
        }
        Ok(())
    }

    fn complete(&self) -> bool {
        self.whole.is_some() || self.fields.contains_key("stopReason")
    }

    fn finished(&self) -> usize {
        self.front().filter(|block| block.fields.contains_key("toolUse")).count()
    }

    fn finished_calls(&self) -> Option<Finished> {
        let calls = || self.front().filter(|block| block.fields.contains_key("toolUse"));
        let id = |block: &Block| {
            object_of(&block.fields, "toolUse").map(|call| text_of(call, "toolUseId").to_owned()).unwrap_or_default()
        };
        let content: Vec<Value> = calls().map(content).collect();
        let message = json!({ "role": "assistant", "content": content });
        let body = json!({ "output": { "message": message }, "stopReason": "tool_use" });
        Some(Finished { ids: calls().map(id).collect(), body })
    }

    fn finish(self: Box<Self>) -> Option<Value> {
        if self.whole.is_some() || !self.begun {
            return self.whole;
        }
        let content: Vec<Value> = self.blocks.iter().map(content).collect();
        let role = if self.role.is_empty() { "assistant" } else { &self.role };
        let mut body = Map::new();
        body.insert("output".to_owned(), json!({ "message": { "role": role, "content": content } }));
        body.insert("stopReason".to_owned(), "max_tokens".into());
        body.extend(self.fields);
        Some(body.into())
    }
}

impl Bedrock {
    fn take_named(&mut self, name: &str, fields: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        let number = number_of(fields, "contentBlockIndex");
        match name {
            "messageStart" => text_of(fields, "role").clone_into(&mut self.role),
            "contentBlockStart" => {
                let start = object_of(fields, "start").cloned().unwrap_or_default();
                self.blocks.open(number, start);
            }
            "contentBlockDelta" => {
                let block = self.blocks.find_or_open(number, Map::new);
                if let Some(delta) = object_of(fields, "delta") {
                    take_delta(block, delta, text);
                }
            }
            "contentBlockStop" => {
                if let Some(block) = self.blocks.find(number) {
                    block.closed = true;
                }
            }
            "messageStop" | "metadata" => {
                // Padding, so that nobody can tell the text by its length.
                let fields = fields.iter().filter(|(key, _)| *key != "p");
                self.fields.extend(fields.map(|(key, value)| (key.clone(), value.clone())));
                self.begun |= name == "messageStop";
                return Ok(());
            }
            _ if name.ends_with("Exception") => {
                let message = ["message", "originalMessage"].iter().find_map(|key| fields.get(*key)?.as_str());
                return Err(Problem::Reported(format!("{name}: {}", message.unwrap_or_default())));
            }
            _ => return Ok(()),
        }
        self.begun = true;
        Ok(())
    }

    /// The blocks before the first that is still open.
    fn front(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().take_while(|block| block.closed)
    }
}

fn take_delta(block: &mut Block, delta: &Map<String, Value>, text: &mut String) {
    for (kind, value) in delta {
        match (kind.as_str(), value) {
            ("text", Value::String(piece)) => {
                text.push_str(piece);
                append(&mut block.fields, "text", piece);
            }
            ("toolUse", Value::Object(call)) if block.fields.contains_key("toolUse") => {
                block.input.push_str(text_of(call, "input"));
            }
            ("toolUse", _) => drop_fragment(None),
            ("reasoningContent", Value::Object(thought)) => take_thought(&mut block.fields, thought),
            ("toolResult", Value::Array(results)) => {
                if let Value::Object(result) = block.fields.entry("toolResult").or_insert_with(|| Map::new().into()) {
                    extend(result, "content", results.iter().cloned());
                }
            }
            (kind, value) => {
                block.fields.insert(kind.to_owned(), value.clone());
            }
        }
    }
}

/// In pieces a thought has its text and its signature beside each other; in a whole message they are in an object.
fn take_thought(fields: &mut Map<String, Value>, thought: &Map<String, Value>) {
    let content = fields.entry("reasoningContent").or_insert_with(|| Map::new().into());
    let Value::Object(content) = content else { return };
    for (key, value) in thought {
        match (key.as_str(), value) {
            ("text" | "signature", Value::String(piece)) => {
                if let Value::Object(inner) = content.entry("reasoningText").or_insert_with(|| Map::new().into()) {
                    append(inner, key, piece);
                }
            }
            (key, Value::String(piece)) => append(content, key, piece),
            (key, value) => {
                content.insert(key.to_owned(), value.clone());
            }
        }
    }
}

/// The block as it stands in a whole message.
fn content(block: &Block) -> Value {
    let mut fields = block.fields.clone();
    if let Some(Value::Object(call)) = fields.get_mut("toolUse") {
        let input = block.arguments(call.get("input"));
        call.insert("input".to_owned(), input);
    }
    fields.into()
}

#[cfg(test)]
pub(super) mod tests;
