//! What many calls at once may retry together.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use proptest::prelude::*;
use tokio::time::Instant;
use toolkit::{Event, StopReason};

use crate::scripted::{self, Step, call, exact};

/// What observers have seen so far.
#[derive(Default)]
struct Seen {
    retries: u32,
    successes: u32,
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn retries_are_at_most_the_burst_the_share_of_the_successes_and_the_refill(
        steps in prop::collection::vec(prop::sample::select(vec![
            Step::Succeed, Step::Network, Step::Network, Step::RateLimited, Step::Throttled, Step::Hang, Step::Missing,
        ]), 0..120),
        starts in prop::collection::vec(0_u64..5_000, 1..40),
        burst in 1_u32..6,
        tenths in 0_u32..=10,
        refill in prop::option::of(100_u64..5_000),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let begun = Instant::now();
            let seen = Arc::new(Mutex::new(Seen::default()));
            let refill = refill.map(Duration::from_millis);
            let policy = exact().budget(burst, f64::from(tenths) / 10.0, refill.unwrap_or(Duration::MAX)).build().unwrap();
            let (builder, script) = scripted::builder();
            let watched = Arc::clone(&seen);
            let executor = builder.retry(policy).observer(move |event: &Event<'_>| {
                let mut seen = watched.lock().unwrap();
                match event {
                    Event::AttemptFinished { class: None, .. } => seen.successes += 1,
                    Event::RetryScheduled { .. } => seen.retries += 1,
                    _ => {}
                }
            }).build().unwrap();
            script.play(&steps);
            let calls = starts.iter().map(|start| {
                let executor = &executor;
                let seen = &seen;
                async move {
                    tokio::time::sleep(Duration::from_millis(*start)).await;
                    let result = executor.call(call("safe_3")).await;
                    let seen = seen.lock().unwrap();
                    let back = refill.map_or(0.0, |refill| begun.elapsed().as_secs_f64() / refill.as_secs_f64());
                    let most = f64::from(burst) + f64::from(tenths * seen.successes) / 10.0 + back;
                    assert!(f64::from(seen.retries) <= most + 1e-6, "{} retries, at most {most}", seen.retries);
                    result
                }
            });
            let results = join_all(calls).await;
            let made: usize = results.iter().map(|result| result.attempts().len()).sum();
            let retries = seen.lock().unwrap().retries as usize;
            assert_eq!((made, script.invocations()), (starts.len() + retries, starts.len() + retries));
        });
    }
}

#[tokio::test(start_paused = true)]
async fn where_all_fails_the_load_is_the_calls_and_one_burst() {
    let (builder, script) = scripted::builder();
    let executor = builder.retry(exact().budget(10, 0.1, Duration::from_secs(10)).build().unwrap()).build().unwrap();
    script.play(&[Step::Unavailable; 5_000]);
    let results = join_all((0..1_000).map(|_| executor.call(call("safe_3")))).await;
    // One of the ten comes back for none: a tenth of a token in the second of the wait pays for no retry.
    assert_eq!(script.invocations(), 1_000 + 10);
    assert!(results.iter().all(|result| result.stop() == Some(StopReason::Budget)));
}
