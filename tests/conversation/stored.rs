//! Conversations that are stored and loaded.

use serde_json::{Value, json};
use toolkit::{Conversation, ConversationState, EndReason, Executor, ExportOptions, Provider, StopReason};

use super::{Script, calls, check, conversation, executor, question, talking, words};

/// As another process would have it.
fn loaded(executor: &Executor, provider: Provider, stored: &Value) -> Conversation {
    let state: ConversationState = serde_json::from_value(stored.clone()).unwrap();
    let export = provider.export(executor.registry(), &ExportOptions::new()).unwrap();
    Conversation::restore(executor.run(state.run_id()), export, &state).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_paused_conversation_goes_on_in_another_process_as_in_its_own() {
    for provider in talking() {
        let (first, _) = executor();
        let mut talk = conversation(&first, provider).max_turns(7);
        let turn = [("add", json!({ "a": "2", "b": 40 })), ("delete", json!({ "path": "a" })), ("post", json!({}))];
        let model = Script::new([]).then(calls(provider, turn));
        assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::NeedsConfirmation, "{provider}");
        let stored = serde_json::to_value(talk.state()).unwrap();

        let (second, done) = executor();
        let mut again = loaded(&second, provider, &stored);
        assert_eq!(again.request(), talk.request(), "{provider}");
        assert_eq!(again.pending(), talk.pending(), "{provider}");
        assert_eq!(again.timeline().to_string(), talk.timeline().to_string(), "{provider}");
        assert_eq!(serde_json::to_value(again.state()).unwrap(), stored, "{provider}");
        let token = again.pending()[0].token().to_owned();
        again.approve(&token).unwrap();
        // What may have happened before the pause is remembered after it.
        let model = Script::new([]).then(calls(provider, [("post", json!({}))]));
        assert_eq!(again.resume(&model).await.reason(), EndReason::NeedsConfirmation, "{provider}");
        check(provider, again.request());
        assert_eq!(*done.lock().unwrap(), [("delete a".to_owned(), "test/0/1/delete".to_owned())], "{provider}");
        assert_eq!(again.results().len(), 4, "{provider}");
        let token = again.pending()[0].token().to_owned();
        again.refuse(&token, "").unwrap();
        let model = Script::new([]).then(words(provider, "Done."));
        assert_eq!(again.resume(&model).await.reason(), EndReason::Answered, "{provider}");
    }
}

#[tokio::test]
async fn an_answer_is_stored_too_and_used_once() {
    let provider = Provider::OpenAiChat;
    let (executor, done) = executor();
    let mut talk = conversation(&executor, provider);
    let model = Script::new([]).then(calls(provider, [("delete", json!({ "path": "a" }))]));
    let _ = talk.run(&model, question(provider)).await;
    let token = talk.pending()[0].token().to_owned();
    talk.approve(&token).unwrap();
    let stored = serde_json::to_value(talk.state()).unwrap();

    // Two have loaded it, and one of them is late.
    let model = || Script::new([]).then(words(provider, "Done."));
    let mut first = loaded(&executor, provider, &stored);
    assert!(first.pending()[0].is_answered());
    assert_eq!(first.resume(&model()).await.reason(), EndReason::Answered);
    assert!(first.results()[0].is_success());
    let mut second = loaded(&executor, provider, &stored);
    assert_eq!(second.resume(&model()).await.reason(), EndReason::Answered);
    assert_eq!(second.results()[0].stop(), Some(StopReason::PermissionDenied));
    assert!(second.results()[0].text().contains("used already"));
    assert_eq!(done.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_was_stored_otherwise_is_refused_in_words() {
    let provider = Provider::OpenAiChat;
    let (executor, _) = executor();
    let talk = conversation(&executor, provider);
    let stored = serde_json::to_value(talk.state()).unwrap();
    let other = |key: &str, value: Value| {
        let mut other = stored.clone();
        other[key] = value;
        serde_json::from_value::<ConversationState>(other)
    };
    let error = other("version", json!(2)).unwrap_err().to_string();
    assert!(error.contains("version 2") && error.contains("version 1"), "{error}");
    assert!(serde_json::from_value::<ConversationState>(json!([])).is_err());
    let restored = |state: &ConversationState, run: &str, provider: Provider| {
        let export = provider.export(executor.registry(), &ExportOptions::new()).unwrap();
        Conversation::restore(executor.run(run), export, state).map(drop).map_err(|error| error.to_string())
    };
    let state = talk.state();
    assert_eq!(restored(&state, "test", provider), Ok(()));
    assert!(restored(&state, "other", provider).unwrap_err().contains("`other`"));
    assert!(restored(&state, "test", Provider::Gemini).unwrap_err().contains("gemini"));
    for key in ["results", "limits", "turns", "paused", "usage", "steps"] {
        let broken = other(key, json!("x")).unwrap();
        assert!(restored(&broken, "test", provider).unwrap_err().contains("cannot be read"), "{key}");
    }
}

#[tokio::test]
async fn results_with_images_and_numbers_come_back_as_they_were() {
    use crate::shown;
    for provider in talking() {
        let registry = shown::registry();
        let executor = Executor::builder(registry.clone()).build().unwrap();
        let mut talk = conversation(&executor, provider);
        let all: Vec<_> = registry.names().into_iter().map(|name| (name.to_owned(), json!({}))).collect();
        let model = Script::new([]).then(crate::replies::reply(provider, &all)).then(words(provider, "Seen."));
        let _ = talk.run(&model, question(provider)).await;
        let stored = serde_json::to_value(talk.state()).unwrap();
        let again = loaded(&executor, provider, &stored);
        let export = provider.export(&registry, &ExportOptions::new()).unwrap();
        assert_eq!(export.render_results(again.results()), export.render_results(talk.results()), "{provider}");
        assert_eq!(serde_json::to_value(again.results()).unwrap(), serde_json::to_value(talk.results()).unwrap());
    }
}
