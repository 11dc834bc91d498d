//! What the calls of one conversation share, and what they do not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use toolkit::{Executor, Outcome, Registry, StopReason, ToolCall, ToolContext, tool};

use crate::scripted::{self, Step, call};

const SECOND: Duration = Duration::from_secs(1);

/// Waits, then says who it was.
#[tool(category = Read)]
async fn wait(who: String, millis: u64) -> String {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    who
}

/// Notes its idempotency key.
#[tool(category = Write)]
async fn note(#[state] keys: &Keys, context: &ToolContext) -> String {
    keys.lock().unwrap().push(context.idempotency_key().to_owned());
    context.idempotency_key().to_owned()
}

/// Counts, as another tool.
#[tool(category = Write)]
async fn note_too(context: &ToolContext) -> String {
    context.idempotency_key().to_owned()
}

type Keys = Arc<Mutex<Vec<String>>>;

fn executor() -> Executor {
    let tools = Registry::builder().tool::<wait>().tool::<note>().tool::<note_too>().tool::<extended>();
    Executor::builder(tools.build().unwrap()).state(Keys::default()).build().unwrap()
}

fn waiting(who: &str, millis: u64) -> ToolCall {
    ToolCall::new("wait", json!({"who": who, "millis": millis})).id(who)
}

#[tokio::test(start_paused = true)]
async fn the_calls_of_a_turn_run_side_by_side() {
    let executor = executor();
    let before = Instant::now();
    let results = executor.run("").call_all([waiting("a", 1000), waiting("b", 1000), waiting("c", 1000)]).await;
    assert_eq!((before.elapsed(), results.len()), (SECOND, 3));
    assert!(results.iter().all(|result| result.is_success() && result.duration() == SECOND));
}

