//! Replies in every provider's shape, made from the same calls.

use serde_json::{Value, json};
use toolkit::Provider;

use crate::every_type;

/// A whole body with these calls, each a name and its arguments. Every call has an id.
pub(crate) fn reply(provider: Provider, calls: &[(String, Value)]) -> Value {
    let parts = calls.iter().enumerate().map(|(number, (name, arguments))| call(provider, number, name, arguments));
    body(provider, parts.collect())
}

/// One call as the provider writes it.
fn call(provider: Provider, number: usize, name: &str, arguments: &Value) -> Value {
    let id = format!("call_{number}");
    match provider {
        Provider::OpenAiResponses => json!({
            "type": "function_call", "id": format!("fc_{number}"), "call_id": id, "name": name,
            "arguments": arguments.to_string(), "status": "completed"
        }),
        Provider::Anthropic => {
            json!({ "type": "tool_use", "id": id, "name": name, "input": arguments, "caller": { "type": "direct" } })
        }
        Provider::Gemini => {
            json!({ "functionCall": { "name": name, "args": arguments }, "thoughtSignature": "c2lnbmF0dXJl" })
        }
        Provider::Bedrock => {
            json!({ "toolUse": { "toolUseId": id, "name": name, "input": arguments, "type": "tool_use" } })
        }
        Provider::Prompt => json!({ "name": name, "arguments": arguments }),
        Provider::Ollama => json!({ "function": { "index": number, "name": name, "arguments": arguments } }),
        Provider::Mcp => json!({
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": { "name": name, "arguments": arguments }
        }),
        _ => json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } }),
    }
}

/// A whole body around calls in the provider's own shape.
pub(crate) fn body(provider: Provider, calls: Value) -> Value {
    match provider {
        Provider::OpenAiResponses => json!({ "id": "resp_1", "output": calls, "status": "completed" }),
        Provider::Anthropic => json!({ "role": "assistant", "content": calls, "stop_reason": "tool_use" }),
        Provider::Gemini => {
            json!({ "candidates": [{ "content": { "role": "model", "parts": calls }, "finishReason": "STOP" }] })
        }
        Provider::Bedrock => {
            json!({ "output": { "message": { "role": "assistant", "content": calls } }, "stopReason": "tool_use" })
        }
        Provider::Ollama => {
            json!({ "message": { "role": "assistant", "content": "", "tool_calls": calls }, "done_reason": "stop" })
        }
        Provider::Cohere => {
            let message = json!({ "role": "assistant", "tool_plan": "I will call tools.", "tool_calls": calls });
            json!({ "id": "1", "finish_reason": "TOOL_CALL", "message": message })
        }
        Provider::Mcp => calls,
        Provider::Prompt => {
            let calls = calls.as_array().into_iter().flatten();
            let text: Vec<String> = calls.map(|call| format!("<tool_call>\n{call}\n</tool_call>")).collect();
            let message = json!({ "role": "assistant", "content": text.join("\n") });
            json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] })
        }
        _ => {
            let message = json!({ "role": "assistant", "content": null, "refusal": null, "tool_calls": calls });
            json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
        }
    }
}

/// Replies that hold every use of every tool, and calls that servers and models get wrong.
#[allow(dead_code, reason = "what the checker of the providers reads")]
pub(crate) fn samples(provider: Provider) -> Vec<Value> {
    let uses: Vec<_> =
        every_type::uses().into_iter().map(|(tool, arguments, _)| (tool.to_owned(), arguments)).collect();
    let invented = [("none", json!({})), ("get.weather<|channel|>", json!({})), ("", json!({ "a": 1 }))]
        .map(|(name, arguments)| (name.to_owned(), arguments));
    let mut samples = vec![reply(provider, &uses), reply(provider, &invented), body(provider, wrong(provider))];
    if matches!(provider, Provider::OpenAiChat | Provider::Mistral | Provider::Xai | Provider::DeepSeek) {
        let mut cut_off = body(provider, wrong(provider));
        cut_off["choices"][0]["finish_reason"] = json!("length");
        let old = json!({ "content": null, "function_call": { "name": "none", "arguments": "{}" } });
        samples.push(cut_off);
        samples.push(json!({ "choices": [{ "message": old, "finish_reason": "function_call" }] }));
    }
    samples
}

