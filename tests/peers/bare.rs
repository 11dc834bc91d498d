//! What all are compared with: a look-up, `serde_json::from_str` into a struct written by hand, and the function.
//! No time limit, no report, no check beyond what serde makes of the types.

use std::collections::HashMap;
use std::hint::black_box;

use crate::work::{Large, Small, placed, status};
use crate::{Round, timed};

#[derive(Clone, Copy)]
enum Tool {
    CheckOrder,
    PlaceOrder,
}

pub struct Bare(HashMap<String, Tool>);

impl Bare {
    pub fn new() -> Self {
        Self(HashMap::from([
            ("check_order".to_owned(), Tool::CheckOrder),
            ("place_order".to_owned(), Tool::PlaceOrder),
        ]))
    }

    async fn run(&self, name: &str, text: &str) -> Result<String, serde_json::Error> {
        Ok(match self.0[name] {
            Tool::CheckOrder => {
                let Small { order_id, include_items } = serde_json::from_str(text)?;
                status(order_id, include_items).await
            }
            Tool::PlaceOrder => {
                let Large { customer, address, items, express } = serde_json::from_str(text)?;
                placed(customer, address, items, express).await
            }
        })
    }
}

impl Round for Bare {
    async fn round(&self, tool: &str, text: &str) -> f64 {
        let call = || [tool.to_owned(), text.to_owned(), "call_1".to_owned()];
        timed(call, async |call| {
            let [name, text, _] = black_box(&call);
            self.run(name, text).await.is_ok()
        })
        .await
    }
}
