//! From an annotation to the model's answer, on one page.

use std::time::Duration;

use serde_json::json;
use toolkit::{Executor, Outcome, Registry, StopReason, ToolCall, ToolContext, tool};

use crate::scripted::told;

struct Orders(&'static str);

/// Looks up one order.
#[tool(category = Read, max_retries = 1, timeout = "2s")]
async fn check_order(
    /// The order number.
    order_id: String,
    #[arg(default)] include_items: bool,
    limit: Option<u8>,
    #[arg(default = "cm")] unit: String,
    #[state] orders: &Orders,
    ctx: &ToolContext,
) -> Result<String, std::io::Error> {
    tokio::time::sleep(Duration::from_millis(1)).await;
    Ok(format!("{order_id} {include_items} {limit:?} {unit} {} {}", orders.0, ctx.attempt()))
}

fn executor() -> Executor {
    let registry = Registry::builder().tool::<check_order>().build().unwrap();
    Executor::builder(registry).state(Orders("db")).build().unwrap()
}

#[test]
fn the_model_sees_its_own_arguments_and_not_the_hosts() {
    let executor = executor();
    let schema = executor.registry().get("check_order").unwrap().input_schema();
    let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["order_id", "include_items", "limit", "unit"]);
    assert_eq!(schema["required"], json!(["order_id"]));
    assert_eq!(schema["properties"]["order_id"]["description"], "The order number.");
}

#[tokio::test(start_paused = true)]
async fn arguments_are_read_and_what_is_missing_filled_in() {
    let exact = executor().call(ToolCall::new("check_order", json!({"order_id": "ORD1"}))).await;
    assert_eq!((exact.text(), exact.repairs().len()), ("ORD1 false None cm db 1", 0));
    let unusual = executor().call(ToolCall::new("check_order", json!({"orderId": "ORD1", "limit": "3"}))).await;
    assert_eq!((unusual.text(), unusual.repairs().len()), ("ORD1 false Some(3) cm db 1", 2));
}

#[tokio::test(start_paused = true)]
async fn a_mistake_of_the_models_is_answered_with_what_to_change() {
    let wrong = executor().call(ToolCall::new("check_order", json!({"order": 5, "limit": "x"}))).await;
    assert_eq!((wrong.stop(), wrong.outcome()), (Some(StopReason::InvalidArguments), Outcome::NotExecuted));
    let told = told(&wrong);
    assert_eq!(told["problems"].as_array().unwrap().len(), 3, "{told}");
    let misspelt = executor().call(ToolCall::new("chek_order", "{}")).await;
    assert!(misspelt.text().contains("did you mean `check_order`?"), "{}", misspelt.text());
    let cut_off = executor().call(ToolCall::new("check_order", r#"{"order_id": "ORD1""#)).await;
    assert_eq!(cut_off.stop(), Some(StopReason::InvalidArguments));
}
