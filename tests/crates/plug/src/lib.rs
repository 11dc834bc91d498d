//! A library whose tools belong to whatever program mentions it.

mod deep;

use toolkit::{tool, tools};

/// Looks something up.
#[tool(category = Read)]
pub async fn plug_look_up(key: String) -> String {
    key
}

/// Private to this crate, and a tool nevertheless.
#[tool(category = Compute)]
async fn plug_private(n: u8) -> u8 {
    n + 1
}

/// A service.
#[derive(Debug)]
pub struct Counter(pub u32);

#[tools]
impl Counter {
    /// Counts on.
    #[tool(category = Read)]
    pub async fn plug_count(&self, by: u32) -> u32 {
        self.0 + by
    }
}
