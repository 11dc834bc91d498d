//! The set of tools, by what tools are called and where they come from.

use serde_json::json;
use toolkit::{Executor, ExportOptions, Provider, Registry, ToolCall, ToolSpec, tool, tools};

/// The first of its name.
#[tool(category = Read, name = "send")]
async fn send_a(n: u8) -> u8 {
    n
}

/// The second of its name.
#[tool(category = Read, name = "send")]
async fn send_b(n: u8) -> u8 {
    n + 1
}

mod fs {
    /// A function of a common name.
    #[toolkit::tool(category = Read)]
    pub(super) async fn read(path: String) -> String {
        path
    }
}

mod db {
    /// Another one.
    #[toolkit::tool(category = Read)]
    pub(super) async fn read(table: String) -> String {
        table
    }
}

#[test]
fn functions_of_one_name_are_two_tools_and_one_mistake() {
    for (built, name, places) in [
        (
            Registry::builder().tool::<fs::read>().tool::<db::read>().build(),
            "`read`",
            ["registry_cases::fs (", "registry_cases::db ("],
        ),
        (
            Registry::builder().tool::<send_a>().tool::<send_b>().build(),
            "`send`",
            ["registry_cases.rs:8)", "registry_cases.rs:14)"],
        ),
    ] {
        let error = built.unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        assert!(places.iter().all(|place| error.contains(place)), "{error}");
    }
}

#[test]
fn a_tool_that_is_given_twice_is_there_once() {
    let registry = Registry::builder().tool::<send_a>().tool::<send_a>().build().unwrap();
    assert_eq!(registry.names(), ["send"]);
}

/// Two tools of one name in one line of one module.
macro_rules! in_one_line {
    ($($name:ident)*) => {$(
        /// A tool.
        #[tool(category = Read, name = "in_one_line")]
        async fn $name() {}
    )*};
}

in_one_line!(one two);

#[test]
fn tools_that_a_macro_makes_in_one_line_are_two() {
    let error = Registry::builder().tool::<one>().tool::<two>().build().unwrap_err().to_string();
    assert!(error.contains("two tools are called `in_one_line`"), "{error}");
}

#[test]
fn a_tool_may_be_left_out_for_another_of_its_name() {
    let base = Registry::builder().tool::<send_a>().build().unwrap();
    let error = Registry::builder().tool::<send_a>().without("send").tool::<send_b>().build();
    // What is left out is left out wherever it came from: a replacement has a registry of its own.
    assert!(error.unwrap().is_empty());
    assert_eq!(base.len(), 1);
}

macro_rules! named {
    ($($function:ident = $name:literal),*) => {
        $(
            /// A tool.
            #[tool(category = Read, name = $name)]
            async fn $function() -> &'static str {
                $name
            }
        )*

        fn similar() -> Registry {
            Registry::builder()$(.tool::<$function>())*.build().unwrap()
        }
    };
}

named! {
    dash = "read-file", underscore = "read_file", dot = "read.file", capital = "Read_File", double = "read__file"
}

#[tokio::test]
async fn names_that_look_alike_are_different() {
    let registry = similar();
    assert_eq!(registry.names(), ["Read_File", "read-file", "read.file", "read__file", "read_file"]);
    let executor = Executor::builder(registry.clone()).build().unwrap();
    for name in registry.names() {
        assert_eq!(executor.call(ToolCall::new(name, json!({}))).await.text(), name);
    }
}

#[test]
fn names_that_look_alike_stay_apart_in_an_export() {
    let registry = similar();
    let export = Provider::OpenAiChat.export(&registry, &ExportOptions::new()).unwrap();
    let sent: Vec<&str> =
        export.tools().as_array().unwrap().iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    let apart: std::collections::BTreeSet<&str> = sent.iter().copied().collect();
    assert_eq!(apart.len(), registry.len(), "{sent:?}");
    assert!(sent.iter().all(|name| !name.contains('.')), "{sent:?}");
    for (own, name) in registry.names().into_iter().zip(sent) {
        let response = json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": name, "arguments": "{}"}},
        ]}}]});
        let calls = export.parse_calls(&response).unwrap();
        assert_eq!(calls.iter().map(ToolCall::name).collect::<Vec<_>>(), [own]);
    }
}