/// Calls that are written wrong.
#[allow(dead_code, reason = "part of the samples")]
fn wrong(provider: Provider) -> Value {
    let side_by_side = json!({ "tool_uses": [
        { "recipient_name": "functions.none", "parameters": {} },
        { "recipient_name": "functions.tree", "parameters": { "root": { "value": 1 } } }
    ] });
    match provider {
        Provider::OpenAiResponses => json!([
            { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null },
            { "type": "function_call", "call_id": "call_a", "name": "none", "arguments": "{}" },
            { "type": "function_call", "call_id": "call_b", "id": null, "name": "none", "arguments": "" },
            { "type": "function_call", "call_id": "call_b", "name": "optional", "arguments": "{\"text\": \"cut o" },
            { "type": "function_call", "call_id": "x".repeat(80), "name": "none", "arguments": {} },
            { "type": "function_call", "name": "multi_tool_use.parallel", "arguments": side_by_side.to_string() },
            { "type": "function_call" }
        ]),
        Provider::Anthropic => json!([
            { "type": "thinking", "thinking": "hm", "signature": "c2lnbmF0dXJl" },
            { "type": "text", "text": " " },
            { "type": "text", "text": "I call.", "citations": null },
            { "type": "tool_use", "id": "tooluse_1.2:3", "name": "none", "input": {} },
            { "type": "tool_use", "id": "toolu_1", "name": "none", "input": null },
            { "type": "tool_use", "id": "toolu_1", "name": "none" },
            { "type": "tool_use", "id": "", "name": "optional", "input": "{\"text\": \"cut o" },
            { "type": "tool_use" }
        ]),
        Provider::Gemini => json!([
            { "text": "and", "thought": true },
            { "functionCall": { "name": "none" } },
            { "functionCall": { "name": "none", "args": null, "id": "8charsid" } },
            { "function_call": { "name": "none", "args": {} } },
            { "functionCall": { "name": "optional", "args": "not an object" } },
            { "functionCall": {} }
        ]),
        Provider::Bedrock => json!([
            { "text": " " },
            { "text": "I call." },
            { "toolUse": { "toolUseId": "x".repeat(80), "name": "none", "input": {} } },
            { "toolUse": { "toolUseId": "a b", "name": "none" } },
            { "toolUse": { "toolUseId": "", "name": "optional", "input": "not an object" } },
            { "toolUse": {} }
        ]),
        Provider::Mcp => json!([
            { "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": { "name": "none" } },
            { "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {} },
            { "name": "optional", "arguments": [1] }
        ]),
        _ => json!([
            { "id": "", "function": { "name": "none", "arguments": "" } },
            { "index": 1, "function": { "name": "none" } },
            { "id": "a", "function": { "name": "none", "arguments": null } },
            { "id": "a", "function": { "name": "none", "arguments": {} } },
            { "id": "b", "function": { "name": "optional", "arguments": "{\"text\": \"cut o" } },
            { "id": "c", "function": { "name": "optional", "arguments": "[1]" } },
            { "id": "d", "function": { "name": "optional", "arguments": "\"{\\\"text\\\": \\\"twice\\\"}\"" } },
            { "id": "e", "function": { "name": "get.weather<|channel|>", "arguments": "not JSON" } },
            { "id": "f", "function": { "name": "x".repeat(100), "arguments": 5 } },
            { "id": "g", "type": "function" },
            { "id": "h", "function": { "name": "multi_tool_use.parallel", "arguments": side_by_side.to_string() } },
            "no call at all"
        ]),
    }
}

/// The calls within a message of the model's turn.
pub(crate) fn calls_of(provider: Provider, mut turn: Value) -> Vec<Value> {
    let list = |value: &mut Value| value.as_array_mut().map(std::mem::take).unwrap_or_default();
    match provider {
        Provider::OpenAiResponses => [turn].into_iter().filter(|item| item["type"] == "function_call").collect(),
        Provider::Anthropic => list(&mut turn["content"]).into_iter().filter(|one| one["type"] == "tool_use").collect(),
        Provider::Gemini => {
            list(&mut turn["parts"]).into_iter().filter(|one| one.get("functionCall").is_some()).collect()
        }
        Provider::Bedrock => {
            list(&mut turn["content"]).into_iter().filter(|one| one.get("toolUse").is_some()).collect()
        }
        Provider::Mcp => vec![turn],
        _ => list(&mut turn["tool_calls"]),
    }
}

/// The ids of the calls within a message of the model's turn.
pub(crate) fn call_ids(provider: Provider, turn: Value) -> Vec<String> {
    let id = |call: &Value| match provider {
        Provider::OpenAiResponses => call["call_id"].clone(),
        Provider::Gemini => call["functionCall"]["id"].clone(),
        Provider::Bedrock => call["toolUse"]["toolUseId"].clone(),
        _ => call["id"].clone(),
    };
    calls_of(provider, turn).iter().map(|call| id(call).as_str().unwrap_or_default().to_owned()).collect()
}

/// The ids that answers are for.
pub(crate) fn answer_ids(provider: Provider, answers: &[Value]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let one = |answer: &Value| match provider {
        Provider::Anthropic => {
            answer["content"].as_array().into_iter().flatten().map(|it| text(&it["tool_use_id"])).collect()
        }
        Provider::Bedrock => {
            let blocks = answer["content"].as_array().into_iter().flatten();
            blocks.map(|block| text(&block["toolResult"]["toolUseId"])).collect()
        }
        Provider::Gemini => {
            let parts = answer["parts"].as_array().into_iter().flatten();
            parts.filter_map(|part| Some(text(&part.get("functionResponse")?["id"]))).collect()
        }
        Provider::OpenAiResponses => vec![text(&answer["call_id"])],
        _ => vec![text(&answer["tool_call_id"])],
    };
    answers.iter().flat_map(one).collect::<Vec<String>>()
}
