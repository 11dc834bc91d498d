//! The model's own failures.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;
use toolkit::testing::Trace;
use toolkit::{Conversation, EndReason, ErrorClass, ExportOptions, Provider, ToolError};

use super::{Script, builder, calls, conversation, executor, question, talking, words};
use crate::captured::Captured;

const NONE: [(&str, &str); 0] = [];

#[tokio::test(start_paused = true)]
async fn failures_that_pass_are_waited_for_and_others_are_not() {
    for (failure, requests, class) in [
        (ToolError::from_http(529, NONE, None), 3, ErrorClass::ServiceUnavailable),
        (ToolError::from_http(503, NONE, None), 3, ErrorClass::ServiceUnavailable),
        (ToolError::from_http(429, NONE, None), 3, ErrorClass::RateLimit),
        (ToolError::from_http(408, NONE, None), 3, ErrorClass::Timeout),
        (ToolError::new(ErrorClass::Network, "connection reset"), 3, ErrorClass::Network),
        (ToolError::from_http(429, [("retry-after", "600")], None), 1, ErrorClass::RateLimit),
        (ToolError::from_http(500, NONE, None), 1, ErrorClass::Internal),
        (ToolError::from_http(400, NONE, None), 1, ErrorClass::InvalidArgument),
        (ToolError::from_http(401, NONE, None), 1, ErrorClass::PermissionDenied),
    ] {
        let trace = Trace::new();
        let executor = builder().0.observer(trace.clone()).build().unwrap();
        let mut talk = conversation(&executor, Provider::OpenAiChat);
        let model = Script::new((0..3).map(|_| Err(failure.clone())));
        let end = talk.run(&model, question(Provider::OpenAiChat)).await;
        assert_eq!((end.reason(), model.asked().len()), (EndReason::ModelFailed, requests), "{failure}");
        assert_eq!(end.error().unwrap().class(), class);
        let asked: Vec<_> = trace.events().into_iter().filter(|event| event.name == "model_asked").collect();
        let numbers: Vec<_> = asked.iter().map(|event| event.attempt.unwrap() as usize).collect();
        assert_eq!(numbers, (1..=requests).collect::<Vec<_>>());
        assert_eq!(talk.request(), &model.asked()[0], "it can be sent again");
    }
}

#[tokio::test(start_paused = true)]
async fn the_wait_that_the_service_asks_for_is_kept() {
    let (executor, _) = executor();
    let started = Instant::now();
    let busy = ToolError::from_http(429, [("retry-after", "7")], None);
    let model = Script::new([Err(busy)]).then(words(Provider::OpenAiChat, "Here."));
    let end = conversation(&executor, Provider::OpenAiChat).run(&model, question(Provider::OpenAiChat)).await;
    assert_eq!(end.text(), "Here.");
    let waited = started.elapsed();
    assert!(waited >= Duration::from_secs(7) && waited <= Duration::from_millis(7_701), "{waited:?}");
}

#[tokio::test(start_paused = true)]
async fn no_wait_leads_past_the_deadline() {
    let (executor, _) = executor();
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new()).unwrap();
    let mut talk = Conversation::new(executor.run("x").deadline(Duration::from_secs(5)), export);
    let started = Instant::now();
    let model = Script::new([Err(ToolError::from_http(429, [("retry-after", "7")], None))]);
    let end = talk.run(&model, question(Provider::OpenAiChat)).await;
    assert_eq!((end.reason(), started.elapsed()), (EndReason::Deadline, Duration::ZERO));
    assert_eq!(end.error().unwrap().class(), ErrorClass::RateLimit, "the last real failure");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_never_answers_is_given_up_at_the_deadline() {
    let (executor, _) = executor();
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new()).unwrap();
    let mut talk = Conversation::new(executor.run("x").deadline(Duration::from_secs(5)), export);
    let started = Instant::now();
    let model = |_: Value| std::future::pending::<Result<Value, ToolError>>();
    let end = talk.run(&model, question(Provider::OpenAiChat)).await;
    assert_eq!((end.reason(), started.elapsed()), (EndReason::Deadline, Duration::from_secs(5)));
}

