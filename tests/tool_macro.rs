//! `#[tool]` and `#[tools]`: every shape of function and type, by what the model sees and what a call gives.

#[expect(clippy::many_single_char_names, reason = "arguments are many here")]
mod arguments;
mod attributes;
#[expect(clippy::non_minimal_cfg, reason = "conditions that hold, and ones that do not")]
mod conditions;
#[expect(unused_qualifications, clippy::needless_lifetimes, reason = "one type in many spellings")]
mod context;
mod defaults;
mod docs;
#[expect(dead_code, reason = "read by `Debug` alone")]
mod enums;
mod errors;
mod limits;
mod lints;
mod macro_made;
mod names;
mod nested;
#[expect(clippy::many_single_char_names, reason = "one argument a type")]
mod numbers;
#[expect(
    clippy::option_option,
    clippy::many_single_char_names,
    unused_qualifications,
    reason = "one type in many spellings"
)]
mod optional;
mod places;
#[expect(clippy::trivially_copy_pass_by_ref, reason = "a check takes a reference")]
mod returns;
#[expect(unreachable_pub, clippy::trivially_copy_pass_by_ref, reason = "methods as people write them")]
mod services;
mod shadowed;
mod shapes;

use serde_json::Value;
use toolkit::{Arguments, Executor, Outcome, Registry, Tool, ToolCall, ToolResult};

/// The tools that are handed in for discovery under such a name. Those of all tests together make no registry: many have
/// one name.
fn submitted(prefix: &str) -> Vec<&'static str> {
    let all = toolkit::__private::inventory::iter::<toolkit::__private::Registered>.into_iter();
    let mut names: Vec<&str> = all.map(|tool| tool.0.name).filter(|name| name.starts_with(prefix)).collect();
    names.sort_unstable();
    names
}

/// The schema of the arguments of a tool.
fn schema<T: Tool>() -> Value {
    let registry = Registry::builder().tool::<T>().build().unwrap();
    registry.iter().next().unwrap().input_schema().clone()
}

/// The schema of one of its arguments.
fn property<T: Tool>(name: &str) -> Value {
    schema::<T>()["properties"][name].clone()
}

/// The keys that the model may send, in the order of the schema.
fn keys<T: Tool>() -> Vec<String> {
    schema::<T>()["properties"].as_object().unwrap().keys().cloned().collect()
}

/// The keys that the model must send.
fn required<T: Tool>() -> Vec<String> {
    let schema = schema::<T>();
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    required.map(|name| name.as_str().unwrap().to_owned()).collect()
}

async fn call<T: Tool>(arguments: impl Into<Arguments>) -> ToolResult {
    let registry = Registry::builder().tool::<T>().build().unwrap();
    let name = registry.names()[0].to_owned();
    let executor = Executor::builder(registry).build().unwrap();
    executor.call(ToolCall::new(name, arguments).confirmed(true)).await
}

/// What a call gives, by both ways in: as exact input, and as input that has to be looked at with care because its first
/// key is written with an escape.
async fn run<T: Tool>(arguments: Value) -> String {
    let exact = arguments.to_string();
    let result = call::<T>(Arguments::raw(exact.clone())).await;
    if let Some(key) = exact.find('"').and_then(|at| exact.get(at + 1..)).and_then(|rest| rest.chars().next()) {
        let escaped = exact.replacen(&format!("\"{key}"), &format!("\"\\u{:04x}", u32::from(key)), 1);
        let careful = call::<T>(Arguments::raw(escaped)).await;
        assert_eq!(careful.text(), result.text(), "{exact}");
        assert_eq!(careful.outcome(), result.outcome(), "{exact}");
    }
    assert_eq!(result.outcome(), Outcome::Succeeded, "{exact}: {}", result.text());
    result.text().to_owned()
}

/// What the model reads of a call that its arguments keep from being made.
async fn refused<T: Tool>(arguments: Value) -> String {
    let result = call::<T>(arguments).await;
    assert_eq!(result.outcome(), Outcome::NotExecuted, "{}", result.text());
    assert_eq!(result.error().unwrap().class(), toolkit::ErrorClass::InvalidArgument);
    result.text().to_owned()
}
