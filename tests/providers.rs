//! Calls in and answers out, with every provider.

use serde_json::{Value, json};
use toolkit::{Executor, Export, ExportOptions, Provider, Registry, Run, StopReason, tool};

use crate::replies::{answer_ids, body, call_ids, reply};
use crate::shown;

/// Says where it is.
#[tool(category = Read)]
async fn get_weather(city: String) -> String {
    format!("fine in {city}")
}

/// Says what time it is.
#[tool(category = Read)]
fn now() -> &'static str {
    "noon"
}

fn tools(provider: Provider) -> (Export, Run) {
    let registry = Registry::builder().tool::<get_weather>().tool::<now>().build().unwrap();
    let export = provider.export(&registry, &ExportOptions::new()).unwrap();
    (export, Executor::builder(registry).build().unwrap().run("providers"))
}

/// The providers whose history holds calls and answers under ids.
fn with_ids() -> impl Iterator<Item = Provider> {
    Provider::ALL.into_iter().filter(|provider| !matches!(provider, Provider::Mcp | Provider::Prompt))
}

#[tokio::test]
async fn every_call_gets_its_answer_in_order_under_its_id() {
    let calls = [
        ("get_weather".to_owned(), json!({ "city": "Denver" })),
        ("now".to_owned(), json!({})),
        ("get_weather".to_owned(), json!({ "city": "Moab" })),
        ("get_wether".to_owned(), json!({ "city": "Moab" })),
        ("get_weather".to_owned(), json!({ "town": 5 })),
    ];
    for provider in with_ids() {
        let (export, run) = tools(provider);
        let response = reply(provider, &calls);
        let results = run.call_all(export.parse_calls(&response).unwrap()).await;
        let texts: Vec<&str> = results.iter().take(3).map(toolkit::ToolResult::text).collect();
        assert_eq!(texts, ["fine in Denver", "noon", "fine in Moab"], "{provider}");
        assert_eq!(results[3].stop(), Some(StopReason::UnknownTool), "{provider}");
        assert_eq!(results[4].stop(), Some(StopReason::InvalidArguments), "{provider}");
        let turn = export.turn_messages(&response);
        let ids: Vec<String> = turn.into_iter().flat_map(|message| call_ids(provider, message)).collect();
        let answers = export.render_results(&results);
        assert_eq!(answer_ids(provider, &answers), ids, "{provider}");
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), 5, "{provider}: {ids:?}");
        let one_message = matches!(provider, Provider::Anthropic | Provider::Bedrock | Provider::Gemini);
        assert_eq!(answers.len(), if one_message { 1 } else { 5 }, "{provider}");
    }
}

#[tokio::test]
async fn an_answer_holds_the_turn_and_what_follows() {
    for provider in Provider::ALL {
        let (export, run) = tools(provider);
        let messages = run.answer(&export, &reply(provider, &[("now".to_owned(), json!({}))])).await.unwrap().unwrap();
        assert_eq!(messages.len(), 2, "{provider}");
        assert!(messages[1].to_string().contains("noon"), "{provider}: {}", messages[1]);
        assert_eq!(run.answer(&export, &body(provider, json!([]))).await.unwrap(), None, "{provider}");
    }
}

#[test]
fn calls_without_ids_are_told_apart_by_their_places() {
    let parts = json!([
        { "functionCall": { "name": "get_weather", "args": { "city": "Denver" } } },
        { "text": "and" },
        { "functionCall": { "name": "get_weather", "args": { "city": "Moab" }, "id": "8charsid" } },
        { "functionCall": { "name": "now" } }
    ]);
    let (export, _) = tools(Provider::Gemini);
    let response = body(Provider::Gemini, parts);
    let calls = export.parse_calls(&response).unwrap();
    let read: Vec<_> = calls.iter().map(|call| (call.call_id(), call.name(), call.arguments().text())).collect();
    assert_eq!(read[1].0, "8charsid");
    assert_eq!((read[2].1, read[2].2.as_ref()), ("now", "{}"));
    assert!(read[0].0 != read[2].0 && !read[0].0.is_empty());
    let turn = export.assistant_turn(&response);
    assert_eq!(turn["parts"][1], json!({ "text": "and" }));
    assert_eq!(turn["parts"][3]["functionCall"]["args"], json!({}));
}

