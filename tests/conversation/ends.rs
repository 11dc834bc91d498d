//! Why a conversation ends.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use toolkit::{EndReason, ExportOptions, Outcome, Provider, StopReason, Usage};

use super::{Script, builder, calls, check, conversation, executor, history, question, talking, words};

#[tokio::test]
async fn the_model_calls_is_answered_and_answers_with_every_provider() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider);
        let model = Script::new([])
            .then(calls(provider, [("add", json!({ "a": 2, "b": 40 })), ("none", json!({}))]))
            .then(words(provider, "It is 42."));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!((end.reason(), end.text()), (EndReason::Answered, "It is 42."), "{provider}");
        assert_eq!((talk.results()[0].text(), talk.turns()), ("42", 2), "{provider}");
        assert_eq!(talk.results()[1].stop(), Some(StopReason::UnknownTool), "{provider}");
        let asked = model.asked();
        assert_eq!(asked.len(), 2, "{provider}");
        for request in &asked {
            check(provider, request);
        }
        assert_eq!(talk.request(), &asked[1], "{provider}");
        assert!(history(provider, &asked[1]).len() > history(provider, &asked[0]).len(), "{provider}");
    }
}

#[tokio::test]
async fn the_tools_stand_where_the_provider_takes_them_once() {
    for provider in talking() {
        let (executor, _) = executor();
        let export = provider.export(executor.registry(), &ExportOptions::new()).unwrap();
        let mut talk = conversation(&executor, provider);
        let model = Script::new([]).then(words(provider, "Yes.")).then(words(provider, "Yes."));
        let _ = talk.run(&model, question(provider)).await;
        // A request that has the tools already, as that of an earlier conversation.
        let _ = talk.run(&model, talk.request().clone()).await;
        let asked = model.asked();
        assert_eq!(asked[0], asked[1], "{provider}");
        let tools = match provider {
            Provider::Bedrock => &asked[1]["toolConfig"]["tools"],
            Provider::Prompt => {
                let system = asked[1]["messages"][0]["content"].as_str().unwrap();
                assert_eq!(system, export.instructions(executor.language()));
                continue;
            }
            _ => &asked[1]["tools"],
        };
        assert_eq!(tools, export.tools(), "{provider}");
    }
}

#[tokio::test]
async fn the_host_s_own_tools_stay() {
    let (executor, _) = executor();
    let mut request = question(Provider::OpenAiResponses);
    request["tools"] = json!([{ "type": "web_search" }]);
    let model = Script::new([]).then(words(Provider::OpenAiResponses, "Yes."));
    let _ = conversation(&executor, Provider::OpenAiResponses).run(&model, request).await;
    let asked = model.asked();
    assert_eq!(asked[0]["tools"][0], json!({ "type": "web_search" }));
    assert_eq!(asked[0]["tools"].as_array().unwrap().len(), 1 + executor.registry().len());
}

#[tokio::test]
async fn turns_have_a_limit_and_the_request_stays_good() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider).max_turns(3);
        let more = || calls(provider, [("add", json!({ "a": 1, "b": 1 }))]);
        let model = Script::new([]).then(more()).then(more()).then(more()).then(words(provider, "Two."));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!((end.reason(), talk.results().len()), (EndReason::MaxTurns, 3), "{provider}");
        check(provider, talk.request());
        // Whoever wants to go on sends the request as it stands.
        let end = talk.run(&model, talk.request().clone()).await;
        assert_eq!((end.reason(), end.text()), (EndReason::Answered, "Two."), "{provider}");
    }
}

#[tokio::test]
async fn calls_have_a_limit_and_those_beyond_it_are_answered_and_not_run() {
    for provider in talking() {
        let (executor, done) = executor();
        let mut talk = conversation(&executor, provider).max_calls(3);
        let mail = |to: &str| ("send", json!({ "to": to }));
        let model = Script::new([])
            .then(calls(provider, [mail("a"), mail("b")]))
            .then(calls(provider, [mail("c"), mail("d"), mail("e")]));
        let end = talk.run(&model, question(provider)).await;
        assert_eq!(end.reason(), EndReason::MaxCalls, "{provider}");
        let sent: Vec<String> = done.lock().unwrap().iter().map(|(what, _)| what.clone()).collect();
        assert_eq!(sent, ["send a", "send b", "send c"], "{provider}");
        let outcomes: Vec<Outcome> = talk.results().iter().map(toolkit::ToolResult::outcome).collect();
        assert_eq!(outcomes[2..], [Outcome::Succeeded, Outcome::NotExecuted, Outcome::NotExecuted], "{provider}");
        assert_eq!(talk.results()[4].stop(), Some(StopReason::Budget), "{provider}");
        assert_eq!(talk.results()[4].name(), "send", "{provider}");
        check(provider, talk.request());
    }
}

