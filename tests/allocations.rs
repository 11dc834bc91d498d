//! What a call costs that succeeds at once, in allocations beyond those of the function itself: the box of its future and
//! that of its output. A program of its own,
//! with one thread and no test harness, since the counter counts for the whole of it.

use std::alloc::System;
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use toolkit::{Executor, Registry, ToolCall, ToolError, ToolResult, tool};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Adds two numbers.
#[tool(category = Compute)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Greets somebody.
#[tool(category = Read)]
async fn greet(name: String, greeting: String, #[arg(default)] loud: bool, times: Option<u8>) -> String {
    format!("{greeting} {name} {loud} {times:?}")
}

/// Greets somebody, if it can.
#[tool(category = Read)]
async fn try_to_greet(name: String) -> Result<String, ToolError> {
    Ok(name)
}

/// The result of what waits for nothing.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("it waits for nothing"),
    }
}

fn count<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let region = Region::new(COUNTED);
    let value = black_box(run());
    let change = region.change();
    (change.allocations + change.reallocations, value)
}

fn check(name: &str, executor: &Executor, call: &ToolCall, bare: impl Fn() -> String) {
    let run = |call: ToolCall| at_once(executor.call(call));
    // What is made once is made by the first call.
    assert!(run(call.clone()).is_success());
    let (of_bare, text) = count(&bare);
    let made = call.clone();
    let (of_call, result): (usize, ToolResult) = count(|| run(made));
    assert_eq!(result.text(), text);
    let more = of_call.saturating_sub(of_bare);
    println!("{name}: {of_call} allocations, {of_bare} of them the function's own");
    assert!(more <= 2, "{name}: {more} allocations beyond the function's own");
}

fn main() {
    let registry = Registry::builder().tool::<add>().tool::<greet>().tool::<try_to_greet>().build().unwrap();
    let executor = Executor::builder(registry).build().unwrap();
    let call = ToolCall::new("add", r#"{"a": 2, "b": 40}"#).id("call_1");
    check("add", &executor, &call, || at_once(add(black_box(2), black_box(40))).to_string());
    let arguments = r#"{"name": "Ada", "greeting": "Hello", "loud": true, "times": 3}"#;
    let call = ToolCall::new("greet", arguments).id("call_2");
    check("greet", &executor, &call, || at_once(greet("Ada".into(), "Hello".into(), true, Some(3))));
    let call = ToolCall::new("try_to_greet", r#"{"name": "Ada"}"#).id("call_3");
    check("try_to_greet", &executor, &call, || at_once(try_to_greet("Ada".into())).unwrap());
}
