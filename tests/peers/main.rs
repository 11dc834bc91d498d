//! What a tool call costs with this library and with its peers, beside the bare work.
//!
//! ```sh
//! cargo run --release --manifest-path tests/peers/Cargo.toml
//! cargo run --release --manifest-path tests/peers/Cargo.toml --no-default-features --features rmcp   # beside one of them
//! ```
//!
//! All take turns in one process, since nanoseconds say more about the machine than about the code: each line holds the
//! round whose ratio to the bare work is the middle one. What a model sends, the name, the id and the arguments as text,
//! is built outside of the time that is taken, and dropped inside of it. What is in a figure and what is not stands at
//! the head of the module that takes it.
//!
//! A feature that one crate turns on in a crate that all share is on for all of them, bare work included: `serde_json`
//! keeps the order of keys and reads floats exactly, and `tracing` writes to `log` where nobody listens.

mod bare;
#[cfg(feature = "rig")]
mod of_rig;
#[cfg(feature = "rmcp")]
mod of_rmcp;
#[cfg(feature = "swiftide")]
mod of_swiftide;
mod ours;
mod work;

use std::pin::Pin;
use std::time::Instant;

const ROUNDS: usize = 1001;
/// Few enough to stay near the processor.
const CALLS: usize = 64;

/// One side.
trait Round {
    /// The nanoseconds of one call.
    async fn round(&self, tool: &str, text: &str) -> f64;
}

/// The same behind a pointer, for a list of all.
trait Side {
    fn round<'a>(&'a self, tool: &'a str, text: &'a str) -> Pin<Box<dyn Future<Output = f64> + 'a>>;
}

impl<R: Round> Side for R {
    fn round<'a>(&'a self, tool: &'a str, text: &'a str) -> Pin<Box<dyn Future<Output = f64> + 'a>> {
        Box::pin(Round::round(self, tool, text))
    }
}

/// The nanoseconds of one call. What `make` does is outside of the time.
async fn timed<C>(make: impl Fn() -> C, mut succeeds: impl AsyncFnMut(C) -> bool) -> f64 {
    let calls: Vec<C> = (0..CALLS).map(|_| make()).collect();
    let begun = Instant::now();
    for call in calls {
        assert!(succeeds(call).await, "every call succeeds");
    }
    begun.elapsed().as_secs_f64() * 1e9 / CALLS as f64
}

/// What one call costs: every side with the bare work of the same round.
async fn compare(sides: &[(&str, Box<dyn Side>)], bare: &dyn Side, tool: &str, text: &str) -> Vec<(f64, f64)> {
    let mut rounds = vec![Vec::with_capacity(ROUNDS); sides.len()];
    for _ in 0..ROUNDS {
        let bare = bare.round(tool, text).await;
        for ((_, side), rounds) in sides.iter().zip(&mut rounds) {
            let cost = side.round(tool, text).await;
            rounds.push((cost, cost / bare));
        }
    }
    rounds.into_iter().map(middle).collect()
}

/// The round whose ratio is the middle one.
fn middle(mut rounds: Vec<(f64, f64)>) -> (f64, f64) {
    rounds.sort_by(|a, b| a.1.total_cmp(&b.1));
    rounds[rounds.len() / 2]
}

async fn table() {
    let sides: Vec<(&str, Box<dyn Side>)> = vec![
        ("the bare work, against itself", Box::new(bare::Bare::new())),
        ("toolkit, `Executor::call`", Box::new(ours::Ours::new())),
        #[cfg(feature = "rmcp")]
        ("rmcp 3.11.0, `ToolRouter::call`", Box::new(of_rmcp::Rmcp::new())),
        #[cfg(feature = "rig")]
        ("rig-core 0.44.0, `ErasedTool::execute`", Box::new(of_rig::Tools::new())),
        #[cfg(feature = "rig")]
        ("rig-agent 0.44.0, `ToolSet`", Box::new(of_rig::Set::new())),
        #[cfg(feature = "swiftide")]
        ("swiftide 0.32.1, `Tool::invoke`", Box::new(of_swiftide::Swiftide::new())),
    ];
    let large = work::large();
    let of_small = compare(&sides, &bare::Bare::new(), "check_order", work::SMALL).await;
    let of_large = compare(&sides, &bare::Bare::new(), "place_order", &large).await;
    println!("| a call by | two arguments, ns | bare = 1 | an order of {} bytes, ns | bare = 1 |", large.len());
    println!("|---|---:|---:|---:|---:|");
    for ((name, _), (small, large)) in sides.iter().zip(of_small.iter().zip(&of_large)) {
        println!("| {name} | {:.0} | {:.2} | {:.0} | {:.2} |", small.0, small.1, large.0, large.1);
    }
}

fn main() -> std::io::Result<()> {
    tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(table());
    Ok(())
}
