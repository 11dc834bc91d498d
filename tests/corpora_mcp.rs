//! The tools of three real servers, as tools made at run time, through every exporter.

use serde_json::{Value, json};
use toolkit::{Category, DynamicTool, Executor, ExportOptions, Provider, Registry, ToolCall, ToolError};

use crate::corpora_bodies::read;
use crate::express::{express, schema_of};

fn registry(file: &str) -> Registry {
    let tools: Vec<Value> = serde_json::from_str(&read(file)).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let builder = tools.iter().fold(Registry::builder(), |builder, tool| {
        let body = async |arguments: Value| -> Result<Value, ToolError> { Ok(arguments) };
        let dynamic =
            DynamicTool::new(text(&tool["name"]), text(&tool["description"]), tool["inputSchema"].clone(), body);
        let read_only = tool["annotations"]["readOnlyHint"] == true;
        let category = if read_only { Category::Read } else { Category::Write };
        builder.dynamic(dynamic.category(category))
    });
    let registry = builder.build().unwrap();
    assert_eq!(registry.len(), tools.len(), "{file}");
    registry
}

const FILES: [&str; 3] = ["mcp_everything.json", "mcp_filesystem.json", "mcp_memory.json"];

#[test]
fn real_servers_tools_go_through_every_exporter() {
    let mut tools = 0;
    for file in FILES {
        let registry = registry(file);
        tools += registry.len();
        let check = registry.check_all();
        assert!(check.is_clean(), "{file}: {check}");
        for provider in Provider::ALL {
            for strict in [false, true] {
                let export = provider.export(&registry, &ExportOptions::new().strict(strict)).unwrap();
                for spec in registry.iter() {
                    let schema =
                        schema_of(&export, spec.name()).unwrap_or_else(|| panic!("{provider} {}", spec.name()));
                    let empty = serde_json::Map::new();
                    let keys = |schema: &Value| -> Vec<String> {
                        schema["properties"].as_object().unwrap_or(&empty).keys().cloned().collect()
                    };
                    assert_eq!(keys(&schema), keys(spec.input_schema()), "{provider} {}", spec.name());
                }
            }
        }
    }
    assert_eq!(tools, 36);
}

#[tokio::test]
async fn what_a_real_schema_takes_comes_back_as_it_was_meant() {
    let registry = registry("mcp_filesystem.json");
    let executor = Executor::builder(registry.clone()).build().unwrap();
    let arguments = json!({ "path": "a.txt", "head": 3 });
    let direct = executor.call(ToolCall::new("read_file", arguments.clone())).await;
    assert_eq!(direct.value(), Some(&arguments), "{}", direct.text());
    for provider in [Provider::OpenAiChat, Provider::Anthropic, Provider::DeepSeek] {
        let export = provider.export(&registry, &ExportOptions::new().strict(true)).unwrap();
        let written = express(&schema_of(&export, "read_file").unwrap(), &arguments).unwrap();
        let reply = crate::replies::reply(provider, &[("read_file".to_owned(), written)]);
        let call = export.parse_calls(&reply).unwrap().remove(0);
        let result = executor.call(call).await;
        assert_eq!(result.value(), Some(&arguments), "{provider}: {}", result.text());
    }
}
