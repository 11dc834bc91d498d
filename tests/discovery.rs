//! Finding the tools of a program without a list of them. A program of its own: its tools are all there are.

use toolkit::{Executor, Registry, ToolCall, tool};

/// Comes late in the order of names.
#[tool(category = Read)]
async fn zulu() {}

/// Comes early in the order of names.
#[tool(category = Read)]
async fn alpha() -> &'static str {
    "alpha"
}

/// The first of its name.
#[tool(category = Read, name = "twin")]
async fn elder() -> &'static str {
    "elder"
}

mod other {
    use toolkit::tool;

    /// The second of its name.
    #[tool(category = Read, name = "twin")]
    async fn younger() -> &'static str {
        "younger"
    }

    /// Lies deep inside, and is private.
    #[tool(category = Read)]
    async fn mike() {}
}

#[test]
fn two_tools_of_one_name_are_found_and_refused() {
    let error = Registry::discover().unwrap_err();
    assert_eq!(error.problems().len(), 1, "{error}");
    for part in ["`twin`", "discovery (", "discovery::other (", "discovery.rs:"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[tokio::test]
async fn every_tool_is_found_in_the_order_of_the_names() {
    let registry = Registry::builder().discover().without("twin").build().unwrap();
    assert_eq!(registry.names(), ["alpha", "mike", "zulu"]);
    let executor = Executor::builder(registry).build().unwrap();
    assert_eq!(executor.call(ToolCall::new("alpha", "")).await.text(), "alpha");
}

#[test]
fn what_is_found_and_listed_is_there_once() {
    let registry = Registry::builder().tool::<zulu>().discover().tool::<alpha>().discover().without("twin");
    assert_eq!(registry.build().unwrap().names(), ["alpha", "mike", "zulu"]);
}

#[test]
fn no_wish_to_leave_a_tool_out_is_forgotten() {
    let error = Registry::builder().discover().without("mike").without("nobody").build().unwrap_err();
    assert_eq!(error.problems().len(), 2, "{error}");
}
