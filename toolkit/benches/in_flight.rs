//! A hundred thousand calls at once, each of which fails once and waits a second, beside a bare loop that does the same
//! with `tokio::time::sleep`: the wall time, and the bytes that one of them holds while it waits.
//! `cargo bench -p toolkit --bench in_flight`.
//!
//! The goal: at most 5 % more time, and at most 1.5 KB a call. On 30 November 2026, without tokio's `test-util` (as a program
//! of `tests/speed`): 9.6 % more time, and 1,331 bytes; the bare loop holds 266. In a profile the allocator stands first.

use std::alloc::System;
use std::future::poll_fn;
use std::hint::black_box;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use toolkit::{
    Backoff, ErrorClass, Executor, Jitter, Registry, RetryPolicy, ToolCall, ToolContext, ToolError, ToolResult, tool,
};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const CALLS: usize = 100_000;
const WAIT: Duration = Duration::from_secs(1);
const ROUNDS: usize = 5;

static BEGUN: AtomicUsize = AtomicUsize::new(0);

/// Fails the first time.
#[tool(category = Read, max_retries = 1)]
async fn flaky(order_id: u64, context: &ToolContext) -> Result<u64, ToolError> {
    attempt(context.attempt()).map(|()| order_id)
}

fn attempt(number: u32) -> Result<(), ToolError> {
    BEGUN.fetch_add(1, Ordering::Relaxed);
    match number {
        1 => Err(ToolError::new(ErrorClass::Network, "connection reset by peer")),
        _ => Ok(()),
    }
}

async fn bare(order_id: u64) -> Result<u64, ToolError> {
    let mut number = 1;
    loop {
        match attempt(number) {
            Ok(()) => return Ok(order_id),
            Err(error) if number == 1 => drop(black_box(error)),
            Err(error) => return Err(error),
        }
        number += 1;
        tokio::time::sleep(WAIT).await;
    }
}

struct Measured {
    /// Until all have succeeded, in seconds.
    wall: f64,
    /// What each holds while all wait.
    bytes: usize,
}

fn measure<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    make: impl Fn(u64) -> F,
    succeeded: impl Fn(&T) -> bool,
) -> Measured {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        BEGUN.store(0, Ordering::Relaxed);
        let mut tasks = Vec::with_capacity(CALLS);
        let region = Region::new(COUNTED);
        let start = Instant::now();
        tasks.extend((0..CALLS as u64).map(|order_id| tokio::spawn(make(order_id))));
        while BEGUN.load(Ordering::Relaxed) < CALLS {
            tokio::task::yield_now().await;
        }
        let change = region.change();
        // What grew in place is among what was allocated.
        let held = change.bytes_allocated.saturating_sub(change.bytes_deallocated);
        for task in tasks {
            assert!(succeeded(&task.await.expect("no task panics")));
        }
        Measured { wall: start.elapsed().as_secs_f64(), bytes: held / CALLS }
    })
}

/// What a call has allocated when it waits for the first time.
fn behind(call: impl Future<Output = ToolResult>) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let mut call = pin!(call);
        let region = Region::new(COUNTED);
        assert!(poll_fn(|task| Poll::Ready(call.as_mut().poll(task))).await.is_pending());
        let change = region.change();
        change.bytes_allocated.saturating_sub(change.bytes_deallocated)
    })
}

/// The median of the rounds.
fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

fn main() {
    let fixed = Backoff::fixed(WAIT).jitter(Jitter::None);
    let policy = RetryPolicy::builder().class(ErrorClass::Network, fixed).without_budget().build().expect("a policy");
    let registry = Registry::builder().tool::<flaky>().build().expect("a registry");
    let executor = Executor::builder(registry).retry(policy).build().expect("an executor");
    let call = |order_id: u64| {
        let executor = executor.clone();
        async move { executor.call(ToolCall::new("flaky", format!(r#"{{"order_id": {order_id}}}"#))).await }
    };
    // The first one makes what is made once.
    behind(call(1));
    println!("the future of a call: {} bytes, and what it points to: {}", size_of_val(&call(1)), behind(call(2)));

    let (mut bare_walls, mut call_walls) = (Vec::new(), Vec::new());
    let mut bytes = (0, 0);
    // One after the other, so that a busy moment of the machine hits both.
    for _ in 0..ROUNDS {
        let of_bare = measure(bare, Result::is_ok);
        let of_call = measure(call, ToolResult::is_success);
        println!("bare {:.3} s, calls {:.3} s", of_bare.wall, of_call.wall);
        bare_walls.push(of_bare.wall);
        call_walls.push(of_call.wall);
        bytes = (of_bare.bytes, of_call.bytes);
    }
    let (bare_wall, call_wall) = (median(bare_walls), median(call_walls));
    println!("{CALLS} at once, one failure and one wait of {WAIT:?} each, median of {ROUNDS} rounds");
    println!("bare loop: {bare_wall:.3} s, {} bytes each", bytes.0);
    println!("calls:     {call_wall:.3} s, {} bytes each", bytes.1);
    println!("difference: {:+.1} % of the time", (call_wall / bare_wall - 1.0) * 100.0);
}
