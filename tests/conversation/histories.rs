//! Whatever a model writes, the next request is one that the provider takes.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolkit::{EndReason, Provider};

use super::{Script, check, conversation, cut, executor, question, talking, words};
use crate::replies::{body, reply, samples};

#[tokio::test]
async fn replies_that_servers_and_models_get_wrong_are_answered_call_by_call() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider).max_turns(100).max_calls(1_000);
        let mut model = Script::new([]);
        for sample in samples(provider) {
            model = model.then(sample);
        }
        let model = model.then(words(provider, "At last."));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!((end.reason(), end.text()), (EndReason::Answered, "At last."), "{provider}");
        for request in model.asked() {
            check(provider, &request);
        }
        assert!(talk.results().iter().all(|result| !result.call_id().is_empty()), "{provider}");
    }
}

#[tokio::test]
async fn a_reply_with_nothing_in_it_is_an_answer_without_words() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider);
        let end = talk.run(&Script::new([]).then(body(provider, json!([]))), question(provider)).await;
        assert_eq!(end.reason(), EndReason::Answered, "{provider}");
        if provider != Provider::Cohere {
            assert_eq!(end.text(), "", "{provider}");
        }
    }
}

/// Names and arguments, good and bad.
fn call() -> impl Strategy<Value = (String, Value)> {
    let name = prop_oneof![
        Just("add".to_owned()),
        Just("send".to_owned()),
        Just("delete".to_owned()),
        Just("fail".to_owned()),
        Just(String::new()),
        "[a-z.<|>é]{0,70}",
    ];
    let arguments = prop_oneof![
        Just(json!({ "a": 1, "b": 2 })),
        Just(json!({ "to": "x" })),
        Just(json!({ "path": "x" })),
        Just(json!({})),
        Just(json!(null)),
        Just(json!([1])),
        Just(json!("{\"a\": 1")),
        Just(json!("</tool_call>")),
    ];
    (name, arguments)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_request_of_every_conversation_is_good(
        turns in prop::collection::vec((prop::collection::vec(call(), 1..5), any::<bool>(), any::<u8>()), 1..6),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        for provider in talking() {
            runtime.block_on(async {
                let (executor, _) = executor();
                let mut talk = conversation(&executor, provider).max_calls(9);
                let mut model = Script::new([]);
                for (calls, is_cut, _) in &turns {
                    let reply = reply(provider, calls);
                    model = model.then(if *is_cut { cut(provider, reply) } else { reply });
                }
                let model = (0..8).fold(model, |model, _| model.then(words(provider, "Done.")));
                let mut end = talk.run(&model, question(provider)).await;
                for (.., answer) in &turns {
                    check(provider, talk.request());
                    if end.reason() != EndReason::NeedsConfirmation {
                        break;
                    }
                    let tokens: Vec<String> = talk.pending().iter().map(|call| call.token().to_owned()).collect();
                    for (place, token) in tokens.iter().enumerate() {
                        match (usize::from(*answer) >> place) % 3 {
                            0 => talk.approve(token).unwrap(),
                            1 => talk.edit(token, json!({ "path": "y" })).unwrap(),
                            _ => talk.refuse(token, "no").unwrap(),
                        }
                    }
                    // Now and then it is stored in between.
                    if answer % 2 == 0 {
                        let state = serde_json::from_value(serde_json::to_value(talk.state()).unwrap()).unwrap();
                        let export = provider.export(executor.registry(), &toolkit::ExportOptions::new()).unwrap();
                        talk = toolkit::Conversation::restore(executor.run("test"), export, &state).unwrap();
                    }
                    end = talk.resume(&model).await;
                }
                check(provider, talk.request());
                for request in model.asked() {
            check(provider, &request);
        }
            });
        }
    }
}
