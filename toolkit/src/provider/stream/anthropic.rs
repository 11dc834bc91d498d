//! The events of Anthropic's Messages.

use serde_json::{Map, Value, json};

use super::blocks::{Block, Blocks};
use super::{Assembly, Finished, Problem, append, drop_fragment, extend, number_of, object_of, text_of, update};

/// A reply in events.
#[derive(Default)]
pub(in crate::provider) struct Anthropic {
    /// The message but for its content.
    fields: Map<String, Value>,
    blocks: Blocks,
    begun: bool,
    ended: bool,
}

impl Assembly for Anthropic {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        let number = number_of(event, "index");
        match text_of(event, "type") {
            "message_start" => self.start(object_of(event, "message")),
            // A server that does not stream.
            "message" => {
                self.start(Some(event));
                self.ended = true;
                self.blocks.iter().for_each(|block| text.push_str(plain_text(&block.fields)));
            }
            "content_block_start" => {
                let block = object_of(event, "content_block").cloned().unwrap_or_default();
                text.push_str(plain_text(&block));
                self.blocks.open(number, block);
                self.begun = true;
            }
            "content_block_delta" => {
                self.begun = true;
                if let Some(delta) = object_of(event, "delta") {
                    self.take_delta(number, delta, text);
                }
            }
            "content_block_stop" => {
                if let Some(block) = self.blocks.find(number) {
                    block.closed = true;
                }
            }
            "message_delta" => {
                self.begun = true;
                for (key, value) in object_of(event, "delta").into_iter().flatten() {
                    update(&mut self.fields, key, value);
                }
                if let (Some(usage), Value::Object(total)) =
                    (object_of(event, "usage"), self.fields.entry("usage").or_insert_with(|| Map::new().into()))
                {
                    usage.iter().for_each(|(key, value)| update(total, key, value));
                }
                self.ended |= !text_of(&self.fields, "stop_reason").is_empty();
            }
            "message_stop" => self.ended = true,
            _ => {}
        }
        Ok(())
    }

    fn complete(&self) -> bool {
        self.ended
    }

    fn finished(&self) -> usize {
        self.front().filter(|block| is_call(block)).count()
    }

    fn finished_calls(&self) -> Option<Finished> {
        let calls = || self.front().filter(|block| is_call(block));
        let content: Vec<Value> = calls().map(content).collect();
        let ids = calls().map(|block| text_of(&block.fields, "id").to_owned()).collect();
        let body = json!({ "type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use" });
        Some(Finished { ids, body })
    }

    fn finish(mut self: Box<Self>) -> Option<Value> {
        if !self.begun {
            return None;
        }
        let content = self.blocks.iter().map(content).collect();
        self.fields.entry("type").or_insert_with(|| "message".into());
        self.fields.entry("role").or_insert_with(|| "assistant".into());
        self.fields.insert("content".to_owned(), content);
        if !self.ended {
            self.fields.insert("stop_reason".to_owned(), "max_tokens".into());
        }
        Some(self.fields.into())
    }
}

impl Anthropic {
    fn start(&mut self, message: Option<&Map<String, Value>>) {
        self.begun = true;
        self.fields = message.cloned().unwrap_or_default();
        if let Some(Value::Array(content)) = self.fields.remove("content") {
            for block in content {
                let Value::Object(fields) = block else { continue };
                self.blocks.open(None, fields).closed = true;
            }
        }
    }

    fn take_delta(&mut self, number: Option<u64>, delta: &Map<String, Value>, text: &mut String) {
        let kind = text_of(delta, "type");
        let missing = || {
            let kind = if matches!(kind, "thinking_delta" | "signature_delta") { "thinking" } else { "text" };
            Map::from_iter([("type".to_owned(), kind.into()), (kind.to_owned(), "".into())])
        };
        match kind {
            "input_json_delta" => match self.blocks.find(number) {
                Some(block) => block.input.push_str(text_of(delta, "partial_json")),
                None => drop_fragment(number),
            },
            "text_delta" => {
                let piece = text_of(delta, "text");
                text.push_str(piece);
                append(&mut self.blocks.find_or_open(number, missing).fields, "text", piece);
            }
            "thinking_delta" => {
                let block = self.blocks.find_or_open(number, missing);
                append(&mut block.fields, "thinking", text_of(delta, "thinking"));
            }
            "signature_delta" => {
                let block = self.blocks.find_or_open(number, missing);
                block.fields.insert("signature".to_owned(), text_of(delta, "signature").into());
            }
            "citations_delta" => {
                let block = self.blocks.find_or_open(number, missing);
                extend(&mut block.fields, "citations", delta.get("citation").cloned());
            }
            _ => {}
        }
    }

    /// The blocks before the first that is still open.
    fn front(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().take_while(|block| block.closed)
    }
}

fn plain_text(block: &Map<String, Value>) -> &str {
    if text_of(block, "type") == "text" { text_of(block, "text") } else { "" }
}

fn is_call(block: &Block) -> bool {
    text_of(&block.fields, "type") == "tool_use"
}

/// The block as it stands in a whole message. What has an `input` is some kind of call.
fn content(block: &Block) -> Value {
    let mut fields = block.fields.clone();
    if fields.contains_key("input") || !block.input.is_empty() {
        let input = block.arguments(fields.get("input"));
        fields.insert("input".to_owned(), input);
    }
    fields.into()
}

#[cfg(test)]
pub(super) mod tests;