#[tokio::test(start_paused = true)]
async fn time_has_a_limit_within_calls_and_between_them() {
    let (executor, _) = executor();
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new()).unwrap();
    let started = Instant::now();
    let run = executor.run("late").deadline(Duration::from_secs(5));
    let mut talk = toolkit::Conversation::new(run, export);
    let model = Script::new([]).then(calls(Provider::OpenAiChat, [("hang", json!({}))]));
    let end = talk.run(&model, question(Provider::OpenAiChat)).await;
    assert_eq!((end.reason(), started.elapsed()), (EndReason::Deadline, Duration::from_secs(5)));
    check(Provider::OpenAiChat, talk.request());
    assert_eq!((talk.turns(), model.asked().len()), (1, 1), "nobody is asked after the deadline");
    assert_eq!(talk.results()[0].outcome(), Outcome::Unknown);
}

#[tokio::test]
async fn a_request_that_is_none_is_told_before_anything_is_sent() {
    let (executor, _) = executor();
    let model = Script::default();
    for (provider, request) in [
        (Provider::OpenAiChat, json!({ "model": "m" })),
        (Provider::OpenAiChat, json!("hello")),
        (Provider::Gemini, json!({ "messages": [] })),
        (Provider::Mcp, json!({ "messages": [] })),
    ] {
        let end = conversation(&executor, provider).run(&model, request).await;
        assert_eq!(end.reason(), EndReason::ModelFailed, "{provider}");
        assert_eq!(end.error().unwrap().class(), toolkit::ErrorClass::InvalidArgument, "{provider}");
    }
    assert!(model.asked().is_empty());
}

#[tokio::test]
async fn a_next_question_follows_the_answer() {
    for provider in talking() {
        let (executor, done) = executor();
        let mut talk = conversation(&executor, provider);
        let mail = || calls(provider, [("send", json!({ "to": "a" }))]);
        let model =
            Script::new([]).then(mail()).then(words(provider, "Sent.")).then(mail()).then(words(provider, "Again."));
        let _ = talk.run(&model, question(provider)).await;
        let before = history(provider, talk.request()).len();
        let next = talk.followed_by(
            history(provider, &{
                let mut first = question(provider);
                if provider == Provider::OpenAiResponses {
                    first["input"] = json!([{ "role": "user", "content": "And now?" }]);
                }
                first
            })[0]
                .clone(),
        );
        assert_eq!(history(provider, &next).len(), before + 2, "{provider}");
        assert_eq!(talk.run(&model, next).await.text(), "Again.", "{provider}");
        assert!(model.asked()[2].to_string().contains("Sent."), "{provider}");
        // The same call in another turn is another call.
        let done = done.lock().unwrap();
        assert_ne!(done[0].1, done[1].1, "{provider}");
        assert_eq!(talk.results().len(), 2, "{provider}");
    }
}

