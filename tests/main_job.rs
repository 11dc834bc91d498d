//! From an annotation to the model's answer.

use std::time::Duration;

use serde_json::json;
use toolkit::{Executor, Registry, ToolCall, ToolContext, tool};

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

/// Adds.
#[tool(category = Compute)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Boom.
#[tool(category = Read)]
async fn boom() {
    panic!("secret");
}

struct Svc(u32);

#[toolkit::tools]
impl Svc {
    /// Runs.
    #[tool(category = Read, name = "svc_run")]
    pub async fn run(&self, n: u32) -> Result<u32, std::io::Error> {
        Ok(self.0 + n)
    }

    /// Adds.
    #[tool(category = Read, name = "svc_add")]
    fn add(a: u32, #[cfg(any())] b: u32) -> Option<u32> {
        Some(a)
    }

    fn other(&self) -> u32 {
        self.0
    }
}

/// Limits.
#[tool(category = Compute)]
async fn limits(
    #[arg(range = 1..=30)] days: u32,
    #[arg(range = 0.0..1.0)] share: Option<f64>,
    #[arg(length = 1..=3)] tags: Vec<String>,
    #[arg(pattern = r"^ORD\d{8}$", example = "ORD12345678")] order: String,
    #[arg(secret, default)] token: String,
    note: Option<Option<String>>,
) -> String {
    format!("{days} {share:?} {tags:?} {order} {token} {note:?}")
}

#[tokio::test]
async fn limited() {
    let registry = Registry::builder().tool::<limits>().build().unwrap();
    println!("{:#}", registry.get("limits").unwrap().input_schema());
    let executor = Executor::builder(registry).build().unwrap();
    for call in [
        json!({"days": 3, "share": 0.5, "tags": ["a"], "order": "ORD12345678", "note": null}),
        json!({"days": 3, "share": 0.5, "tags": ["a"], "order": "ORD12345678", "note": "x"}),
        json!({"days": 0, "share": 1.0, "tags": [], "order": "ORD1234567", "token": 5}),
    ] {
        println!("{}", executor.call(ToolCall::new("limits", call)).await.text());
    }
}

#[tokio::test]
async fn services() {
    let registry = Registry::builder().service(std::sync::Arc::new(Svc(7))).build().unwrap();
    assert_eq!(registry.names(), ["svc_add", "svc_run"]);
    assert_eq!(Svc(1).other(), 1);
    let executor = Executor::builder(registry).build().unwrap();
    assert_eq!(executor.call(ToolCall::new("svc_run", json!({"n": 1}))).await.text(), "8");
    assert_eq!(executor.call(ToolCall::new("svc_add", json!({"a": 1}))).await.text(), "1");
}

#[tokio::test]
async fn works() {
    let registry = Registry::builder().tool::<check_order>().tool::<add>().tool::<boom>().build().unwrap();
    println!("{:#}", registry.get("check_order").unwrap().input_schema());
    let executor = Executor::builder(registry).state(Orders("db")).build().unwrap();
    for call in [
        ToolCall::new("check_order", json!({"order_id": "ORD1"})),
        ToolCall::new("check_order", json!({"orderId": "ORD1", "limit": "3"})),
        ToolCall::new("check_order", json!({"order": 5, "limit": "x"})),
        ToolCall::new("chek_order", json!({"order": 5, "limit": "x"})),
        ToolCall::new("add", r#"{"a": 1, "b": 2}"#),
        ToolCall::new("add", r#"{"a": 1, "b": 2"#),
        ToolCall::new("boom", ""),
    ] {
        let result = executor.call(call).await;
        println!("{}\n{:?}\n", result.text(), result.repairs());
    }
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Report {
    pages: u32,
}

fn has_pages(report: &Report) -> Result<(), String> {
    if report.pages == 0 { Err("the report is empty".to_owned()) } else { Ok(()) }
}

type Answer<T> = Result<T, String>;

/// Reports.
#[tool(category = Read, check = has_pages)]
async fn report(pages: u32) -> Answer<Report> {
    if pages > 9 { Err("too long".into()) } else { Ok(Report { pages }) }
}

/// Nothing.
#[tool(category = Read)]
async fn nothing() {}

#[tokio::test]
async fn checked() {
    let registry = Registry::builder().tool::<report>().tool::<nothing>().build().unwrap();
    println!("{:#}", registry.get("report").unwrap().output_schema().unwrap());
    assert!(registry.get("nothing").unwrap().output_schema().is_none());
    let executor = Executor::builder(registry).build().unwrap();
    for pages in [0, 1, 10] {
        println!("{}", executor.call(ToolCall::new("report", json!({"pages": pages}))).await.text());
    }
    println!("{}", executor.call(ToolCall::new("nothing", json!({}))).await.text());
}
