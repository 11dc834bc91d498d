// Modules of the user's that are called like crates, and are in scope where the tool stands.
#![allow(dead_code)]

mod core {}
mod std {}
mod alloc {}
mod serde {}
mod serde_json {}
mod schemars {}
mod tokio {}
mod inventory {}

mod inner {
    #[allow(unused_imports)]
    use crate::*;

    /// A tool.
    #[toolkit::tool(category = Read)]
    async fn ping(n: u32) -> Result<u32, ::std::io::Error> {
        Ok(n)
    }
}

fn main() {}