#[tokio::test]
async fn tokens_are_summed_where_the_provider_counts_them() {
    for provider in talking() {
        let (executor, _) = executor();
        let mut talk = conversation(&executor, provider);
        let counted = |mut reply: serde_json::Value| {
            let fields = match provider {
                Provider::OpenAiResponses => json!({ "usage": { "input_tokens": 10, "output_tokens": 3 } }),
                Provider::Anthropic => json!({ "usage": {
                    "input_tokens": 4, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1, "output_tokens": 3
                } }),
                Provider::Gemini => json!({ "usageMetadata": {
                    "promptTokenCount": 10, "candidatesTokenCount": 1, "thoughtsTokenCount": 2
                } }),
                Provider::Bedrock => json!({ "usage": { "inputTokens": 10, "outputTokens": 3 } }),
                Provider::Cohere => json!({ "usage": { "tokens": { "input_tokens": 10, "output_tokens": 3 } } }),
                Provider::Ollama => json!({ "prompt_eval_count": 10, "eval_count": 3 }),
                _ => json!({ "usage": { "prompt_tokens": 10, "completion_tokens": 3 } }),
            };
            reply.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            reply
        };
        let model = Script::new([])
            .then(counted(calls(provider, [("add", json!({ "a": 2, "b": 40 }))])))
            .then(counted(words(provider, "It is 42.")));
        let _ = talk.run(&model, question(provider)).await;
        let Usage { .. } = talk.usage();
        assert_eq!((talk.usage().input_tokens(), talk.usage().output_tokens()), (20, 6), "{provider}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_failing_call_is_refused_across_turns() {
    let provider = Provider::OpenAiChat;
    let (executor, _) = executor();
    let mut talk = conversation(&executor, provider);
    let again = || calls(provider, [("fail", json!({}))]);
    let model =
        (0..5).fold(Script::new([]), |script, _| script.then(again())).then(words(provider, "It does not work."));
    assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::Answered);
    let stops: Vec<_> = talk.results().iter().map(|result| result.stop().unwrap()).collect();
    let (real, refused) = (StopReason::Permanent, StopReason::Repeated);
    assert_eq!(stops, [real, real, real, refused, refused]);
}

#[tokio::test(start_paused = true)]
async fn what_happened_can_be_watched_and_printed() {
    let provider = Provider::OpenAiChat;
    let (builder, _) = builder();
    let events = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = std::sync::Arc::clone(&events);
    let executor =
        builder.observer(move |event: &toolkit::Event<'_>| seen.lock().unwrap().push(event.name())).build().unwrap();
    let steps = std::sync::Arc::new(std::sync::Mutex::new(0));
    let count = std::sync::Arc::clone(&steps);
    let mut talk = conversation(&executor, provider).on_step(move |_| *count.lock().unwrap() += 1);
    let busy = toolkit::ToolError::from_http(429, [("retry-after", "3")], None);
    let mut asks = calls(provider, [("add", json!({ "a": "2", "b": 40 })), ("post", json!({}))]);
    asks["choices"][0]["message"]["content"] = json!("I add \u{1b}[2J and post.");
    let model = Script::new([Err(busy)]).then(asks).then(words(provider, "It is 42."));
    assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::Answered);
    let events = events.lock().unwrap().clone();
    let model: Vec<_> = events.iter().filter(|name| name.contains("model") || name.contains("conversation")).collect();
    assert_eq!(
        model,
        [
            &"model_asked",
            &"model_replied",
            &"model_retry_scheduled",
            &"model_asked",
            &"model_replied",
            &"model_asked",
            &"model_replied",
            &"conversation_ended"
        ]
    );
    assert_eq!(talk.steps().count(), *steps.lock().unwrap());
    let text = talk.timeline().to_string();
    for part in [
        "I add  [2J and post.",
        "→ add {\"a\":\"2\",\"b\":40}",
        "✓ add  ok",
        "a: \"2\" → 2",
        "✗ post  outcome unknown",
        "network  the line went dead",
        "It is 42.",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
}

/// Opens a door.
#[toolkit::tool(category = Write)]
async fn open(door: String, #[arg(secret)] code: String) -> String {
    format!("{door} {}", code.len())
}

#[tokio::test]
async fn a_secret_argument_is_in_no_record() {
    let registry = toolkit::Registry::builder().tool::<open>().build().unwrap();
    let executor = toolkit::Executor::builder(registry).build().unwrap();
    for provider in talking() {
        let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let watched = std::sync::Arc::clone(&seen);
        let mut talk =
            conversation(&executor, provider).on_step(move |step| watched.lock().unwrap().push(format!("{step:?}")));
        let call = |name: &'static str| (name, json!({ "door": "front", "code": "sesame-4711" }));
        let model = Script::new([]).then(calls(provider, [call("open"), call("opn")])).then(words(provider, "Open."));
        assert_eq!(talk.run(&model, question(provider)).await.reason(), EndReason::Answered, "{provider}");
        assert_eq!(talk.results()[0].text(), "front 11", "{provider}");
        let record = talk.timeline().to_string() + &seen.lock().unwrap().concat();
        assert!(record.contains("[secret]") && !record.contains("sesame"), "{provider}: {record}");
    }
}

#[tokio::test]
async fn a_call_that_the_provider_could_not_read_is_no_answer() {
    let (executor, _) = executor();
    let mut talk = conversation(&executor, Provider::Gemini);
    let reply = json!({ "candidates": [{ "content": {}, "finishReason": "MALFORMED_FUNCTION_CALL" }] });
    let model = Script::new([]).then(reply);
    let end = talk.run(&model, question(Provider::Gemini)).await;
    assert_eq!((end.reason(), end.text()), (EndReason::CutOff, ""));
}
