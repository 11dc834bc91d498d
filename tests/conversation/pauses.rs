//! Calls that wait for a person.

use std::time::Duration;

use serde_json::json;
use toolkit::{EndReason, NotPending, Outcome, Permission, PermissionRequest, Provider, StopReason};

use super::{Script, builder, calls, check, conversation, executor, question, talking, words};

fn delete(path: &str) -> (&'static str, serde_json::Value) {
    ("delete", json!({ "path": path }))
}

#[tokio::test]
async fn what_asks_waits_and_the_rest_of_the_turn_runs() {
    for provider in talking() {
        let (executor, done) = executor();
        let mut talk = conversation(&executor, provider);
        let turn = [delete("a"), ("send", json!({ "to": "b" })), delete("c")];
        let model = Script::new([]).then(calls(provider, turn)).then(words(provider, "Done."));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!(end.reason(), EndReason::NeedsConfirmation, "{provider}");
        check(provider, talk.request());
        let waiting: Vec<_> = talk.pending().iter().map(|call| (call.tool(), call.arguments().clone())).collect();
        assert_eq!(waiting, [("delete", json!({ "path": "a" })), ("delete", json!({ "path": "c" }))], "{provider}");
        assert!(talk.pending().iter().all(|call| call.why().contains("taken back")), "{provider}");
        assert_eq!(done.lock().unwrap().len(), 1, "{provider}");

        // Nothing goes on before both are answered.
        let tokens: Vec<String> = talk.pending().iter().map(|call| call.token().to_owned()).collect();
        talk.approve(&tokens[0]).unwrap();
        assert_eq!(talk.resume(&model).await.reason(), EndReason::NeedsConfirmation, "{provider}");
        assert_eq!(done.lock().unwrap().len(), 1, "{provider}");
        assert_eq!(talk.approve(&tokens[0]), Err(NotPending), "{provider}");
        talk.refuse(&tokens[1], "c is needed").unwrap();
        let end = talk.resume(&model).await;
        assert_eq!((end.reason(), end.text()), (EndReason::Answered, "Done."), "{provider}");

        let asked = model.asked();
        check(provider, &asked[1]);
        assert!(asked[1].to_string().contains("deleted a"), "{provider}: {}", asked[1]);
        assert!(asked[1].to_string().contains("c is needed"), "{provider}");
        let done: Vec<_> = done.lock().unwrap().clone();
        assert_eq!(done.iter().map(|(what, _)| what.as_str()).collect::<Vec<_>>(), ["send b", "delete a"]);
        assert_eq!(done[1].1, "test/0/0/delete", "{provider}");
        let results = talk.results();
        assert_eq!(results.len(), 3, "{provider}");
        assert!(results[0].is_success() && results[1].is_success(), "{provider}");
        assert_eq!(
            (results[2].stop(), results[2].outcome()),
            (Some(StopReason::PermissionDenied), Outcome::NotExecuted)
        );
        assert!(talk.pending().is_empty(), "{provider}");
    }
}

#[tokio::test]
async fn a_person_may_change_the_arguments_and_the_model_is_told() {
    for provider in talking() {
        let (executor, done) = executor();
        let mut talk = conversation(&executor, provider);
        let model = Script::new([]).then(calls(provider, [delete("/")])).then(words(provider, "Done."));
        let _ = talk.run(&model, question(provider)).await;
        let token = talk.pending()[0].token().to_owned();
        talk.edit(&token, json!({ "path": "/srv/x" })).unwrap();
        assert_eq!(talk.resume(&model).await.reason(), EndReason::Answered, "{provider}");
        assert_eq!(done.lock().unwrap()[0].0, "delete /srv/x", "{provider}");
        let result = &talk.results()[0];
        assert!(result.text().contains("A person changed the arguments") && result.text().contains("/srv/x"));
        assert_eq!(result.value(), Some(&json!("deleted /srv/x")), "{provider}: the host has it unchanged");
        check(provider, &model.asked()[1]);
    }
}

