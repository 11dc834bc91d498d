//! What a run remembers of its calls, what retries are paid from, and who is asked and told.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use toolkit::{
    Approver, Confirmation, ErrorClass, Event, Executor, ExecutorBuilder, Language, Outcome, Registry, StopReason,
    ToolCall, ToolContext, ToolError, tool,
};

#[derive(Default)]
struct Counters {
    looked: AtomicU32,
    paid: AtomicU32,
    wiped: AtomicU32,
}

/// Fails until it is told not to.
#[tool(category = Read, max_retries = 0)]
async fn look(id: u32, ok: Option<bool>, #[state] counters: &Counters) -> Result<u32, ToolError> {
    counters.looked.fetch_add(1, Ordering::SeqCst);
    match ok {
        Some(true) => Ok(id),
        _ => Err(ToolError::new(ErrorClass::NotFound, "not there")),
    }
}

/// Pays, and nobody knows whether it did.
#[tool(category = Write)]
async fn pay(amount: f64, #[state] counters: &Counters) -> Result<(), ToolError> {
    let _ = amount;
    match counters.paid.fetch_add(1, Ordering::SeqCst) {
        0 => Err(ToolError::new(ErrorClass::Timeout, "no answer")),
        _ => Ok(()),
    }
}

/// Wipes a disk.
#[tool(category = Dangerous)]
async fn wipe(disk: u8, #[state] counters: &Counters) -> String {
    counters.wiped.fetch_add(1, Ordering::SeqCst);
    format!("wiped {disk}")
}

/// Is down for ever.
#[tool(category = Read, max_retries = 10)]
async fn down(ctx: &ToolContext) -> Result<(), ToolError> {
    ctx.progress(f64::from(ctx.attempt()), 11.0, "trying");
    Err(ToolError::new(ErrorClass::Network, "no route"))
}

fn builder() -> (ExecutorBuilder, Arc<Counters>) {
    let counters = Arc::new(Counters::default());
    let registry = Registry::builder().tool::<look>().tool::<pay>().tool::<wipe>().tool::<down>().build().unwrap();
    (Executor::builder(registry).state(Arc::clone(&counters)), counters)
}

#[tokio::test]
async fn the_same_failing_call_is_refused_the_fourth_time() {
    let (builder, counters) = builder();
    let executor = builder.build().unwrap();
    let run = executor.run("");
    for spelling in [r#"{"id": 1}"#, r#"{"id":1.0}"#, r#"{ "id": 1 }"#] {
        assert_eq!(run.call(ToolCall::new("look", spelling)).await.stop(), Some(StopReason::Permanent));
    }
    let refused = run.call(ToolCall::new("look", json!({"id": 1}))).await;
    assert_eq!((refused.stop(), refused.outcome()), (Some(StopReason::Repeated), Outcome::NotExecuted));
    assert!(refused.text().contains("failed 3 times"), "{}", refused.text());
    assert_eq!(counters.looked.load(Ordering::SeqCst), 3);

    // Other calls, other runs and calls by themselves are no repetition.
    assert_eq!(run.call(ToolCall::new("look", json!({"id": 2}))).await.stop(), Some(StopReason::Permanent));
    let another = executor.run("");
    assert_eq!(another.call(ToolCall::new("look", json!({"id": 1}))).await.stop(), Some(StopReason::Permanent));
    assert_eq!(executor.call(ToolCall::new("look", json!({"id": 1}))).await.stop(), Some(StopReason::Permanent));
}

#[tokio::test]
async fn what_may_have_happened_is_made_again_only_when_a_person_says_so() {
    let (builder, counters) = builder();
    let run = builder.build().unwrap().run("");
    let call = || ToolCall::new("pay", json!({"amount": 2.5}));
    assert_eq!(run.call(call()).await.outcome(), Outcome::Unknown);
    let refused = run.call(call()).await;
    assert_eq!(refused.stop(), Some(StopReason::Repeated));
    assert_eq!(counters.paid.load(Ordering::SeqCst), 1);
    let token = refused.confirmation().unwrap().token().to_owned();
    assert!(
        !run.call(ToolCall::new("pay", json!({"amount": 3})).confirmation(&token))
            .await
            .text()
            .contains("taken effect")
    );
    assert!(run.call(call().confirmation(&token)).await.is_success());
    assert_eq!(counters.paid.load(Ordering::SeqCst), 3);
    assert!(run.call(call()).await.is_success(), "its own success ends the doubt");
}

