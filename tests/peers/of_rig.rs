//! rig, twice: a tool behind a `HashMap` of one's own, called by `ErasedTool::execute` of rig-core, which is the shortest
//! way there is; and `ToolSet` of rig-agent, whose tools run with a context of their own for every call and answer
//! through a handler. Neither has a time limit, a report or a guard against panics; the arguments are checked by serde.

use std::collections::HashMap;
use std::convert::Infallible;

use rig_agent::tool::ToolSet;
use rig_core::tool::{ErasedTool, PortableTool, ToolContext};
use schemars::schema_for;
use serde_json::Value;

use crate::work::{Large, Small, placed, status};
use crate::{Round, timed};

struct CheckOrder;

impl PortableTool for CheckOrder {
    const NAME: &'static str = "check_order";
    type Args = Small;
    type Output = String;
    type Error = Infallible;

    fn description(&self) -> String {
        "Looks up an order.".to_owned()
    }

    fn parameters(&self) -> Value {
        schema_for!(Small).to_value()
    }

    async fn call(&self, Small { order_id, include_items }: Small) -> Result<String, Infallible> {
        Ok(status(order_id, include_items).await)
    }
}

struct PlaceOrder;

impl PortableTool for PlaceOrder {
    const NAME: &'static str = "place_order";
    type Args = Large;
    type Output = String;
    type Error = Infallible;

    fn description(&self) -> String {
        "Takes an order.".to_owned()
    }

    fn parameters(&self) -> Value {
        schema_for!(Large).to_value()
    }

    async fn call(&self, Large { customer, address, items, express }: Large) -> Result<String, Infallible> {
        Ok(placed(customer, address, items, express).await)
    }
}

/// A tool of rig-core alone.
pub struct Tools(HashMap<String, Box<dyn ErasedTool>>);

impl Tools {
    pub fn new() -> Self {
        let tools: [Box<dyn ErasedTool>; 2] = [Box::new(CheckOrder), Box::new(PlaceOrder)];
        Self(tools.into_iter().map(|tool| (tool.name(), tool)).collect())
    }
}

impl Round for Tools {
    async fn round(&self, tool: &str, text: &str) -> f64 {
        let call = || (tool.to_owned(), text.to_owned(), ToolContext::new());
        timed(call, async |(name, text, mut context)| self.0[&name].execute(text, &mut context).await.error().is_none())
            .await
    }
}

/// A tool as rig's agents keep it.
pub struct Set(ToolSet);

impl Set {
    pub fn new() -> Self {
        let mut set = ToolSet::default();
        set.add_tool(CheckOrder);
        set.add_tool(PlaceOrder);
        Self(set)
    }
}

impl Round for Set {
    async fn round(&self, tool: &str, text: &str) -> f64 {
        let call = || (tool.to_owned(), text.to_owned(), ToolContext::new());
        timed(call, async |(name, text, mut context)| {
            let tool = self.0.get(&name).expect("a tool of that name");
            tool.execute(text, &mut context).await.error().is_none()
        })
        .await
    }
}