#[tokio::test]
async fn changed_arguments_are_checked_as_any_others() {
    let (executor, done) = executor();
    let provider = Provider::OpenAiChat;
    let mut talk = conversation(&executor, provider);
    let model = Script::new([]).then(calls(provider, [delete("/")])).then(words(provider, "So be it."));
    let _ = talk.run(&model, question(provider)).await;
    let token = talk.pending()[0].token().to_owned();
    talk.edit(&token, json!({ "pfad": "/srv/x" })).unwrap();
    assert_eq!(talk.resume(&model).await.reason(), EndReason::Answered);
    assert_eq!(talk.results()[0].stop(), Some(StopReason::InvalidArguments));
    assert!(done.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_answer_lifts_no_prohibition() {
    let (builder, done) = builder();
    let rules = |request: &PermissionRequest<'_>| match request.arguments() {
        Some(arguments) if arguments["path"] == "/" => Permission::Deny { why: "not the root".to_owned() },
        _ => Permission::Ask { why: "is it meant?".to_owned() },
    };
    let executor = builder.permissions(rules).build().unwrap();
    let provider = Provider::OpenAiChat;
    let mut talk = conversation(&executor, provider);
    let model = Script::new([]).then(calls(provider, [delete("/srv")])).then(words(provider, "I see."));
    let _ = talk.run(&model, question(provider)).await;
    let token = talk.pending()[0].token().to_owned();
    talk.edit(&token, json!({ "path": "/" })).unwrap();
    assert_eq!(talk.resume(&model).await.reason(), EndReason::Answered);
    assert!(talk.results()[0].text().contains("not the root"));
    assert!(done.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_answer_comes_in_time_or_not_at_all() {
    let provider = Provider::OpenAiChat;
    let (executor, done) = executor();
    let mut talk = conversation(&executor, provider).confirm_within(Duration::ZERO);
    let model = Script::new([]).then(calls(provider, [delete("a")])).then(words(provider, "I see."));
    assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::NeedsConfirmation);
    let token = talk.pending()[0].token().to_owned();
    assert_eq!(talk.approve(&token), Err(NotPending));
    assert_eq!(talk.resume(&model).await.reason(), EndReason::Answered);
    assert!(talk.results()[0].text().contains("nobody confirmed it in time"));
    assert!(done.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_unknown_token_answers_nothing() {
    let provider = Provider::OpenAiChat;
    let (executor, _) = executor();
    let mut talk = conversation(&executor, provider);
    assert_eq!(talk.approve("confirm-1"), Err(NotPending));
    let model = Script::new([]).then(calls(provider, [delete("a")]));
    let _ = talk.run(&model, question(provider)).await;
    assert_eq!(talk.approve("confirm-1"), Err(NotPending));
    // Nothing of it is in what the model reads.
    let token = talk.pending()[0].token().to_owned();
    assert!(!talk.request().to_string().contains(&token));
}

#[tokio::test(start_paused = true)]
async fn a_call_in_doubt_is_repeated_only_by_a_person() {
    let provider = Provider::OpenAiChat;
    let (executor, done) = executor();
    let mut talk = conversation(&executor, provider);
    let post = || calls(provider, [("post", json!({}))]);
    let model = Script::new([]).then(post()).then(post()).then(words(provider, "Posted twice."));
    assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::NeedsConfirmation);
    assert_eq!(done.lock().unwrap().len(), 1);
    let token = talk.pending()[0].token().to_owned();
    talk.approve(&token).unwrap();
    assert_eq!(talk.resume(&model).await.reason(), EndReason::Answered);
    assert_eq!(done.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn a_no_needs_no_reason() {
    for (why, told) in
        [("", "a person did not allow it"), (" ", "a person did not allow it"), ("c", "did not allow it: c")]
    {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, Provider::OpenAiChat);
        let turn = [delete("a")];
        let model = Script::new([]).then(calls(Provider::OpenAiChat, turn)).then(words(Provider::OpenAiChat, "Done."));
        let end = talk.run(&model, question(Provider::OpenAiChat)).await;
        assert_eq!(end.reason(), EndReason::NeedsConfirmation);
        let token = talk.pending()[0].token().to_owned();
        talk.refuse(&token, why).unwrap();
        assert_eq!(talk.resume(&model).await.text(), "Done.");
        assert!(talk.results()[0].error().unwrap().message().ends_with(told), "{:?}", talk.results()[0]);
    }
}
