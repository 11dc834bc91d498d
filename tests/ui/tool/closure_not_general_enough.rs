use toolkit::tool;

use futures_util::StreamExt as _;

/// Adds.
#[tool(category = Compute)]
async fn total(all: Vec<u32>) -> u32 {
    // A limit of the compiler: `into_iter()` instead of `iter()` is the way around it.
    futures_util::stream::iter(all.iter()).map(|n| async move { *n }).buffered(4).fold(0, |a, b| async move { a + b }).await
}

fn main() {}
