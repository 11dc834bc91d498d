//! What a call costs beside the bare work: looking a function up in a `HashMap`, `serde_json::from_str` into a struct
//! written by hand, and calling it. `cargo bench -p toolkit --bench call` prints the nanoseconds and the ratio.
//!
//! Both sides take turns in one process, since a figure alone says more about the machine than about the code. The call
//! that a model made, its name, its id and its arguments as text, is built outside of the time that is taken and dropped
//! inside of it, on both sides.

#![expect(clippy::unused_async, reason = "what a tool does is asynchronous on both sides")]

use std::collections::HashMap;
use std::future::poll_fn;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolkit::{Arguments, Backoff, ErrorClass, Executor, Registry, RetryPolicy, ToolCall, ToolError, tool};

const ROUNDS: usize = 1001;
/// Few enough to stay near the processor.
const CALLS: usize = 64;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Small {
    order_id: String,
    include_items: bool,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    sku: String,
    name: String,
    quantity: u32,
    price: f64,
    gift: bool,
    note: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Address {
    street: String,
    city: String,
    country: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Large {
    customer: u64,
    address: Address,
    items: Vec<Item>,
    express: bool,
}

async fn status(order_id: String, include_items: bool) -> Result<String, ToolError> {
    black_box(include_items);
    Ok(order_id)
}

async fn placed(customer: u64, address: Address, items: Vec<Item>, express: bool) -> Result<String, ToolError> {
    black_box((customer, express, items));
    Ok(address.city)
}

/// Looks up an order.
#[tool(category = Read)]
async fn check_order(order_id: String, include_items: bool) -> Result<String, ToolError> {
    status(order_id, include_items).await
}

/// Looks up an order of a known form.
#[tool(category = Read)]
async fn check_checked(
    #[arg(length = 1..=20, pattern = "^ORD[0-9]{8}$")] order_id: String,
    include_items: bool,
) -> Result<String, ToolError> {
    status(order_id, include_items).await
}

/// Takes an order.
#[tool(category = Read)]
async fn place_order(customer: u64, address: Address, items: Vec<Item>, express: bool) -> Result<String, ToolError> {
    placed(customer, address, items, express).await
}

static ATTEMPT: AtomicU32 = AtomicU32::new(0);

/// Fails three times of four.
async fn shaky() -> Result<u32, ToolError> {
    let attempt = ATTEMPT.fetch_add(1, Ordering::Relaxed);
    if attempt % 4 == 3 { Ok(attempt) } else { Err(ToolError::new(ErrorClass::Network, "reset")) }
}

/// Fails three times of four.
#[tool(category = Read, max_retries = 3)]
async fn fails_thrice() -> Result<u32, ToolError> {
    shaky().await
}

/// Never fails.
#[tool(category = Read, max_retries = 3)]
async fn never_fails() -> Result<u32, ToolError> {
    Ok(ATTEMPT.fetch_add(1, Ordering::Relaxed))
}

/// What is looked up on the bare side.
#[derive(Clone, Copy)]
enum Bare {
    CheckOrder,
    PlaceOrder,
}

async fn run_bare(tools: &HashMap<String, Bare>, name: &str, text: &str) -> Result<String, ToolError> {
    match tools[name] {
        Bare::CheckOrder => {
            let Small { order_id, include_items } = serde_json::from_str(text).map_err(invalid)?;
            status(order_id, include_items).await
        }
        Bare::PlaceOrder => {
            let Large { customer, address, items, express } = serde_json::from_str(text).map_err(invalid)?;
            placed(customer, address, items, express).await
        }
    }
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = Result<T, ToolError>> + Send + 'a>>;

/// The least of an attempt that is guarded against panics and timed, of a tool that is one of many: a function behind a
/// pointer, and a look at the clock.
async fn least<T>(mut attempt: Boxed<'_, T>) -> (Result<T, ToolError>, Instant) {
    let ended = poll_fn(|task| {
        catch_unwind(AssertUnwindSafe(|| attempt.as_mut().poll(task)))
            .unwrap_or_else(|_| Poll::Ready(Err(ToolError::new(ErrorClass::Internal, "a panic"))))
    });
    (ended.await, Instant::now())
}

fn invalid(error: serde_json::Error) -> ToolError {
    ToolError::new(ErrorClass::InvalidArgument, error.to_string())
}

struct Bench {
    executor: Executor,
    runtime: tokio::runtime::Runtime,
    bare: HashMap<String, Bare>,
}

impl Bench {
    /// The nanoseconds of one call of the tool.
    fn ours(&self, tool: &str, text: &str, succeeds: bool) -> f64 {
        let calls: Vec<ToolCall> = (0..CALLS).map(|_| ToolCall::new(tool, Arguments::raw(text)).id("call_1")).collect();
        self.runtime.block_on(async {
            let begun = Instant::now();
            for call in calls {
                let result = self.executor.call(call).await;
                assert_eq!(result.is_success(), succeeds, "{}", result.text());
            }
            nanoseconds(begun, CALLS)
        })
    }

    /// The nanoseconds of one call that is made by hand.
    fn by_hand(&self, tool: &str, text: &str, run: impl AsyncFn(&str, &str)) -> f64 {
        let calls: Vec<[String; 3]> =
            (0..CALLS).map(|_| [tool.to_owned(), text.to_owned(), "call_1".to_owned()]).collect();
        self.runtime.block_on(async {
            let begun = Instant::now();
            for call in calls {
                let [name, text, _] = black_box(&call);
                run(name, text).await;
            }
            nanoseconds(begun, CALLS)
        })
    }

    /// The nanoseconds of the bare work.
    fn bare(&self, tool: &str, text: &str) -> f64 {
        self.by_hand(tool, text, async |name, text| assert!(run_bare(&self.bare, name, text).await.is_ok()))
    }

    /// The nanoseconds of the bare work with the least that a guarded and timed call is.
    fn least(&self, tool: &str, text: &str) -> f64 {
        self.by_hand(tool, text, async |name, text| {
            let started = Instant::now();
            let (result, ended) = least(Box::pin(run_bare(&self.bare, name, text))).await;
            assert!(result.is_ok());
            black_box(ended.saturating_duration_since(started));
        })
    }

    /// Compares a call with the bare work of another.
    fn compare(&self, what: &str, tool: &str, text: &str, succeeds: bool, (bare, exact): (&str, &str)) {
        row(what, || (self.ours(tool, text, succeeds), self.bare(bare, exact)));
    }

    /// How near the bare work a call can come.
    fn compare_least(&self, what: &str, tool: &str, text: &str) {
        row(what, || (self.least(tool, text), self.bare(tool, text)));
    }

    /// What three retries add to a call, and the least that they add where each is guarded, timed and written down.
    fn retries(&self) {
        let what = "three retries without a wait";
        if !wanted(what) {
            return;
        }
        let bare = || async {
            for _ in 0..3 {
                drop(black_box(shaky().await));
            }
        };
        let leasts = || async {
            let mut record = Vec::with_capacity(4);
            for _ in 0..3 {
                record.push(least(Box::pin(shaky())).await);
            }
            drop(black_box(record));
        };
        let mut rounds: Vec<[f64; 3]> = (0..ROUNDS)
            .map(|_| {
                let ours = self.ours("fails_thrice", "{}", true) - self.ours("never_fails", "{}", true);
                [ours, self.repeated(leasts), self.repeated(bare)]
            })
            .collect();
        for (what, side) in [(what, 0), ("the least of them", 1)] {
            rounds.sort_by(|a, b| (a[side] - a[2]).total_cmp(&(b[side] - b[2])));
            let round = rounds[rounds.len() / 2];
            let (took, bare) = (round[side], round[2]);
            println!("{what:44} {took:8.0} ns, bare {bare:7.0} ns, above {:4.0} ns", took - bare);
        }
    }

    /// The nanoseconds of this work.
    fn repeated<F: Future<Output = ()>>(&self, work: impl Fn() -> F) -> f64 {
        self.runtime.block_on(async {
            let begun = Instant::now();
            for _ in 0..CALLS {
                work().await;
            }
            nanoseconds(begun, CALLS)
        })
    }
}

/// Prints a row that is asked for: what takes how long, and the bare work beside it.
fn row(what: &str, round: impl Fn() -> (f64, f64)) {
    if wanted(what) {
        let mut rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| round()).collect();
        let (took, bare) = middle(&mut rounds);
        println!("{what:44} {took:8.0} ns, bare {bare:7.0} ns, ratio {:5.2}", took / bare);
    }
}

/// Whether a row is asked for: those whose names hold an argument of the program, or all of them.
fn wanted(what: &str) -> bool {
    let mut asked = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).peekable();
    asked.peek().is_none() || asked.any(|part| what.contains(&part))
}

#[expect(clippy::cast_precision_loss, reason = "far from 2^52")]
fn nanoseconds(begun: Instant, count: usize) -> f64 {
    begun.elapsed().as_secs_f64() * 1e9 / count as f64
}

/// The round whose ratio is the middle one.
fn middle(rounds: &mut [(f64, f64)]) -> (f64, f64) {
    rounds.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    rounds[rounds.len() / 2]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::builder()
        .tool::<check_order>()
        .tool::<check_checked>()
        .tool::<place_order>()
        .tool::<fails_thrice>()
        .tool::<never_fails>()
        .build()?;
    let retry =
        RetryPolicy::builder().class(ErrorClass::Network, Backoff::immediate()).budget(1_000_000, 1.0, Duration::MAX);
    let bench = Bench {
        executor: Executor::builder(registry).retry(retry.build()?).build()?,
        runtime: tokio::runtime::Builder::new_current_thread().enable_time().build()?,
        bare: HashMap::from([
            ("check_order".to_owned(), Bare::CheckOrder),
            ("place_order".to_owned(), Bare::PlaceOrder),
        ]),
    };
    let small = r#"{"order_id": "ORD12345678", "include_items": true}"#;
    let item = r#"{"sku": "AB-1234", "name": "A sharp pencil, yellow", "quantity": 12, "price": 1.25, "gift": false, "note": "wrap \"well\""}"#;
    let large = format!(
        "{{\"customer\": 9007199254740993, \"address\": {{\"street\": \"1 High Street\", \"city\": \"Leeds\", \"country\": \"GB\"}}, \
         \"items\": [{}], \"express\": true}}",
        [item; 10].join(", ")
    );
    bench.compare("two arguments", "check_order", small, true, ("check_order", small));
    bench.compare_least("the least of a call of two arguments", "check_order", small);
    bench.compare("two arguments, length and pattern", "check_checked", small, true, ("check_order", small));
    let what = format!("an order of {} bytes", large.len());
    bench.compare(&what, "place_order", &large, true, ("place_order", &large));

    let wrong = r#"{"order_id": 12345678, "include_item": true, "limit": 3}"#;
    bench.compare("two arguments, refused with three problems", "check_order", wrong, false, ("check_order", small));
    let wrong = large
        .replacen("\"quantity\": 12", "\"quantity\": \"a dozen\"", 1)
        .replacen("\"express\": true", "\"express\": \"soon\"", 1)
        .replacen("\"country\"", "\"state\"", 1);
    bench.compare("the order, refused with three problems", "place_order", &wrong, false, ("place_order", &large));

    bench.retries();
    Ok(())
}