#[test]
fn the_id_of_a_call_is_not_that_of_its_item() {
    let (export, _) = tools(Provider::OpenAiResponses);
    let response = body(
        Provider::OpenAiResponses,
        json!([
            { "type": "function_call", "call_id": "call_a", "name": "now", "arguments": "{}" },
            { "type": "function_call", "call_id": "call_b", "name": "now", "arguments": "{}", "id": null }
        ]),
    );
    let calls = export.parse_calls(&response).unwrap();
    assert_eq!(calls.iter().map(toolkit::ToolCall::call_id).collect::<Vec<_>>(), ["call_a", "call_b"]);
}

#[tokio::test]
async fn another_provider_s_ids_are_replaced_in_call_and_answer_alike() {
    for (provider, id, longest) in [
        (Provider::Mistral, "call_4f2", 9),
        (Provider::Anthropic, "tooluse.1:2", 64),
        (Provider::Bedrock, "not taken", 64),
        (Provider::OpenAiResponses, &*"x".repeat(65), 64),
    ] {
        let (export, run) = tools(provider);
        let call = match provider {
            Provider::Mistral => json!({ "id": id, "function": { "name": "now", "arguments": "{}" } }),
            Provider::Anthropic => json!({ "type": "tool_use", "id": id, "name": "now", "input": {} }),
            Provider::Bedrock => json!({ "toolUse": { "toolUseId": id, "name": "now", "input": {} } }),
            _ => json!({ "type": "function_call", "call_id": id, "name": "now", "arguments": "{}" }),
        };
        let response = body(provider, json!([call]));
        let calls = export.parse_calls(&response).unwrap();
        assert_eq!(calls[0].call_id(), id);
        let answers = export.render_results(&run.call_all(calls).await);
        let turn = export.turn_messages(&response);
        let sent: Vec<String> = turn.into_iter().flat_map(|message| call_ids(provider, message)).collect();
        assert!(
            sent[0] != id && sent[0].len() <= longest && !sent[0].contains(['.', ':', ' ']),
            "{provider}: {sent:?}"
        );
        assert_eq!(answer_ids(provider, &answers), sent, "{provider}");
    }
}