/// A tool.
#[tool(category = Read)]
async fn zeta() {}
/// A tool.
#[tool(category = Read)]
async fn alpha() {}
/// A tool.
#[tool(category = Read)]
async fn mu() {}
/// A tool.
#[tool(category = Read, name = "Alpha")]
async fn capital_alpha() {}

#[test]
fn the_order_is_that_of_the_bytes_of_the_names() {
    let texts: Vec<String> = [
        Registry::builder().tool::<zeta>().tool::<alpha>().tool::<mu>().tool::<capital_alpha>(),
        Registry::builder().tool::<capital_alpha>().tool::<mu>().tool::<zeta>().tool::<alpha>(),
    ]
    .into_iter()
    .map(|builder| {
        let registry = builder.build().unwrap();
        assert_eq!(registry.names(), ["Alpha", "alpha", "mu", "zeta"]);
        assert_eq!(registry.iter().map(ToolSpec::name).collect::<Vec<_>>(), registry.names());
        Provider::OpenAiChat.export(&registry, &ExportOptions::new()).unwrap().tools_text().to_owned()
    })
    .collect();
    assert_eq!(texts[0], texts[1]);
}

struct PluginA;
struct PluginB;

#[tools]
impl PluginA {
    /// A tool.
    #[tool(category = Read)]
    async fn t1(&self) -> &'static str {
        let Self = self;
        "a1"
    }

    /// A tool.
    #[tool(category = Read)]
    async fn t2(&self) -> &'static str {
        let Self = self;
        tokio::task::yield_now().await;
        "a2"
    }
}

#[tools]
impl PluginB {
    /// A tool of a name that is taken.
    #[tool(category = Read, name = "t2")]
    async fn second(&self) -> &'static str {
        let Self = self;
        "b2"
    }

    /// A tool.
    #[tool(category = Read)]
    async fn t3(&self) -> &'static str {
        let Self = self;
        tokio::task::yield_now().await;
        "b3"
    }
}

#[tokio::test]
async fn a_plugin_goes_and_takes_nothing_of_another_along() {
    let error = Registry::builder().service(PluginA).service(PluginB).build().unwrap_err().to_string();
    assert!(error.contains("two tools are called `t2`"), "{error}");

    let both = Registry::builder().service(PluginB).build().unwrap().filter(|spec| spec.name() != "t2");
    assert_eq!(both.names(), ["t3"]);
    let with_b = Executor::builder(both).build().unwrap();
    let alone = Executor::builder(Registry::builder().service(PluginA).build().unwrap()).build().unwrap();
    let flying = with_b.clone();
    let in_flight = tokio::spawn(async move { flying.call(ToolCall::new("t3", json!({}))).await });
    drop(with_b);
    assert_eq!(in_flight.await.unwrap().text(), "b3", "a call in flight keeps what it needs");
    assert_eq!(alone.call(ToolCall::new("t2", json!({}))).await.text(), "a2");
    let gone = alone.call(ToolCall::new("t3", json!({}))).await;
    assert_eq!(gone.error().unwrap().class(), toolkit::ErrorClass::NotFound);
}

#[test]
fn what_is_expected_is_there_or_named() {
    let registry = Registry::builder().tool::<alpha>().tool::<mu>().build().unwrap();
    registry.expect(["mu", "alpha", "mu"]).unwrap();
    registry.expect([]).unwrap();
    let names = ["alpah".to_owned(), "mu".to_owned(), "something_else".to_owned()];
    let error = registry.expect(names.iter().map(String::as_str)).unwrap_err();
    assert_eq!(
        error.problems(),
        ["there is no tool `alpah`; the nearest is `alpha`", "there is no tool `something_else`"]
    );
    let kept = registry.filter(|spec| spec.name() == "mu").expect(["alpha"]);
    assert_eq!(kept.unwrap_err().to_string(), "there is no tool `alpha`");
}