#[tokio::test(start_paused = true)]
async fn results_stand_in_the_order_of_the_calls() {
    let run = executor().run("");
    for count in [2_usize, 5, 40] {
        let calls = (0..count).map(|at| waiting(&at.to_string(), 100 * (count - at) as u64));
        let results = run.call_all(calls).await;
        for (at, result) in results.iter().enumerate() {
            assert_eq!((result.text(), result.call_id()), (at.to_string().as_str(), at.to_string().as_str()));
        }
        assert_eq!(results.len(), count);
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_without_calls_has_no_results() {
    assert!(executor().run("").call_all([]).await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn equal_and_empty_ids_mix_nothing_up() {
    let run = executor().run("");
    let calls =
        [("x", 300), ("x", 200), ("", 100), ("", 0)].map(|(id, millis)| waiting(&millis.to_string(), millis).id(id));
    let results = run.call_all(calls).await;
    let told: Vec<_> = results.iter().map(|result| (result.call_id(), result.text())).collect();
    assert_eq!(told, [("x", "300"), ("x", "200"), ("", "100"), ("", "0")]);
}

#[tokio::test(start_paused = true)]
async fn one_bad_call_spoils_no_other() {
    use Outcome::{Failed, NotExecuted, Succeeded};

    scripted::quiet();
    let (executor, script) = scripted::executor();
    script.play(&[Step::Panic, Step::Network]);
    let calls = [call("safe_0"), call("safe_0"), call("nobody"), ToolCall::new("safe_0", "["), call("safe_0")];
    let results = executor.run("").call_all(calls).await;
    let outcomes: Vec<_> = results.iter().map(toolkit::ToolResult::outcome).collect();
    assert_eq!(outcomes, [Failed, Failed, NotExecuted, NotExecuted, Succeeded]);
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_a_run_is_that_of_every_call() {
    let run = executor().run("").deadline(SECOND * 3);
    assert!(run.call(waiting("a", 2000)).await.is_success());
    let cut = run.call(waiting("b", 2000).deadline(SECOND * 9)).await;
    assert_eq!((cut.duration(), cut.stop()), (SECOND, Some(StopReason::Deadline)));
    let late = run.call_all([waiting("c", 0), waiting("d", 0)]).await;
    assert!(late.iter().all(|one| one.stop() == Some(StopReason::Deadline) && one.attempts().is_empty()));
    let endless = executor().run("").deadline(Duration::MAX);
    assert!(endless.call(waiting("e", 5000).deadline(Duration::MAX)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn a_key_is_the_same_in_every_attempt_and_in_no_other_call() {
    let (executor, script) = scripted::executor();
    let run = executor.run("conversation-42");
    let mut keys = Vec::new();
    for _ in 0..3 {
        script.play(&[Step::Network, Step::Throttled, Step::Unavailable]);
        assert!(run.call(call("safe_3").id("the same id")).await.is_success());
        let seen = script.seen();
        assert_eq!(seen.len(), 4);
        assert!(seen.iter().all(|one| one.key == seen[0].key && one.argument == "same"));
        assert_eq!(seen.iter().map(|one| one.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
        keys.push(seen[0].key.clone());
    }
    script.play(&[]);
    run.call_all([call("safe_3"), call("safe_3"), call("safe_2")]).await;
    keys.extend(script.seen().into_iter().map(|one| one.key));
    let all = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!((all, keys.len()), (6, 6), "{keys:?}");
}

#[tokio::test(start_paused = true)]
async fn a_run_of_the_same_name_has_the_same_keys() {
    async fn keys(executor: &Executor, name: &str) -> Vec<String> {
        let run = executor.run(name);
        let mut results = vec![run.call(ToolCall::new("note", "").id("a")).await];
        results.extend(run.call_all([ToolCall::new("note", ""), ToolCall::new("note_too", "")]).await);
        results.push(run.call(ToolCall::new("note", "")).await);
        results.iter().map(|result| result.text().to_owned()).collect()
    }

    let first = keys(&executor(), "conversation-42").await;
    assert_eq!(keys(&executor(), "conversation-42").await, first);
    let mut all = first;
    for name in ["conversation-43", "conversation-42/0", "", " ", "对话", "%E5%AF%B9%E8%AF%9D", "a b", "a%20b"] {
        all.extend(keys(&executor(), name).await);
    }
    let count = all.len();
    assert!(all.iter().all(|key| key.bytes().all(|byte| byte.is_ascii_graphic())), "{all:?}");
    all.sort();
    all.dedup();
    assert_eq!((count, all.len()), (36, 36), "{all:?}");
}

#[tokio::test(start_paused = true)]
async fn two_runs_without_a_name_do_not_wait_in_step() {
    let (executor, script) = scripted::executor();
    let mut waits = Vec::new();
    for _ in 0..2 {
        script.play(&[Step::Network]);
        waits.push(executor.run("").call(call("safe_3")).await.attempts()[0].delay().unwrap());
    }
    assert_ne!(waits[0], waits[1]);
}

#[tokio::test(start_paused = true)]
async fn calls_without_a_run_never_share_a_key() {
    let executor = executor();
    let mut keys = Vec::new();
    for _ in 0..20 {
        keys.push(executor.call(ToolCall::new("note", "").id("same")).await.text().to_owned());
        keys.push(executor.run("  ").call(ToolCall::new("note", "").id("same")).await.text().to_owned());
    }
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 40);
}

#[tokio::test]
async fn a_blocking_tool_sees_the_same_key_as_its_call() {
    /// Tells its key from another thread.
    #[tool(category = Read)]
    fn aside(context: &ToolContext) -> String {
        format!("{} {} {}", context.idempotency_key(), context.attempt(), context.call_id())
    }

    let executor = Executor::builder(Registry::builder().tool::<aside>().build().unwrap()).build().unwrap();
    let told = executor.run("job").call(ToolCall::new("aside", "").id("c1")).await;
    assert_eq!(told.text(), "job/0/0/aside 1 c1");
}

struct Tenant(&'static str);

/// Reads what the host put into the run.
#[tool(category = Read)]
async fn extended(context: &ToolContext) -> Option<&'static str> {
    context.extension::<Tenant>().map(|tenant| tenant.0)
}

#[tokio::test]
async fn a_run_hands_values_to_its_tools() {
    let executor = executor();
    let run = executor.run("").extension(Tenant("first")).roles(["a"]).extension(7_u8);
    assert_eq!(run.call(ToolCall::new("extended", "")).await.text(), "first");
    assert_eq!(executor.run("").call(ToolCall::new("extended", "")).await.text(), "null");
    assert_eq!(executor.call(ToolCall::new("extended", "")).await.text(), "null");
}

#[test]
fn a_tool_is_a_function_that_can_be_called_without_an_executor() {
    use std::future::Future as _;

    let context = ToolContext::detached();
    let mut future = std::pin::pin!(note_too(&context));
    let polled = future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
    let std::task::Poll::Ready(key) = polled else { panic!("it waits for nothing") };
    assert_eq!(key, context.idempotency_key());
    assert_eq!((context.attempt(), context.tool(), context.call_id()), (1, "", ""));
    assert!(context.deadline().is_none() && context.time_left().is_none());
}
