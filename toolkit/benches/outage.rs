//! An outage, simulated: what retries cost the service that fails, and what they bring. 20,000 calls, a hundred a second,
//! to one upstream, on a clock that is a number. `cargo bench -p toolkit --bench outage [-- SEED]`.
//!
//! The load factor is the attempts by the calls: 1 means that nothing was retried. The table stands in the documentation
//! of `RetryBudget`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use toolkit::{Decision, ErrorClass, Retry, RetryBudget, RetryPolicy, ToolError};

const CALLS: u32 = 20_000;
/// Between two calls.
const GAP: Duration = Duration::from_millis(10);
const MAX_RETRIES: u32 = 2;
const RATES: [f64; 5] = [0.01, 0.05, 0.1, 0.3, 1.0];

/// What retries are paid from.
enum Brake {
    None,
    Ours(RetryBudget),
    /// The standard mode of the AWS SDKs: 500 tokens; a retry takes 5, a success gives back what its last retry took,
    /// and a first attempt that succeeds one.
    Aws(u32),
    /// gRPC's throttling: 10 tokens; a failure takes one, a success gives a tenth, and only with more than half is
    /// anything retried. In tenths.
    Grpc(u32),
}

impl Brake {
    fn succeeded(&mut self, attempt: u32, now: Instant) {
        match self {
            Brake::None => {}
            Brake::Ours(budget) => budget.deposit(now),
            Brake::Aws(tokens) => *tokens = (*tokens + if attempt == 1 { 1 } else { 5 }).min(500),
            Brake::Grpc(tenths) => *tenths = (*tenths + 1).min(100),
        }
    }

    /// Notes a failure that is retried where the brake allows it.
    fn failed(&mut self) -> bool {
        match self {
            // Ours is asked by the decision itself.
            Brake::None | Brake::Ours(_) => true,
            Brake::Aws(tokens) => {
                let enough = *tokens >= 5;
                *tokens -= if enough { 5 } else { 0 };
                enough
            }
            Brake::Grpc(tenths) => {
                *tenths = tenths.saturating_sub(10);
                *tenths > 50
            }
        }
    }
}

struct Measured {
    load: f64,
    success: f64,
}

/// A failure of the whole upstream: each attempt fails with this probability.
fn simulate(mut brake: Brake, rate: f64, seed: u64) -> Measured {
    let policy = RetryPolicy::builder().without_budget().build().expect("the default numbers");
    let error = ToolError::new(ErrorClass::ServiceUnavailable, "out of service");
    let mut random = SmallRng::seed_from_u64(seed);
    let begin = Instant::now();
    // When, which call, which attempt.
    let mut due: BinaryHeap<Reverse<(Duration, u32, u32)>> =
        (0..CALLS).map(|call| Reverse((GAP * call, call, 1))).collect();
    let (mut attempts, mut successes) = (0_u32, 0_u32);
    while let Some(Reverse((time, call, attempt))) = due.pop() {
        let now = begin + time;
        attempts += 1;
        if random.random::<f64>() >= rate {
            successes += 1;
            brake.succeeded(attempt, now);
            continue;
        }
        let allowed = brake.failed();
        let mut retry = Retry::start(&policy, MAX_RETRIES + 1 - attempt, true, None);
        if let Brake::Ours(budget) = &brake {
            retry = retry.budget(budget);
        }
        if let Decision::Retry { after } = retry.on_failure(&error, now, random.random())
            && allowed
        {
            due.push(Reverse((time + after, call, attempt + 1)));
        }
    }
    Measured { load: f64::from(attempts) / f64::from(CALLS), success: f64::from(successes) / f64::from(CALLS) }
}

fn main() {
    // Cargo adds an argument of its own.
    let seed = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(1);
    let budget = || RetryPolicy::default().new_budget().expect("the default has one");
    let brakes: [(&str, &dyn Fn() -> Brake); 4] = [
        ("no budget", &|| Brake::None),
        ("this crate: 10 tokens, 0.1 a success, 1 in 10 s", &|| Brake::Ours(budget())),
        ("AWS: 500 tokens, 5 a retry", &|| Brake::Aws(500)),
        ("gRPC: 10 tokens, 0.1 a success, half kept", &|| Brake::Grpc(100)),
    ];
    println!("seed {seed}: {CALLS} calls, one in {GAP:?}, {MAX_RETRIES} retries at most; load factor, success rate");
    println!("| attempts that fail | {} |", brakes.map(|(name, _)| name).join(" | "));
    println!("|---|{}", "---|".repeat(brakes.len()));
    for rate in RATES {
        let cells = brakes.map(|(_, brake)| {
            let Measured { load, success } = simulate(brake(), rate, seed);
            format!("{load:.3}, {:.2} %", success * 100.0)
        });
        println!("| {} % | {} |", rate * 100.0, cells.join(" | "));
    }
}
