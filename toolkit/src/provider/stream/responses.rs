//! The events of OpenAI's Responses.
//!
//! The last event repeats the whole response, but some servers leave the output out of it, and a stream that breaks off
//! never comes to it. So the items are put together too.

use serde_json::{Map, Value, json};

use super::blocks::{Block, Blocks};
use super::{
    Assembly, Finished, Problem, append, drop_fragment, error_text, number_of, object_of, says_something, text_of,
};

/// A reply in events.
#[derive(Default)]
pub(in crate::provider) struct Responses {
    response: Option<Map<String, Value>>,
    items: Blocks,
    ended: bool,
}

impl Assembly for Responses {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        let number = number_of(event, "output_index");
        let delta = text_of(event, "delta");
        match text_of(event, "type") {
            "error" => return Err(Problem::Reported(error_text(&event.clone().into()))),
            "response.failed" => {
                let response = object_of(event, "response");
                let error = response.and_then(|response| response.get("error")).filter(|error| says_something(error));
                return Err(Problem::Reported(error.map_or_else(|| "the response failed".to_owned(), error_text)));
            }
            // A server that does not stream.
            "" if event.contains_key("output") => {
                text.push_str(&output_text(event));
                self.response = Some(event.clone());
                self.ended = true;
            }
            "response.output_item.added" => {
                self.items.open(number, object_of(event, "item").cloned().unwrap_or_default());
            }
            "response.output_item.done" => {
                if let Some(item) = object_of(event, "item") {
                    let block = self.items.find_or_open(number, Map::new);
                    block.fields.clone_from(item);
                    block.closed = true;
                }
            }
            "response.output_text.delta" => {
                text.push_str(delta);
                self.part(event, number, "content", "content_index", "output_text", "text");
            }
            "response.refusal.delta" => self.part(event, number, "content", "content_index", "refusal", "refusal"),
            "response.reasoning_text.delta" => {
                self.part(event, number, "content", "content_index", "reasoning_text", "text");
            }
            "response.reasoning_summary_text.delta" => {
                self.part(event, number, "summary", "summary_index", "summary_text", "text");
            }
            "response.function_call_arguments.delta" | "response.mcp_call_arguments.delta" => {
                self.fragment(number, "arguments", delta);
            }
            "response.custom_tool_call_input.delta" => self.fragment(number, "input", delta),
            "response.function_call_arguments.done" | "response.mcp_call_arguments.done" => {
                self.set(number, "arguments", event);
            }
            "response.custom_tool_call_input.done" => self.set(number, "input", event),
            name => {
                if let Some(response) = object_of(event, "response") {
                    self.response = Some(response.clone());
                    // Nothing follows any of these.
                    self.ended |= matches!(name, "response.completed" | "response.incomplete" | "response.cancelled");
                }
            }
        }
        Ok(())
    }

    fn complete(&self) -> bool {
        self.ended
    }

    fn finished(&self) -> usize {
        self.front().filter(|item| is_call(item)).count()
    }

    fn finished_calls(&self) -> Option<Finished> {
        let calls = || self.front().filter(|item| is_call(item)).map(|item| &item.fields);
        let output: Vec<Value> = calls().map(|fields| fields.clone().into()).collect();
        let ids = calls().map(|fields| text_of(fields, "call_id").to_owned()).collect();
        Some(Finished { ids, body: json!({ "object": "response", "status": "completed", "output": output }) })
    }

    fn finish(self: Box<Self>) -> Option<Value> {
        if self.response.is_none() && self.items.is_empty() {
            return None;
        }
        let mut response = self.response.unwrap_or_default();
        let said = response.get("output").and_then(Value::as_array).map_or(0, Vec::len);
        let items: Vec<Value> = self.items.into_iter().map(|item| close(item, self.ended)).collect();
        if items.len() > said || said == 0 {
            response.insert("output".to_owned(), items.into());
        }
        response.entry("object").or_insert_with(|| "response".into());
        if !self.ended {
            response.insert("status".to_owned(), "incomplete".into());
            response.insert("incomplete_details".to_owned(), json!({ "reason": "max_output_tokens" }));
        }
        Some(response.into())
    }
}

impl Responses {
    /// Lengthens a text of a part of an item. A part that was not announced comes after the others.
    fn part(
        &mut self,
        event: &Map<String, Value>,
        number: Option<u64>,
        list: &str,
        index: &str,
        kind: &str,
        key: &str,
    ) {
        let item = self.items.find_or_open(number, || {
            let kind = if list == "summary" || kind == "reasoning_text" { "reasoning" } else { "message" };
            let fields = json!({ "type": kind, "role": "assistant", "status": "in_progress" });
            fields.as_object().cloned().unwrap_or_default()
        });
        let Value::Array(parts) = item.fields.entry(list).or_insert_with(|| Value::Array(Vec::new())) else { return };
        let place = number_of(event, index).and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
        if place >= parts.len() {
            parts.push(json!({ "type": kind }));
        }
        let place = place.min(parts.len().saturating_sub(1));
        if let Some(Value::Object(part)) = parts.get_mut(place) {
            append(part, key, text_of(event, "delta"));
        }
    }

    fn fragment(&mut self, number: Option<u64>, key: &str, delta: &str) {
        match self.items.find(number) {
            Some(item) => append(&mut item.fields, key, delta),
            None => drop_fragment(number),
        }
    }

    /// The whole text of a call, which stands in the place of its fragments.
    fn set(&mut self, number: Option<u64>, key: &str, event: &Map<String, Value>) {
        if let (Some(item), Some(value)) = (self.items.find(number), event.get(key)) {
            item.fields.insert(key.to_owned(), value.clone());
        }
    }

    /// The items before the first that is still open.
    fn front(&self) -> impl Iterator<Item = &Block> {
        self.items.iter().take_while(|item| item.closed)
    }
}

fn is_call(item: &Block) -> bool {
    text_of(&item.fields, "type") == "function_call"
}

/// An item as it stands in a whole response.
fn close(mut item: Block, ended: bool) -> Value {
    if !item.closed
        && let Some(status) = item.fields.get_mut("status").filter(|status| *status == "in_progress")
    {
        *status = if ended { "completed" } else { "incomplete" }.into();
    }
    item.fields.into()
}

fn output_text(response: &Map<String, Value>) -> String {
    let items = response.get("output").and_then(Value::as_array).into_iter().flatten();
    let parts = items.filter_map(|item| item.get("content")?.as_array()).flatten();
    let texts = parts.filter(|part| part.get("type").is_some_and(|kind| kind == "output_text"));
    texts.filter_map(|part| part.get("text")?.as_str()).collect()
}

#[cfg(test)]
pub(super) mod tests;
