//! A program that mentions a library has its tools.

use plug as _;
use serde_json::json;
use toolkit::{Executor, Registry, ToolCall};

const TOOLS: [&str; 3] = ["plug_deep", "plug_look_up", "plug_private"];

#[tokio::test]
async fn one_mention_brings_every_tool() {
    let registry = Registry::discover().unwrap();
    assert_eq!(registry.names(), TOOLS);
    registry.expect(TOOLS).unwrap();
    assert_eq!(registry.get("plug_deep").unwrap().location().module(), "plug::deep::deeper");

    let executor = Executor::builder(registry).build().unwrap();
    let result = executor.call(ToolCall::new("plug_private", json!({"n": 1}))).await;
    assert_eq!(result.text(), "2");
}

#[tokio::test]
async fn a_library_has_services_too() {
    let registry =
        Registry::builder().discover().service(plug::Counter(1)).tool::<plug::plug_look_up>().build().unwrap();
    assert_eq!(registry.len(), TOOLS.len() + 1);
    let executor = Executor::builder(registry).build().unwrap();
    assert_eq!(executor.call(ToolCall::new("plug_count", json!({"by": 2}))).await.text(), "3");
}

#[test]
fn what_is_expected_in_vain_is_named_with_its_neighbour() {
    let error = Registry::discover().unwrap().expect(["plug_look_up", "plug_lookup", "mail", "mail"]).unwrap_err();
    assert_eq!(
        error.problems(),
        [
            "there is no tool `mail`",
            "there is no tool `plug_lookup`; the nearest is `plug_look_up`",
            "the tools of a library are found only where the program mentions it: `use its_name as _;`",
        ]
    );
}
