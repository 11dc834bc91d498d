//! swiftide's `Tool::invoke` behind a `HashMap`. Its agent looks a tool up one after the other and runs it as a task of
//! its own within a span; neither is in the figure. No time limit, no report, no guard against panics; the arguments are
//! checked by serde, and unknown ones pass.

use std::collections::HashMap;

use swiftide::chat_completion::errors::ToolError;
use swiftide::chat_completion::{Tool, ToolCall, ToolOutput};
use swiftide::traits::AgentContext;

use crate::work::{Address, Item, placed, status};
use crate::{Round, timed};

#[swiftide::tool(
    description = "Looks up an order.",
    param(name = "order_id", description = "The number of the order."),
    param(name = "include_items", description = "Whether to list the items too.")
)]
async fn check_order(
    _context: &dyn AgentContext,
    order_id: String,
    include_items: bool,
) -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::text(status(order_id, include_items).await))
}

#[swiftide::tool(
    description = "Takes an order.",
    param(name = "customer", description = "Who orders."),
    param(name = "address", description = "Where it goes."),
    param(name = "items", description = "What is ordered."),
    param(name = "express", description = "Whether it is in a hurry.")
)]
async fn place_order(
    _context: &dyn AgentContext,
    customer: u64,
    address: Address,
    items: Vec<Item>,
    express: bool,
) -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::text(placed(customer, address, items, express).await))
}

pub struct Swiftide(HashMap<String, Box<dyn Tool>>);

impl Swiftide {
    pub fn new() -> Self {
        Self([check_order(), place_order()].into_iter().map(|tool| (tool.name().into_owned(), tool)).collect())
    }
}

impl Round for Swiftide {
    async fn round(&self, tool: &str, text: &str) -> f64 {
        let call = || ToolCall::builder().id("call_1").name(tool).args(text).build().expect("a whole call");
        timed(call, async |call| {
            let output = self.0[call.name()].invoke(&(), &call).await;
            matches!(output, Ok(ToolOutput::Text(_)))
        })
        .await
    }
}
