//! Writes what the library makes for each provider into a folder, for `run.sh` to check with the providers' own models.
//!
//! The files are called `PROVIDER.KIND.json`, where the kind is `tools`, `calls` or `results`; `instances.json` holds
//! arguments that the schemas must take or refuse.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};
use toolkit::{Executor, ExportOptions, Provider};

#[path = "../every_type.rs"]
mod every_type;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: oracle_samples FOLDER")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let registry = every_type::registry();
    let executor = Executor::builder(registry.clone()).build()?;
    for provider in Provider::ALL {
        let write =
            |kind: &str, value: Value| fs::write(folder.join(format!("{provider}.{kind}.json")), value.to_string());
        let export = provider.export(&registry, &ExportOptions::new())?;
        write("tools", export.tools().clone())?;
        let run = executor.run(format!("{provider} samples"));
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for reply in replies(provider) {
            let mut messages = run.answer(&export, &reply).await?.ok_or("a sample without calls")?.into_iter();
            let turn = messages.next().unwrap_or_default();
            calls.extend(calls_of(provider, turn));
            results.extend(messages);
        }
        write("calls", calls.into())?;
        write("results", results.into())?;
    }
    let instances = every_type::uses().into_iter();
    let instances = instances.map(|(tool, args, valid)| json!({ "tool": tool, "args": args, "valid": valid }));
    fs::write(folder.join("instances.json"), instances.collect::<Value>().to_string())?;
    Ok(())
}

/// Replies that hold every use of every tool, and calls that servers and models get wrong.
fn replies(provider: Provider) -> Vec<Value> {
    match provider {
        Provider::OpenAiChat => {
            let uses = every_type::uses().into_iter().map(|(tool, arguments, _)| {
                json!({ "id": format!("call_{tool}"), "type": "function", "function": {
                    "name": tool, "arguments": arguments.to_string()
                } })
            });
            let side_by_side = json!({ "tool_uses": [
                { "recipient_name": "functions.none", "parameters": {} },
                { "recipient_name": "functions.tree", "parameters": { "root": { "value": 1 } } }
            ] });
            let wrong = json!([
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
            ]);
            let reply = |calls: Value| {
                let message = json!({ "role": "assistant", "content": null, "refusal": null, "tool_calls": calls });
                json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
            };
            let mut cut_off = reply(wrong.clone());
            cut_off["choices"][0]["finish_reason"] = json!("length");
            let old = json!({ "content": null, "function_call": { "name": "none", "arguments": "{}" } });
            let old = json!({ "choices": [{ "message": old, "finish_reason": "function_call" }] });
            vec![reply(uses.collect()), reply(wrong), cut_off, old]
        }
        _ => Vec::new(),
    }
}

/// The calls within the model's turn.
fn calls_of(provider: Provider, mut turn: Value) -> Vec<Value> {
    match provider {
        Provider::OpenAiChat => turn["tool_calls"].as_array_mut().map(std::mem::take).unwrap_or_default(),
        _ => Vec::new(),
    }
}
