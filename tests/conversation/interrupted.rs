//! A conversation whose future is dropped in the middle.

use std::time::Duration;

use serde_json::{Value, json};
use toolkit::{EndReason, Outcome, Provider, StopReason};

use super::{Script, calls, check, conversation, executor, question, talking, words};

#[tokio::test(start_paused = true)]
async fn the_history_is_good_and_says_what_is_known() {
    for provider in talking() {
        let (executor, done) = executor();
        let mut talk = conversation(&executor, provider);
        let turn = [("send", json!({ "to": "a" })), ("hang", json!({})), ("add", json!({ "a": 1, "b": 2 }))];
        let model = Script::new([]).then(calls(provider, turn)).then(words(provider, "I look what happened."));
        let dropped = tokio::time::timeout(Duration::from_secs(1), talk.run(&model, question(provider))).await;
        assert!(dropped.is_err(), "{provider}");
        check(provider, talk.request());
        let outcomes: Vec<Outcome> = talk.results().iter().map(toolkit::ToolResult::outcome).collect();
        assert_eq!(outcomes, [Outcome::Succeeded, Outcome::Unknown, Outcome::Succeeded], "{provider}");
        assert_eq!(talk.results()[1].stop(), Some(StopReason::Cancelled), "{provider}");
        assert!(talk.results()[1].error().is_none(), "{provider}: nothing failed");
        let told: Value = serde_json::from_str(talk.results()[1].text()).unwrap();
        assert_eq!((&told["stop"], &told["outcome"]), (&json!("cancelled"), &json!("unknown")), "{provider}");
        assert!(talk.request().to_string().contains("cancelled"), "{provider}");
        // It goes on from there, and does nothing twice.
        let end = talk.resume(&model).await;
        assert_eq!(end.reason(), EndReason::Answered, "{provider}");
        assert_eq!(done.lock().unwrap().len(), 2, "{provider}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_interrupted_and_must_not_happen_twice_needs_a_person_from_then_on() {
    let provider = Provider::OpenAiChat;
    let (executor, done) = executor();
    let mut talk = conversation(&executor, provider);
    let hang = || calls(provider, [("hang", json!({}))]);
    let model = Script::new([]).then(hang()).then(hang());
    let dropped = tokio::time::timeout(Duration::from_secs(1), talk.run(&model, question(provider))).await;
    assert!(dropped.is_err());
    let end = talk.resume(&model).await;
    assert_eq!(end.reason(), EndReason::NeedsConfirmation);
    assert_eq!(done.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn dropped_while_the_model_thinks_nothing_has_changed() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, Provider::OpenAiChat);
    let silent = |_: Value| std::future::pending();
    let dropped = tokio::time::timeout(Duration::from_secs(1), talk.run(&silent, question(Provider::OpenAiChat))).await;
    assert!(dropped.is_err());
    check(Provider::OpenAiChat, talk.request());
    let model = Script::new([]).then(words(Provider::OpenAiChat, "Here."));
    assert_eq!(talk.resume(&model).await.text(), "Here.");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_had_not_begun_was_not_run() {
    for provider in talking() {
        let (builder, done) = super::builder();
        let executor = builder.concurrency(1).build().unwrap();
        let mut talk = conversation(&executor, provider);
        let model = Script::new([]).then(calls(provider, [("hang", json!({})), ("send", json!({ "to": "a" }))]));
        let dropped = tokio::time::timeout(Duration::from_secs(1), talk.run(&model, question(provider))).await;
        assert!(dropped.is_err(), "{provider}");
        let outcomes: Vec<Outcome> = talk.results().iter().map(toolkit::ToolResult::outcome).collect();
        assert_eq!(outcomes, [Outcome::Unknown, Outcome::NotExecuted], "{provider}");
        assert_eq!(done.lock().unwrap().len(), 1, "{provider}");
        check(provider, talk.request());
    }
}