#[tokio::test]
async fn a_client_that_panics_ends_the_conversation_and_not_the_program() {
    crate::scripted::quiet();
    let (executor, _) = executor();
    let polled = |_: Value| async { panic!("scripted: a client") };
    let called = |_: Value| -> std::future::Ready<Result<Value, ToolError>> { panic!("scripted: a client") };
    let log = Captured::start();
    drop(conversation(&executor, Provider::OpenAiChat).run(&polled, question(Provider::OpenAiChat)).await);
    Captured::hears_all();
    let end = conversation(&executor, Provider::OpenAiChat).run(&polled, question(Provider::OpenAiChat)).await;
    assert_eq!(end.reason(), EndReason::ModelFailed);
    assert!(log.text().contains("the model's client panicked") && log.text().contains("scripted: a client"));
    assert!(log.text().contains("the model failed"), "{}", log.text());
    let end = conversation(&executor, Provider::OpenAiChat).run(&called, question(Provider::OpenAiChat)).await;
    assert_eq!(end.reason(), EndReason::ModelFailed);
    assert_eq!(end.error().unwrap().class(), ErrorClass::Internal);
}

#[tokio::test(start_paused = true)]
async fn an_error_in_a_body_is_a_failure_of_its_own_class() {
    let passing = [
        json!({ "error": { "message": "slow down", "code": 429 } }),
        json!({ "error": { "message": "Overloaded", "type": "overloaded_error" } }),
    ];
    for failure in passing {
        let (executor, _) = executor();
        let model = Script::new([Ok(failure)]).then(words(Provider::OpenAiChat, "Here."));
        let end = conversation(&executor, Provider::OpenAiChat).run(&model, question(Provider::OpenAiChat)).await;
        assert_eq!(end.text(), "Here.");
    }
    for provider in talking() {
        for nonsense in [json!({}), json!("<html>"), json!({ "error": { "message": "no such model", "code": 404 } })] {
            let (executor, _) = executor();
            let mut talk = conversation(&executor, provider);
            let model = Script::new([Ok(nonsense)]);
            let end = talk.run(&model, question(provider)).await;
            assert_eq!((end.reason(), model.asked().len()), (EndReason::ModelFailed, 1), "{provider}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn retries_are_paid_from_a_budget_of_the_conversation() {
    let policy = toolkit::RetryPolicy::builder().budget(3, 0.0, Duration::MAX).build().unwrap();
    let (builder, _) = builder();
    let executor = builder.retry(policy).build().unwrap();
    let mut talk = conversation(&executor, Provider::OpenAiChat).max_model_retries(2);
    let mut replies: Vec<Result<Value, ToolError>> = Vec::new();
    for _ in 0..2 {
        replies.extend((0..2).map(|_| Err(ToolError::from_http(503, NONE, None))));
        replies.push(Ok(calls(Provider::OpenAiChat, [("add", json!({ "a": 1, "b": 1 }))])));
    }
    let model = Script::new(replies);
    let end = talk.run(&model, question(Provider::OpenAiChat)).await;
    assert_eq!((end.reason(), model.asked().len()), (EndReason::ModelFailed, 5));
}

#[tokio::test]
async fn a_closure_is_a_model_and_the_future_can_be_sent_to_another_thread() {
    fn sent<T: Send>(value: T) -> T {
        value
    }
    let (executor, _) = executor();
    let count = Mutex::new(0);
    let model = |_: Value| {
        *count.lock().unwrap() += 1;
        async { Ok(words(Provider::OpenAiChat, "Here.")) }
    };
    let mut talk = conversation(&executor, Provider::OpenAiChat);
    assert_eq!(sent(talk.run(&model, question(Provider::OpenAiChat))).await.text(), "Here.");
    assert_eq!(*count.lock().unwrap(), 1);
}