#[test]
fn a_signature_is_handed_back_and_made_up_only_where_that_is_asked_for() {
    let call = |signature: Value| {
        let mut part = json!({ "functionCall": { "name": "now", "args": {} } });
        if !signature.is_null() {
            part["thoughtSignature"] = signature;
        }
        part
    };
    let response = body(Provider::Gemini, json!([call(json!("c2ln")), call(Value::Null)]));
    let turn = tools(Provider::Gemini).0.assistant_turn(&response);
    assert_eq!(turn["parts"][0]["thoughtSignature"], "c2ln");
    assert_eq!(turn["parts"][1].get("thoughtSignature"), None);
    let registry = Registry::builder().tool::<now>().build().unwrap();
    let export = Provider::Gemini.export(&registry, &ExportOptions::new().fill_thought_signatures(true)).unwrap();
    let turn = export.assistant_turn(&body(Provider::Gemini, json!([call(Value::Null), call(Value::Null)])));
    assert_eq!(turn["parts"][0]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(turn["parts"][1].get("thoughtSignature"), None);
}

async fn answered(provider: Provider, tool: &str) -> Value {
    let registry = shown::registry();
    let export = provider.export(&registry, &ExportOptions::new()).unwrap();
    let run = Executor::builder(registry).build().unwrap().run("shown");
    let calls = export.parse_calls(&reply(provider, &[(tool.to_owned(), json!({}))])).unwrap();
    export.render_results(&run.call_all(calls).await).remove(0)
}

#[tokio::test]
async fn images_and_files_are_shown_where_they_can_be_and_named_where_not() {
    let anthropic = answered(Provider::Anthropic, "picture").await["content"][0]["content"].clone();
    assert_eq!(anthropic[0]["source"]["media_type"], "image/png");
    let anthropic = answered(Provider::Anthropic, "picture_with_words").await["content"][0]["content"].clone();
    assert_eq!(anthropic[0]["text"], "One pixel.\n[binary result, image/tiff, 2 bytes, not shown]");
    let responses = answered(Provider::OpenAiResponses, "files").await["output"].clone();
    let kinds: Vec<&str> = responses.as_array().unwrap().iter().map(|part| part["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["input_text", "input_file", "input_file", "input_file"]);
    let bedrock = answered(Provider::Bedrock, "files").await["content"][0]["toolResult"]["content"].clone();
    assert_eq!(bedrock[1]["document"]["format"], "pdf");
    let gemini = answered(Provider::Gemini, "picture").await["parts"].clone();
    assert_eq!(gemini[1]["inlineData"]["mimeType"], "image/png");
    let mcp = answered(Provider::Mcp, "files").await["content"].clone();
    assert_eq!(mcp[1]["resource"]["uri"], "file:///report%20of%20May.pdf");
    let chat = answered(Provider::OpenAiChat, "picture_with_words").await["content"].as_str().unwrap().to_owned();
    assert!(chat.starts_with("One pixel.\n[binary result, image/png, 67 bytes"), "{chat}");
}

#[tokio::test]
async fn a_failure_is_flagged_where_there_is_a_flag() {
    // The tool asks a person first, so it is not run: which is a failure too.
    let anthropic = answered(Provider::Anthropic, "failure").await["content"][0].clone();
    assert_eq!(anthropic["is_error"], true);
    assert!(anthropic["content"].as_str().is_some_and(|text| !text.is_empty()));
    assert_eq!(answered(Provider::Bedrock, "failure").await["content"][0]["toolResult"]["status"], "error");
    let gemini = answered(Provider::Gemini, "failure").await["parts"][0]["functionResponse"]["response"].clone();
    assert!(gemini.get("error").is_some() && gemini.get("output").is_none());
    let mcp = answered(Provider::Mcp, "failure").await;
    assert_eq!((&mcp["isError"], &mcp["resultType"]), (&json!(true), &json!("complete")));
    assert_eq!(mcp.get("structuredContent"), None);
    let mcp = answered(Provider::Mcp, "list").await;
    assert_eq!((&mcp["structuredContent"], &mcp["content"][0]["text"]), (&json!([1, 2]), &json!("[1,2]")));
}

#[test]
fn what_no_provider_says_is_an_error_and_not_a_panic() {
    for provider in Provider::ALL {
        let (export, _) = tools(provider);
        for nonsense in [json!(null), json!([]), json!({}), json!("x"), json!({ "error": { "message": "overloaded" } })]
        {
            let _ = export.parse_calls(&nonsense);
            let _ = export.assistant_turn(&nonsense);
        }
        if provider != Provider::Mcp {
            let error = export.parse_calls(&json!({ "error": { "message": "overloaded" } })).unwrap_err();
            assert_eq!(error.provider_message(), Some("overloaded"), "{provider}");
        }
    }
}

#[test]
fn an_export_is_made_once() {
    let registry = Registry::builder().tool::<now>().build().unwrap();
    let text = |options: &ExportOptions| Provider::OpenAiChat.export(&registry, options).unwrap();
    let (first, second) = (text(&ExportOptions::new()), text(&ExportOptions::new()));
    assert!(std::ptr::eq(first.tools_text(), second.tools_text()));
    assert!(!std::ptr::eq(first.tools_text(), text(&ExportOptions::new().strict(true)).tools_text()));
}
