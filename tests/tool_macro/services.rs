//! `#[tools]`: the functions of an impl block.

use std::sync::Arc;

use serde_json::json;
use toolkit::{Executor, Registry, ToolCall, ToolContext, tools};

#[derive(Clone, Default)]
struct Svc {
    base: u32,
}

#[tools]
impl Svc {
    /// A tool.
    #[tool(category = Read, name = "svc_run")]
    pub async fn run(&self, n: u32) -> Result<u32, std::io::Error> {
        Ok(self.base + n)
    }

    /// No tool.
    const STEP: u32 = 5;

    /// A tool without a receiver, with `Self` everywhere.
    #[tool(category = Read, name = "svc_make", check = Self::is_fit)]
    async fn make(
        #[arg(default = Self::STEP, example = Self::STEP + 1)] n: u32,
        list: Option<Vec<Own<Self>>>,
    ) -> Result<Own<Self>, Own<()>> {
        let more: u32 = list.iter().flatten().map(|own| own.n).sum();
        Ok(Own { n: n + more, owner: std::marker::PhantomData })
    }

    fn is_fit(own: &Own<Self>) -> Result<(), &'static str> {
        if own.n > 99 { Err("too large") } else { Ok(()) }
    }

    /// A tool that blocks.
    #[tool(category = Compute, name = "svc_block")]
    fn block(&self, n: u32, #[state] factor: &u32, ctx: &ToolContext) -> String {
        format!("{} {}", (self.base + n) * factor, ctx.tool())
    }

    /// A tool that blocks, without a receiver.
    #[toolkit::tool(category = Compute, name = "svc_add")]
    fn add(self_: u32, r#type: u32) -> u32 {
        self_ + r#type
    }

    fn no_tool(&self, text: &str) -> usize {
        text.len() + usize::try_from(self.base).unwrap_or(0)
    }
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema, Debug)]
#[schemars(rename = "Own", bound = "")]
#[serde(bound = "")]
struct Own<T> {
    n: u32,
    #[serde(skip)]
    owner: std::marker::PhantomData<fn(T)>,
}

impl std::fmt::Display for Own<()> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.n.fmt(f)
    }
}

impl std::error::Error for Own<()> {}

#[derive(Clone, Default)]
struct Other;

#[tools]
impl Other {
    /// A tool of the same function's name in another block.
    #[tool(category = Read, name = "other_run")]
    pub async fn run(&self, n: u32) -> Result<u32, std::io::Error> {
        let Self = self;
        Ok(n)
    }
}

fn executor(registry: Registry) -> Executor {
    Executor::builder(registry).state(10_u32).build().unwrap()
}

#[tokio::test]
async fn methods_and_associated_functions_are_tools() {
    let registry = Registry::builder().service(Svc { base: 7 }).service(Other).build().unwrap();
    assert_eq!(registry.names(), ["other_run", "svc_add", "svc_block", "svc_make", "svc_run"]);
    let schema = registry.get("svc_run").unwrap().input_schema();
    assert_eq!(schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), ["n"]);
    let make = registry.get("svc_make").unwrap().input_schema().clone();
    assert_eq!(make["properties"]["n"]["default"], 5);
    assert_eq!(make["properties"]["n"]["examples"], json!([6]));
    assert!(registry.get("svc_make").unwrap().output_schema().unwrap()["properties"]["n"].is_object());

    let executor = executor(registry);
    for (name, arguments, expected) in [
        ("svc_run", json!({"n": 1}), "8"),
        ("other_run", json!({"n": 1}), "1"),
        ("svc_make", json!({}), "{\"n\":5}"),
        ("svc_make", json!({"n": 1, "list": [{"n": 2}]}), "{\"n\":3}"),
        ("svc_block", json!({"n": 1}), "80 svc_block"),
        ("svc_add", json!({"self_": 1, "type": 2}), "3"),
    ] {
        let result = executor.call(ToolCall::new(name, arguments)).await;
        assert_eq!(result.text(), expected, "{name}");
    }
    let unfit = executor.call(ToolCall::new("svc_make", json!({"n": 100}))).await;
    assert!(unfit.text().contains("too large"), "{}", unfit.text());
}

