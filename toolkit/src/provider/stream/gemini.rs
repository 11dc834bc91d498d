//! The chunks of Gemini, each of the shape of a whole response.

mod partial;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use self::partial::Call;
use super::{Assembly, Finished, Problem, append, number_of, object_of, objects, text_of, update};

/// A reply in chunks.
#[derive(Default)]
pub(in crate::provider) struct Gemini {
    /// What stands beside the candidates.
    fields: Map<String, Value>,
    candidates: BTreeMap<u64, Candidate>,
}

#[derive(Default)]
struct Candidate {
    /// What stands beside the parts.
    fields: Map<String, Value>,
    role: Option<Value>,
    parts: Vec<Part>,
    /// The last chunk with parts gave a reason to end. A reason in the middle, where the model runs code, is none.
    ended: bool,
}

/// A part, and the call in it where it comes in pieces.
struct Part {
    fields: Map<String, Value>,
    call: Option<Call>,
}

impl Assembly for Gemini {
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem> {
        for (key, value) in event {
            if key != "candidates" {
                update(&mut self.fields, key, value);
            }
        }
        for chunk in objects(event, "candidates") {
            let number = number_of(chunk, "index").unwrap_or(0);
            let mut unseen = String::new();
            let first = self.candidates.first_key_value().is_none_or(|(first, _)| number <= *first);
            self.candidates.entry(number).or_default().take(chunk, if first { text } else { &mut unseen });
        }
        Ok(())
    }

    fn complete(&self) -> bool {
        // A prompt that was refused has no candidates and no end.
        self.candidates.first_key_value().map_or(self.blocked(), |(_, first)| first.complete())
    }

    fn finished(&self) -> usize {
        self.front().filter(|part| part.fields.contains_key("functionCall")).count()
    }

    fn finished_calls(&self) -> Option<Finished> {
        let calls = || self.front().filter(|part| part.fields.contains_key("functionCall"));
        let id = |part: &Part| object_of(&part.fields, "functionCall").map(|call| text_of(call, "id").to_owned());
        let parts: Vec<Value> = calls().map(Part::written).collect();
        let content = json!({ "role": "model", "parts": parts });
        let body = json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] });
        Some(Finished { ids: calls().map(|part| id(part).unwrap_or_default()).collect(), body })
    }

    fn finish(mut self: Box<Self>) -> Option<Value> {
        if self.candidates.is_empty() && !self.blocked() {
            return None;
        }
        if !self.candidates.is_empty() {
            let candidates = self.candidates.into_iter().map(|(number, candidate)| candidate.finish(number)).collect();
            self.fields.insert("candidates".to_owned(), candidates);
        }
        Some(self.fields.into())
    }
}

impl Gemini {
    fn blocked(&self) -> bool {
        object_of(&self.fields, "promptFeedback").is_some_and(|feedback| feedback.contains_key("blockReason"))
    }

    /// The parts of the first candidate before the first call that is still open.
    fn front(&self) -> impl Iterator<Item = &Part> {
        let parts = self.candidates.first_key_value().map_or(&[][..], |(_, first)| &first.parts);
        parts.iter().take_while(|part| !part.is_open())
    }
}

impl Candidate {
    fn take(&mut self, chunk: &Map<String, Value>, text: &mut String) {
        for (key, value) in chunk {
            if key != "content" && key != "index" {
                update(&mut self.fields, key, value);
            }
        }
        let reason = !text_of(chunk, "finishReason").is_empty();
        let Some(content) = object_of(chunk, "content") else {
            self.ended |= reason;
            return;
        };
        if let Some(role) = content.get("role") {
            self.role = Some(role.clone());
        }
        let mut some = false;
        for part in objects(content, "parts") {
            some = true;
            self.take_part(part, text);
        }
        self.ended = reason || self.ended && !some;
    }

    fn take_part(&mut self, part: &Map<String, Value>, text: &mut String) {
        if !is_thought(part) {
            text.push_str(text_of(part, "text"));
        }
        let open = self.parts.iter_mut().rev().find(|part| part.is_open());
        if let Some(call) = object_of(part, "functionCall") {
            match open.and_then(|open| Some((open.call.as_mut()?, &mut open.fields))) {
                // A piece of a call has no name any more.
                Some((so_far, fields)) if text_of(call, "name").is_empty() => {
                    so_far.take(call);
                    part.iter()
                        .filter(|(key, _)| *key != "functionCall")
                        .for_each(|(key, value)| update(fields, key, value));
                    return;
                }
                // The end of a call that has ended already.
                None if call.is_empty() => return,
                _ => {}
            }
            return self.parts.push(Part { fields: part.clone(), call: Call::begun(call) });
        }
        match self.parts.last_mut() {
            Some(last) if goes_on(&last.fields, part) => append(&mut last.fields, "text", text_of(part, "text")),
            // A last chunk often has an empty text, which says nothing.
            _ if part.len() == 1 && text_of(part, "text").is_empty() && part.contains_key("text") => {}
            _ => self.parts.push(Part { fields: part.clone(), call: None }),
        }
    }

    fn complete(&self) -> bool {
        self.ended && !self.parts.iter().any(Part::is_open)
    }

    fn finish(self, number: u64) -> Value {
        let complete = self.complete();
        let mut content = Map::new();
        content.insert("parts".to_owned(), self.parts.iter().map(Part::written).collect());
        content.insert("role".to_owned(), self.role.unwrap_or_else(|| "model".into()));
        let mut candidate = Map::new();
        candidate.insert("content".to_owned(), content.into());
        candidate.extend(self.fields);
        candidate.insert("index".to_owned(), number.into());
        if !complete {
            candidate.insert("finishReason".to_owned(), "MAX_TOKENS".into());
        }
        candidate.into()
    }
}

impl Part {
    fn is_open(&self) -> bool {
        self.call.as_ref().is_some_and(Call::is_open)
    }

    fn written(&self) -> Value {
        let mut fields = self.fields.clone();
        if let (Some(call), Some(Value::Object(function))) = (&self.call, fields.get_mut("functionCall")) {
            call.write(function);
        }
        fields.into()
    }
}

fn is_thought(part: &Map<String, Value>) -> bool {
    part.get("thought").is_some_and(|thought| thought == true)
}

/// Whether a part is the rest of a text. A signature belongs to its own part and must be handed back with it.
fn goes_on(last: &Map<String, Value>, part: &Map<String, Value>) -> bool {
    let plain = |part: &Map<String, Value>| {
        part.get("text").is_some_and(Value::is_string) && part.keys().all(|key| key == "text" || key == "thought")
    };
    plain(last) && plain(part) && is_thought(last) == is_thought(part)
}

#[cfg(test)]
mod tests;
