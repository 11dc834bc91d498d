//! Calls that are dropped wherever they wait.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::advance;
use toolkit::{Executor, ToolCall};

use crate::scripted::{self, Script, Step, call, exact};

/// More than any call takes.
const LONG: Duration = Duration::from_secs(100);
const BURST: u32 = 3;

/// Polls so many times that something is still to be waited for, then drops it; the result where it came sooner.
async fn dropped_at<T>(future: impl Future<Output = T>, waits: usize) -> Option<T> {
    let mut future = pin!(future);
    let mut seen = 0;
    std::future::poll_fn(|task| {
        if seen == waits {
            return Poll::Ready(None);
        }
        match future.as_mut().poll(task) {
            Poll::Ready(value) => Poll::Ready(Some(value)),
            Poll::Pending => {
                seen += 1;
                if seen == waits { Poll::Ready(None) } else { Poll::Pending }
            }
        }
    })
    .await
}

fn executor() -> (Executor, std::sync::Arc<Script>) {
    let (builder, script) = scripted::builder();
    let policy = exact().budget(BURST, 0.0, Duration::MAX).build().unwrap();
    (builder.retry(policy).build().unwrap(), script)
}

/// How many retries of this tool can still be paid for.
async fn tokens(executor: &Executor, script: &Script, tool: &str) -> usize {
    script.play(&[Step::Throttled; 9]);
    executor.call(call(tool)).await.attempts().len() - 1
}

/// What holds after the drop of so many calls that all had begun, or none.
async fn check_after_drop(executor: &Executor, script: &Script, tool: &str, calls: usize) {
    let begun = script.invocations();
    let runtime = tokio::runtime::Handle::current().metrics();
    assert_eq!(runtime.num_alive_tasks(), 0);
    advance(LONG).await;
    tokio::task::yield_now().await;
    assert_eq!(script.invocations(), begun, "an attempt after the drop");
    assert_eq!(tokens(executor, script, tool).await, BURST as usize - begun.saturating_sub(calls));
}

/// The transient outcomes: what follows one of the others is never waited for.
const WAITED_FOR: [Step; 5] = [Step::Network, Step::Throttled, Step::RateLimited, Step::Unavailable, Step::Hang];

#[tokio::test(start_paused = true)]
async fn a_call_dropped_at_any_wait_makes_no_attempt_and_pays_for_none() {
    let mut drops = 0;
    for tool in ["safe_3", "once_3"] {
        for number in 0..125 {
            let steps = [25, 5, 1].map(|place| WAITED_FOR[number / place % 5]);
            for waits in 0.. {
                let (executor, script) = executor();
                script.play(&steps);
                if dropped_at(executor.call(call(tool)), waits).await.is_some() {
                    break;
                }
                drops += 1;
                check_after_drop(&executor, &script, tool, 1).await;
            }
        }
    }
    // Each call of the idempotent tool can be dropped before it begins and at each of its three sleeps.
    assert!(drops >= 125 * 4, "{drops}");
}

#[tokio::test(start_paused = true)]
async fn a_turn_dropped_at_any_wait_drops_all_its_calls() {
    let mut drops = 0;
    for waits in 0.. {
        let (executor, script) = executor();
        script.play(&[Step::Network, Step::Hang, Step::Throttled, Step::RateLimited, Step::Hang]);
        let run = executor.run("turn");
        let calls: [ToolCall; 2] = [call("safe_3"), call("safe_3")];
        if dropped_at(run.call_all(calls), waits).await.is_some() {
            break;
        }
        drops += 1;
        check_after_drop(&executor, &script, "safe_3", 2).await;
    }
    assert!(drops > 3, "{drops}");
}