#[tokio::test]
async fn methods_stay_callable() {
    assert_eq!(Svc { base: 1 }.run(1).await.unwrap(), 2);
    assert_eq!(Svc { base: 1 }.no_tool("ab"), 3);
    assert_eq!(Svc::add(1, 2), 3);
    assert_eq!(Svc { base: 1 }.block(1, &3, &ToolContext::detached()), "6 ");
}

#[tokio::test]
async fn a_service_may_be_shared() {
    let svc = Arc::new(Svc { base: 3 });
    let registry = Registry::builder().service(Arc::clone(&svc)).build().unwrap();
    let result = executor(registry).call(ToolCall::new("svc_run", json!({"n": 1}))).await;
    assert_eq!(result.text(), "4");
    assert!(Arc::strong_count(&svc) >= 1);
}

#[test]
fn a_service_that_is_given_twice_is_an_error() {
    let error = Registry::builder().service(Svc::default()).service(Svc { base: 1 }).build().unwrap_err().to_string();
    assert!(error.contains("Svc") && error.contains("twice"), "{error}");
}

#[test]
fn a_service_and_its_shared_form_are_one() {
    let built = Registry::builder().service(Svc::default()).service(Arc::new(Svc { base: 1 })).build();
    let error = built.unwrap_err().to_string();
    assert!(error.contains("Svc") && error.contains("twice"), "{error}");
}

#[test]
fn a_service_is_not_discovered_without_its_value() {
    assert_eq!(super::submitted("svc_"), [""; 0]);
}

#[test]
fn every_tool_of_a_block_has_its_own_line() {
    let registry = Registry::builder().service(Svc::default()).build().unwrap();
    let mut lines: Vec<u32> = registry.iter().map(|spec| spec.location().line()).collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), registry.len(), "{lines:?}");
    let run = registry.get("svc_run").unwrap().location();
    assert!(run.file().ends_with("services.rs"), "{run}");
    let source = include_str!("services.rs").lines().nth(run.line() as usize - 1).unwrap();
    assert!(source.contains("pub async fn run(&self"), "{run}: {source}");
}

mod inner {
    pub(super) fn build() -> toolkit::Registry {
        struct Hidden;

        #[toolkit::tools]
        impl Hidden {
            /// A tool.
            #[tool(category = Read)]
            async fn hidden_in_fn(&self) -> u8 {
                let Self = self;
                1
            }
        }

        toolkit::Registry::builder().service(Hidden).build().unwrap()
    }
}

#[tokio::test]
async fn a_service_may_be_local_to_a_function() {
    let result = executor(inner::build()).call(ToolCall::new("hidden_in_fn", json!({}))).await;
    assert_eq!(result.text(), "1");
}

struct Generic<T>(T);

#[tools]
impl Generic<u8> {
    /// A tool of one instance of a generic type.
    #[tool(category = Read)]
    async fn of_generic(&self, other: u8) -> u8 {
        self.0 + other
    }
}

#[tools]
impl Generic<String> {
    /// A tool of another.
    #[tool(category = Read)]
    async fn of_generic_text(&self, other: String) -> String {
        self.0.clone() + &other
    }
}

#[tokio::test]
async fn each_instance_of_a_generic_type_has_its_block() {
    let registry = Registry::builder().service(Generic(1)).service(Generic("a".to_owned())).build().unwrap();
    let executor = executor(registry);
    assert_eq!(executor.call(ToolCall::new("of_generic", json!({"other": 2}))).await.text(), "3");
    assert_eq!(executor.call(ToolCall::new("of_generic_text", json!({"other": "b"}))).await.text(), "ab");
}