#[tokio::test]
async fn a_confirmation_is_good_once_for_its_own_call() {
    let (builder, counters) = builder();
    let executor = builder.build().unwrap();
    let asked = executor.call(ToolCall::new("wipe", r#"{"disk": 1}"#)).await;
    assert_eq!(asked.stop(), Some(StopReason::NeedsConfirmation));
    let question = asked.confirmation().unwrap();
    assert_eq!((question.tool(), question.arguments()), ("wipe", &json!({"disk": 1})));
    assert!(!asked.text().contains(question.token()), "the model must not learn the token");
    let with = |disk: u8| ToolCall::new("wipe", json!({"disk": disk})).confirmation(question.token());
    assert_eq!(executor.call(with(2)).await.stop(), Some(StopReason::NeedsConfirmation));
    assert_eq!(executor.call(with(1)).await.text(), "wiped 1");
    assert_eq!(executor.call(with(1)).await.stop(), Some(StopReason::NeedsConfirmation));
    assert_eq!(counters.wiped.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn an_approver_answers_in_place() {
    struct Person;

    impl Approver for Person {
        fn approve<'a>(&'a self, request: &'a Confirmation) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
            Box::pin(async move {
                match request.arguments()["disk"].as_u64() {
                    Some(1) => true,
                    Some(2) => panic!("scripted: the approver panics"),
                    Some(3) => std::future::pending().await,
                    _ => false,
                }
            })
        }
    }

    crate::scripted::quiet();
    let (builder, counters) = builder();
    let executor = builder.approver(Person).build().unwrap();
    let wipe = |disk: u8| ToolCall::new("wipe", json!({"disk": disk})).deadline(Duration::from_secs(5));
    assert!(executor.call(wipe(1)).await.is_success());
    for disk in [0, 2, 3] {
        assert_eq!(executor.call(wipe(disk)).await.stop(), Some(StopReason::NeedsConfirmation), "{disk}");
    }
    assert_eq!(counters.wiped.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_down_spends_its_own_budget_and_no_other() {
    let (builder, _) = builder();
    let executor = builder.build().unwrap();
    let first = executor.call(ToolCall::new("down", "{}")).await;
    assert_eq!((first.stop(), first.attempts().len()), (Some(StopReason::Exhausted), 11));
    // Ten tokens are spent, and one has come back in the ten seconds that the waits took.
    let second = executor.call(ToolCall::new("down", "{}")).await;
    assert_eq!(second.stop(), Some(StopReason::Budget));
    assert!(second.attempts().len() <= 3, "{}", second.attempts().len());
    let dropped = executor.call(ToolCall::new("down", "{}"));
    assert!(tokio::time::timeout(Duration::from_millis(1), dropped).await.is_ok(), "no token, no sleep");
}

#[tokio::test(start_paused = true)]
async fn a_retry_that_is_dropped_is_paid_back() {
    let (builder, _) = builder();
    let executor = builder.build().unwrap();
    for _ in 0..50 {
        let call = executor.call(ToolCall::new("down", "{}"));
        assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err(), "it waits for its first retry");
    }
    let whole = executor.call(ToolCall::new("down", "{}")).await;
    assert_eq!(whole.stop(), Some(StopReason::Exhausted));
}

#[tokio::test(start_paused = true)]
async fn observers_are_told_in_order_and_may_panic() {
    crate::scripted::quiet();
    let told = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&told);
    let (builder, _) = builder();
    let executor = builder
        .observer(|_: &Event<'_>| panic!("scripted: an observer panics"))
        .observer(move |event: &Event<'_>| {
            assert_eq!(event.call().tool, "down");
            ear.lock().unwrap().push(event.name());
        })
        .build()
        .unwrap();
    let result = executor.call(ToolCall::new("down", "{}").deadline(Duration::from_millis(1500))).await;
    assert_eq!(result.stop(), Some(StopReason::Deadline));
    let told = told.lock().unwrap();
    let attempt = ["attempt_started", "progress", "attempt_finished"];
    let expected = [&attempt[..], &["retry_scheduled"], &attempt, &["retry_suppressed", "call_finished"]].concat();
    assert_eq!(*told, expected);
}

/// Agrees to everything it is asked once, and keeps the token.
#[derive(Clone, Default)]
struct Once(Arc<Mutex<Vec<String>>>);

impl Approver for Once {
    fn approve<'a>(&'a self, request: &'a Confirmation) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        let mut tokens = self.0.lock().unwrap();
        tokens.push(request.token().to_owned());
        let is_first = tokens.len() == 1;
        Box::pin(async move { is_first })
    }
}

#[tokio::test]
async fn what_an_approver_agreed_to_is_used_up() {
    let (builder, counters) = builder();
    let person = Once::default();
    let executor = builder.approver(person.clone()).build().unwrap();
    let call = || ToolCall::new("wipe", json!({"disk": 1}));
    assert!(executor.call(call()).await.is_success());
    let token = person.0.lock().unwrap()[0].clone();
    let again = executor.call(call().confirmation(token)).await;
    assert_eq!(again.stop(), Some(StopReason::NeedsConfirmation));
    assert_eq!(counters.wiped.load(Ordering::SeqCst), 1);
}

/// Moves money, and nobody knows the first time whether it did.
#[tool(category = Dangerous)]
async fn transfer(#[state] counters: &Counters) -> Result<(), ToolError> {
    match counters.paid.fetch_add(1, Ordering::SeqCst) {
        0 => Err(ToolError::new(ErrorClass::Timeout, "no answer")),
        _ => Ok(()),
    }
}

#[tokio::test]
async fn an_answer_from_before_the_doubt_does_not_settle_it() {
    for (language, told) in [(Language::En, "may have taken effect already"), (Language::Zh, "可能已经生效")] {
        let registry = Registry::builder().tool::<transfer>().build().unwrap();
        let builder = Executor::builder(registry).state(Counters::default()).language(language);
        let run = builder.build().unwrap().run("");
        let call = || ToolCall::new("transfer", "{}");
        let [first, second] = [run.call(call()).await, run.call(call()).await];
        let token = |asked: &toolkit::ToolResult| asked.confirmation().unwrap().token().to_owned();
        assert!(!first.confirmation().unwrap().why().contains(told));
        assert_eq!(run.call(call().confirmation(token(&first))).await.outcome(), Outcome::Unknown);
        // The person did not know then that the first one may have gone through.
        let asked = run.call(call().confirmation(token(&second))).await;
        assert_eq!((asked.stop(), asked.outcome()), (Some(StopReason::NeedsConfirmation), Outcome::NotExecuted));
        assert!(asked.confirmation().unwrap().why().contains(told), "{:?}", asked.confirmation());
        assert!(run.call(call().confirmation(token(&asked))).await.is_success());
    }
}

/// Pays, and does not come to an end.
#[tool(category = Write, timeout = "1s")]
async fn stall(amount: u32, #[state] counters: &Counters) {
    let _ = amount;
    counters.paid.fetch_add(1, Ordering::SeqCst);
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_came_into_doubt_while_it_waited_for_its_place_is_not_made() {
    let registry = Registry::builder().tool::<stall>().build().unwrap();
    let counters = Arc::new(Counters::default());
    let executor = Executor::builder(registry).state(Arc::clone(&counters)).concurrency(1).build().unwrap();
    let run = executor.run("");
    let call = |amount: u32| ToolCall::new("stall", json!({"amount": amount}));
    let results = run.call_all([call(1), call(1), call(2), call(1).confirmed(true)]).await;
    let ends: Vec<_> = results.iter().map(|result| (result.stop().unwrap(), result.outcome())).collect();
    let in_doubt = (StopReason::NotIdempotent, Outcome::Unknown);
    assert_eq!(ends, [in_doubt, (StopReason::Repeated, Outcome::NotExecuted), in_doubt, in_doubt]);
    assert!(results[1].confirmation().is_some());
    assert_eq!(counters.paid.load(Ordering::SeqCst), 3);
}

/// Agrees, each time after a longer while.
#[derive(Default)]
struct Thoughtful(AtomicU32);

impl Approver for Thoughtful {
    fn approve<'a>(&'a self, _: &'a Confirmation) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        let wait = Duration::from_secs(1) + Duration::from_secs(3) * self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            tokio::time::sleep(wait).await;
            true
        })
    }
}

#[tokio::test(start_paused = true)]
async fn an_approver_who_was_asked_before_the_doubt_does_not_settle_it() {
    let counters = Arc::new(Counters::default());
    let builder = Executor::builder(Registry::builder().tool::<transfer>().build().unwrap());
    let executor = builder.state(Arc::clone(&counters)).approver(Thoughtful::default()).build().unwrap();
    let run = executor.run("");
    let call = || ToolCall::new("transfer", "{}");
    let results = run.call_all([call(), call()]).await;
    assert_eq!(results[0].outcome(), Outcome::Unknown);
    assert_eq!((results[1].stop(), results[1].attempts().len()), (Some(StopReason::NeedsConfirmation), 0));
    assert!(results[1].confirmation().unwrap().why().contains("may have taken effect already"));
    assert!(run.call(call()).await.is_success(), "now it is told");
    assert_eq!(counters.paid.load(Ordering::SeqCst), 2);
}
