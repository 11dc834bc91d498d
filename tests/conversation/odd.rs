//! What no host and no model should do, and some will.

use serde_json::{Value, json};
use toolkit::{Conversation, ConversationState, EndReason, ExportOptions, Provider, ToolError};

use super::{Script, calls, check, conversation, executor, question, talking, words};

#[tokio::test]
async fn a_reply_that_is_none_ends_the_conversation_with_a_request_that_stays_good() {
    for provider in talking() {
        for reply in [json!(null), json!(""), json!([]), json!({}), json!(7), json!({ "choices": [] }), json!([[[]]])] {
            let (executor, _) = executor();
            let mut talk = conversation(&executor, provider).max_model_retries(0);
            let end = talk.run(&Script::new([Ok(reply.clone())]), question(provider)).await;
            assert_eq!(end.reason(), EndReason::ModelFailed, "{provider}: {reply}");
            assert!(end.error().is_some(), "{provider}: {reply}");
            check(provider, talk.request());
            // The next reply is read as if nothing had been.
            let request = talk.request().clone();
            let end = talk.run(&Script::new([Ok(words(provider, "Yes."))]), request).await;
            assert_eq!((end.reason(), end.text()), (EndReason::Answered, "Yes."), "{provider}: {reply}");
        }
    }
}

#[tokio::test]
async fn a_request_that_cannot_grow_is_not_sent() {
    for provider in talking() {
        for request in [json!(null), json!("hello"), json!([1])] {
            let (executor, _) = executor();
            let mut talk = conversation(&executor, provider);
            let model = Script::new([]).then(words(provider, "3"));
            let end = talk.run(&model, request.clone()).await;
            assert_eq!((end.reason(), end.text()), (EndReason::ModelFailed, ""), "{provider}: {request}");
            assert_eq!(end.error().unwrap().message(), "the request is no JSON object", "{provider}");
            assert!(model.asked().is_empty(), "{provider}: {request}");
        }
    }
}

#[tokio::test]
async fn limits_of_nothing_allow_nothing() {
    for provider in talking() {
        let (executor, done) = executor();
        let model = Script::new([]).then(calls(provider, [("send", json!({ "to": "a" }))]));
        let end = conversation(&executor, provider).max_turns(0).run(&model, question(provider)).await;
        assert_eq!(end.reason(), EndReason::MaxTurns, "{provider}");
        assert!(model.asked().is_empty(), "{provider}");
        let mut talk = conversation(&executor, provider).max_calls(0);
        assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::MaxCalls, "{provider}");
        assert!(done.lock().unwrap().is_empty(), "{provider}");
        check(provider, talk.request());
    }
}

#[tokio::test]
async fn a_thousand_calls_in_one_reply_are_all_answered() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, Provider::OpenAiChat).max_calls(40);
    let many: [_; 1000] = std::array::from_fn(|n| ("add", json!({ "a": n, "b": 1 })));
    let end = talk.run(&Script::new([Ok(calls(Provider::OpenAiChat, many))]), question(Provider::OpenAiChat)).await;
    assert_eq!((end.reason(), talk.results().len()), (EndReason::MaxCalls, 1000));
    assert_eq!(talk.results().iter().filter(|result| result.is_success()).count(), 40);
    check(Provider::OpenAiChat, talk.request());
}

#[tokio::test]
async fn a_token_that_nobody_gave_answers_nothing() {
    let (executor, done) = executor();
    let mut talk = conversation(&executor, Provider::OpenAiChat);
    let model = Script::new([]).then(calls(Provider::OpenAiChat, [("delete", json!({ "path": "a" }))]));
    assert!(talk.approve("").is_err() && talk.refuse("x", "").is_err() && talk.edit("y", json!({})).is_err());
    let _ = talk.run(&model, question(Provider::OpenAiChat)).await;
    let token = talk.pending()[0].token().to_owned();
    assert!(talk.approve(&token[1..]).is_err());
    // What is no object is refused when it is run, and nothing is done.
    talk.edit(&token, json!([1, 2])).unwrap();
    let model = model.then(words(Provider::OpenAiChat, "Well."));
    assert_eq!(talk.resume(&model).await.reason(), EndReason::Answered);
    assert!(done.lock().unwrap().is_empty() && !talk.results()[0].is_success());
    // There is nothing left to go on with but the model.
    assert!(talk.pending().is_empty() && talk.approve(&token).is_err());
}

#[tokio::test]
async fn a_state_that_was_tampered_with_is_an_error_and_never_a_panic() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, Provider::OpenAiChat);
    let model = Script::new([])
        .then(calls(Provider::OpenAiChat, [("delete", json!({ "path": "a" })), ("add", json!({ "a": 1, "b": 2 }))]));
    let _ = talk.run(&model, question(Provider::OpenAiChat)).await;
    let good = serde_json::to_value(talk.state()).unwrap();
    let restored = |state: Value| {
        let state: ConversationState = serde_json::from_value(state).map_err(|error| error.to_string())?;
        let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new()).unwrap();
        Conversation::restore(executor.run(state.run_id()), export, &state).map_err(|error| error.to_string())
    };
    assert_eq!(restored(good.clone()).unwrap().pending().len(), 1);
    for other in [json!(null), json!({}), json!([]), json!("state")] {
        assert!(restored(other).is_err());
    }
    // Every field in turn is missing, or is something else.
    for key in good.as_object().unwrap().keys() {
        for other in
            [None, Some(json!(null)), Some(json!("x")), Some(json!(-1)), Some(json!([{}])), Some(json!({ "a": [] }))]
        {
            let mut state = good.clone();
            match other {
                None => drop(state.as_object_mut().unwrap().remove(key)),
                Some(other) => state[key] = other,
            }
            let _ = restored(state);
        }
    }
}

#[tokio::test]
async fn a_model_that_panics_has_failed() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, Provider::OpenAiChat).max_model_retries(0);
    let model = |_: Value| async { if true { panic!("boom") } else { Ok::<Value, ToolError>(Value::Null) } };
    let end = talk.run(&model, question(Provider::OpenAiChat)).await;
    assert_eq!(end.reason(), EndReason::ModelFailed);
    check(Provider::OpenAiChat, talk.request());
}
