//! Replies that break off.

use serde_json::json;
use toolkit::{EndReason, Outcome, Provider, StopReason};

use super::{Script, calls, check, conversation, cut, executor, question, talking, words};

#[tokio::test]
async fn no_call_of_a_reply_that_was_cut_off_is_run_and_the_model_is_told() {
    for provider in talking() {
        let (executor, done) = executor();
        let mut talk = conversation(&executor, provider);
        let both = [("send", json!({ "to": "a" })), ("send", json!({ "to": "b" }))];
        let model = Script::new([])
            .then(cut(provider, calls(provider, both.clone())))
            .then(calls(provider, [both[0].clone()]))
            .then(words(provider, "Sent."));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!(end.reason(), EndReason::Answered, "{provider}");
        assert_eq!(done.lock().unwrap().len(), 1, "{provider}: {:?}", done.lock().unwrap());
        for result in &talk.results()[..2] {
            assert_eq!((result.outcome(), result.attempts().len()), (Outcome::NotExecuted, 0), "{provider}");
            assert!(result.text().contains("cut off") && result.text().contains("length limit"), "{}", result.text());
        }
        check(provider, &model.asked()[1]);
    }
}

#[tokio::test]
async fn arguments_that_break_off_stop_their_neighbours_whatever_the_reason_says() {
    let provider = Provider::OpenAiChat;
    let (executor, done) = executor();
    let mut talk = conversation(&executor, provider);
    let mut broken = calls(provider, [("send", json!({ "to": "a" })), ("send", json!({ "to": "b" }))]);
    broken["choices"][0]["message"]["tool_calls"][1]["function"]["arguments"] = json!("{\"to\": \"b");
    let model = Script::new([]).then(broken).then(words(provider, "I stop."));
    assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::Answered);
    assert!(done.lock().unwrap().is_empty());
    let stops: Vec<_> = talk.results().iter().map(toolkit::ToolResult::stop).collect();
    assert_eq!(stops, [Some(StopReason::InvalidArguments), Some(StopReason::InvalidArguments)]);
    check(provider, talk.request());
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_no_answer() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider);
        let model = Script::new([]).then(cut(provider, words(provider, "It is 4")));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!((end.reason(), end.text()), (EndReason::CutOff, "It is 4"), "{provider}");
        assert_eq!(talk.request(), &model.asked()[0], "{provider}");
    }
}

#[tokio::test]
async fn a_model_that_never_gets_to_the_end_of_a_call_is_not_asked_for_ever() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider).max_turns(50);
        let broken = || cut(provider, calls(provider, [("send", json!({ "to": "a" }))]));
        let model = Script::new([]).then(broken()).then(broken()).then(broken());
        let end = talk.run(&model, question(provider)).await;
        assert_eq!((end.reason(), talk.turns()), (EndReason::CutOff, 3), "{provider}");
        check(provider, talk.request());
    }
}
