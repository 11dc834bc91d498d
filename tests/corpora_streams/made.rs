//! Bodies as their providers would have streamed them.

use serde_json::{Value, json};

use super::list;

fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

/// A body as its provider would have streamed it, texts and arguments in pieces of so many characters.
pub(super) fn streamed(provider: &str, body: &Value, size: usize) -> Vec<Value> {
    let mut events = Vec::new();
    match provider {
        "openai-responses" => {
            for (index, item) in list(body.get("output")).iter().enumerate() {
                let mut begun = item.clone();
                if item.get("arguments").is_some() {
                    begun["arguments"] = "".into();
                }
                events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": begun }));
                for delta in pieces(item["arguments"].as_str().unwrap_or_default(), size) {
                    let kind = "response.function_call_arguments.delta";
                    events.push(json!({ "type": kind, "output_index": index, "delta": delta }));
                }
                events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
            }
            let mut response = body.clone();
            response["output"] = json!([]);
            let kind = format!("response.{}", body["status"].as_str().unwrap_or("completed"));
            events.push(json!({ "type": kind, "response": response }));
        }
        "anthropic" => {
            for (index, block) in list(body.get("content")).iter().enumerate() {
                let mut begun = block.clone();
                if block["type"] == "tool_use" {
                    begun["input"] = json!({});
                }
                events.push(json!({ "type": "content_block_start", "index": index, "content_block": begun }));
                let input = if block["type"] == "tool_use" { block["input"].to_string() } else { String::new() };
                for piece in pieces(&input, size) {
                    let delta = json!({ "type": "input_json_delta", "partial_json": piece });
                    events.push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
                }
                events.push(json!({ "type": "content_block_stop", "index": index }));
            }
            events.push(json!({ "type": "message_delta", "delta": { "stop_reason": body["stop_reason"] } }));
            events.push(json!({ "type": "message_stop" }));
        }
        "gemini" => {
            for part in list(body.pointer("/candidates/0/content/parts")) {
                events.push(json!({ "candidates": [{ "content": { "parts": [part] } }] }));
            }
            let mut last = body.clone();
            last["candidates"][0].as_object_mut().unwrap().remove("content");
            events.push(last);
        }
        "bedrock" => {
            for (index, block) in list(body.pointer("/output/message/content")).iter().enumerate() {
                if let Some(call) = block.get("toolUse") {
                    let mut begun = call.clone();
                    begun.as_object_mut().unwrap().remove("input");
                    let start = json!({ "contentBlockIndex": index, "start": { "toolUse": begun } });
                    events.push(json!({ "contentBlockStart": start }));
                    for piece in pieces(&call["input"].to_string(), size) {
                        let delta = json!({ "contentBlockIndex": index, "delta": { "toolUse": { "input": piece } } });
                        events.push(json!({ "contentBlockDelta": delta }));
                    }
                }
                events.push(json!({ "contentBlockStop": { "contentBlockIndex": index } }));
            }
            events.push(json!({ "messageStop": { "stopReason": body["stopReason"] } }));
        }
        "cohere" => {
            for (index, call) in list(body.pointer("/message/tool_calls")).iter().enumerate() {
                let mut begun = call.clone();
                begun["function"]["arguments"] = "".into();
                let start = json!({ "message": { "tool_calls": begun } });
                events.push(json!({ "type": "tool-call-start", "index": index, "delta": start }));
                for piece in pieces(call["function"]["arguments"].as_str().unwrap(), size) {
                    let delta = json!({ "message": { "tool_calls": { "function": { "arguments": piece } } } });
                    events.push(json!({ "type": "tool-call-delta", "index": index, "delta": delta }));
                }
                events.push(json!({ "type": "tool-call-end", "index": index }));
            }
            events.push(json!({ "type": "message-end", "delta": { "finish_reason": body["finish_reason"] } }));
        }
        _ => {
            let choice = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
            events.push(choice(json!({ "role": "assistant", "content": body.pointer("/choices/0/message/content") })));
            for (index, call) in list(body.pointer("/choices/0/message/tool_calls")).iter().enumerate() {
                let mut begun = call.clone();
                begun["index"] = index.into();
                begun["function"]["arguments"] = "".into();
                events.push(choice(json!({ "tool_calls": [begun] })));
                for piece in pieces(call["function"]["arguments"].as_str().unwrap_or_default(), size) {
                    let function = json!({ "arguments": piece });
                    events.push(choice(json!({ "tool_calls": [{ "index": index, "function": function }] })));
                }
            }
            let reason = &body["choices"][0]["finish_reason"];
            events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }));
        }
    }
    events
}
