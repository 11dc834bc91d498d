//! `Executor::call`, with the defaults of the library: the look-up, the permission, the arguments and the check of them
//! against the schema, a time limit, a guard against panics, the report of the attempt, and the result as the model
//! reads it.

use toolkit::{Arguments, Executor, Registry, ToolCall, tool};

use crate::work::{Address, Item, placed, status};
use crate::{Round, timed};

/// Looks up an order.
#[tool(category = Read)]
async fn check_order(
    /// The number of the order.
    order_id: String,
    /// Whether to list the items too.
    include_items: bool,
) -> String {
    status(order_id, include_items).await
}

/// Takes an order.
#[tool(category = Read)]
async fn place_order(
    /// Who orders.
    customer: u64,
    /// Where it goes.
    address: Address,
    /// What is ordered.
    items: Vec<Item>,
    /// Whether it is in a hurry.
    express: bool,
) -> String {
    placed(customer, address, items, express).await
}

pub struct Ours(Executor);

impl Ours {
    pub fn new() -> Self {
        let registry = Registry::builder().tool::<check_order>().tool::<place_order>().build().expect("a registry");
        Self(Executor::builder(registry).build().expect("an executor"))
    }
}

impl Round for Ours {
    async fn round(&self, tool: &str, text: &str) -> f64 {
        let call = || ToolCall::new(tool, Arguments::raw(text)).id("call_1");
        timed(call, async |call| self.0.call(call).await.is_success()).await
    }
}
