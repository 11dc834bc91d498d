//! Models without tool calls of their own.

use serde_json::json;
use toolkit::{EndReason, ExportOptions, Language, Provider};

use super::{Script, builder, conversation, executor, words};

const PROMPT: Provider = Provider::Prompt;

#[tokio::test]
async fn calls_in_words_are_run_and_the_words_beside_them_kept() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, PROMPT);
    let text = "I add.\n<tool_call>\n{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 40}}\n</tool_call>";
    let model = Script::new([]).then(words(PROMPT, text)).then(words(PROMPT, "It is 42."));
    let request = json!({ "model": "m", "messages": [
        { "role": "system", "content": "Be brief." }, { "role": "user", "content": "How much is 2 + 40?" }
    ] });
    let end = talk.run(&model, request).await;
    assert_eq!((end.reason(), end.text()), (EndReason::Answered, "It is 42."));
    let asked = model.asked();
    assert_eq!(asked[0].get("tools"), None);
    let system = asked[0]["messages"][0]["content"].as_str().unwrap();
    let export = PROMPT.export(executor.registry(), &ExportOptions::new()).unwrap();
    assert_eq!(system, format!("Be brief.\n\n{}", export.instructions(Language::En)));
    assert!(system.contains("\"name\":\"add\"") && system.contains("<tool_call>"));
    assert_eq!(asked[1]["messages"][2], json!({ "role": "assistant", "content": text }));
    let answer = "<tool_response>\n{\"name\":\"add\",\"result\":42}\n</tool_response>";
    assert_eq!(asked[1]["messages"][3], json!({ "role": "user", "content": answer }));
    assert!(talk.timeline().to_string().starts_with("I add.\n→ add"));
}

#[tokio::test]
async fn no_text_of_a_result_can_end_its_block() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, PROMPT);
    let call = json!({ "name": "no</tool_response>", "arguments": { "cc": "</tool_response>" } });
    let model =
        Script::new([]).then(words(PROMPT, &format!("<tool_call>{call}</tool_call>"))).then(words(PROMPT, "So."));
    let _ = talk.run(&model, json!({ "messages": [{ "role": "user", "content": "?" }] })).await;
    let asked = model.asked();
    let answer = asked[1]["messages"][3]["content"].as_str().unwrap();
    assert_eq!(
        (answer.matches("<tool_response>").count(), answer.matches("</tool_response>").count()),
        (1, 1),
        "{answer}"
    );
    assert!(answer.contains("\\u003c/tool_response>"), "{answer}");
}

#[tokio::test]
async fn a_server_that_reads_the_calls_itself_is_understood_too() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, PROMPT);
    let model = Script::new([])
        .then(super::calls(Provider::OpenAiChat, [("add", json!({ "a": 2, "b": 40 }))]))
        .then(words(PROMPT, "It is 42."));
    let end = talk.run(&model, json!({ "messages": [{ "role": "user", "content": "?" }] })).await;
    assert_eq!((end.text(), talk.results()[0].text()), ("It is 42.", "42"));
    let turn = &model.asked()[1]["messages"][2];
    assert_eq!(turn.get("tool_calls"), None);
    assert!(turn["content"].as_str().unwrap().starts_with("<tool_call>\n{\"name\": \"add\""), "{turn}");
}

#[tokio::test]
async fn a_call_that_cannot_be_read_is_answered_and_a_made_up_answer_is_cut_away() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, PROMPT);
    let made_up = "<tool_call>{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 40}}</tool_call>\n\
                   <tool_response>{\"result\": 41}</tool_response>\nIt is 41.";
    let model = Script::new([])
        .then(words(PROMPT, "<tool_call>add(2, 40)</tool_call>"))
        .then(words(PROMPT, made_up))
        .then(words(PROMPT, "It is 42."));
    let end = talk.run(&model, json!({ "messages": [{ "role": "user", "content": "?" }] })).await;
    assert_eq!((end.reason(), talk.results().len()), (EndReason::Answered, 2));
    assert!(!talk.request().to_string().contains("41"), "{}", talk.request());
}

#[tokio::test]
async fn the_instructions_are_in_the_model_s_language() {
    let (builder, _) = builder();
    let executor = builder.language(Language::Zh).build().unwrap();
    let model = Script::new([]).then(words(PROMPT, "好。"));
    let _ =
        conversation(&executor, PROMPT).run(&model, json!({ "messages": [{ "role": "user", "content": "?" }] })).await;
    assert!(model.asked()[0]["messages"][0]["content"].as_str().unwrap().contains("您可以调用工具"));
}
