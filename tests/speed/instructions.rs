//! Makes one call again and again, for `instructions.sh` to count the instructions of: `instructions PATH COUNT`.
//!
//! As many calls are built whatever the count is, and those that are not made are not dropped either, so that two runs
//! differ in the calls alone: from the look-up of the name until the result is dropped.

use std::mem::forget;

use schemars::JsonSchema;
use serde::Deserialize;
use toolkit::{Arguments, Executor, Registry, ToolCall, tool};

/// What is built. More are never made.
const BUILT: usize = 1024;
/// What is made before: everything that is made once is there then, and tables have grown.
const WARM: usize = 256;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read and thrown away")]
struct Item {
    sku: String,
    name: String,
    quantity: u32,
    price: f64,
    gift: bool,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read and thrown away")]
struct Address {
    street: String,
    city: String,
    country: String,
}

/// Looks up an order.
#[tool(category = Read)]
async fn check_order(order_id: String, include_items: bool) -> String {
    std::hint::black_box(include_items);
    order_id
}

/// Takes an order.
#[tool(category = Read)]
async fn place_order(customer: u64, address: Address, items: Vec<Item>, express: bool) -> String {
    std::hint::black_box((customer, express, items));
    address.city
}

/// The tool, what is sent to it, and whether it succeeds.
fn path(name: &str) -> Option<(&'static str, String, bool)> {
    let item = r#"{"sku": "AB-1234", "name": "A sharp pencil, yellow", "quantity": 12, "price": 1.25, "gift": false, "note": "wrap \"well\""}"#;
    Some(match name {
        "two-arguments" => ("check_order", r#"{"order_id": "ORD12345678", "include_items": true}"#.to_owned(), true),
        "an-order" => {
            let text = format!(
                "{{\"customer\": 9007199254740993, \
                 \"address\": {{\"street\": \"1 High Street\", \"city\": \"Leeds\", \"country\": \"GB\"}}, \
                 \"items\": [{}], \"express\": true}}",
                [item; 10].join(", ")
            );
            ("place_order", text, true)
        }
        "refused" => ("check_order", r#"{"order_id": 12345678, "include_item": true, "limit": 3}"#.to_owned(), false),
        _ => return None,
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (tool, text, succeeds) = arguments
        .next()
        .and_then(|name| path(&name))
        .ok_or("the first argument is two-arguments, an-order or refused")?;
    let count: usize = arguments.next().ok_or("the second argument is a number of calls")?.parse()?;
    if count > BUILT {
        return Err(format!("at most {BUILT} calls").into());
    }
    let registry = Registry::builder().tool::<check_order>().tool::<place_order>().build()?;
    let executor = Executor::builder(registry).build()?;
    let call = || ToolCall::new(tool, Arguments::raw(text.as_str())).id("call_1");
    let warm: Vec<ToolCall> = (0..WARM).map(|_| call()).collect();
    let mut calls = (0..BUILT).map(|_| call()).collect::<Vec<_>>().into_iter();
    tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
        for call in warm.into_iter().chain(calls.by_ref().take(count)) {
            let result = executor.call(call).await;
            assert_eq!(result.is_success(), succeeds, "{}", result.text());
        }
    });
    forget(calls);
    Ok(())
}
