//! Recorded streams, read in the plainest way: they are all regular.

use serde_json::{Map, Value, json};

use super::{Called, Row, called, list};

/// The events of a recorded stream, read in the plainest way.
pub(super) fn events(row: &Row) -> Vec<Value> {
    let text = row.response.as_str().unwrap();
    if row.provider == "bedrock" {
        return binary_events(text);
    }
    let data = text.lines().filter_map(|line| line.strip_prefix("data: ")).filter(|data| *data != "[DONE]");
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

/// The events of a binary stream that was recorded as text: its lengths and sums are lost, its names and JSON are not.
fn binary_events(text: &str) -> Vec<Value> {
    let event = |frame: &str| {
        let name: String = frame[3..].chars().take_while(char::is_ascii_alphabetic).collect();
        let name = name.trim_end_matches("content").to_owned();
        let start = frame.find('{').unwrap();
        let payload = serde_json::Deserializer::from_str(&frame[start..]).into_iter::<Value>().next().unwrap().unwrap();
        Value::Object(Map::from_iter([(name, payload)]))
    };
    text.split(":event-type").skip(1).map(event).collect()
}

/// The calls of a recorded stream, read in the plainest way.
pub(super) fn listed(row: &Row, events: &[Value]) -> Vec<Called> {
    let at = |value: &Value, path: &str| value.pointer(path).cloned().unwrap_or(Value::Null);
    let mut calls: Vec<(Value, Value, Value, String)> = Vec::new();
    let mut add = |key: Value, id: Value, name: Value, text: &Value| {
        let text = text.as_str().unwrap_or_default();
        match calls.iter_mut().find(|call| call.0 == key) {
            Some(call) => call.3.push_str(text),
            None if name.is_null() => {}
            None => calls.push((key, id, name, text.to_owned())),
        }
    };
    for (number, event) in events.iter().enumerate() {
        match row.provider {
            "openai-responses"
                if event["type"] == "response.output_item.done" && event["item"]["type"] == "function_call" =>
            {
                let item = &event["item"];
                add(event["output_index"].clone(), item["call_id"].clone(), item["name"].clone(), &item["arguments"]);
            }
            "openai-responses" => {}
            "anthropic" if event["content_block"]["type"] == "tool_use" => {
                let block = &event["content_block"];
                add(event["index"].clone(), block["id"].clone(), block["name"].clone(), &Value::Null);
            }
            "anthropic" => {
                add(event["index"].clone(), Value::Null, Value::Null, &at(event, "/delta/partial_json"));
            }
            "gemini" => {
                for (place, part) in list(event.pointer("/candidates/0/content/parts")).iter().enumerate() {
                    if let Some(call) = part.get("functionCall") {
                        let text = call["args"].to_string().into();
                        add(json!([number, place]), call["id"].clone(), call["name"].clone(), &text);
                    }
                }
            }
            "bedrock" => {
                let start = at(event, "/contentBlockStart/start/toolUse");
                let index = match event.get("contentBlockStart").or(event.get("contentBlockDelta")) {
                    Some(event) => event["contentBlockIndex"].clone(),
                    None => continue,
                };
                let text = at(event, "/contentBlockDelta/delta/toolUse/input");
                add(index, at(&start, "/toolUseId"), at(&start, "/name"), &text);
            }
            "cohere" => {
                let call = at(event, "/delta/message/tool_calls");
                if call.is_object() {
                    let (name, text) = (at(&call, "/function/name"), at(&call, "/function/arguments"));
                    add(event["index"].clone(), at(&call, "/id"), name, &text);
                }
            }
            _ => {
                for call in list(event.pointer("/choices/0/delta/tool_calls")) {
                    let (name, text) = (at(call, "/function/name"), at(call, "/function/arguments"));
                    add(call["index"].clone(), at(call, "/id"), name, &text);
                }
            }
        }
    }
    calls.into_iter().map(|(_, id, name, text)| called(&id, &name, &text.into())).collect()
}
