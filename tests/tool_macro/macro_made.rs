//! Tools that a `macro_rules!` makes.

use serde_json::json;
use toolkit::{Executor, Registry, ToolCall, tool, tools};

use super::{keys, property, run};

struct Db(&'static str);

/// Each fragment once: names, types, literals, docs, visibilities, blocks.
macro_rules! one {
    ($(#[$meta:meta])* $vis:vis $name:ident($($arg:ident: $ty:ty = $default:expr),*) -> $ret:ty $body:block
        named $text:literal retries $retries:expr, timeout $timeout:literal, category $category:ident) => {
        $(#[$meta])*
        #[tool(category = $category, name = $text, max_retries = $retries, timeout = $timeout)]
        $vis async fn $name($(#[arg(default = $default)] $arg: $ty),*) -> $ret $body
    };
}

one! {
    /// Made of fragments.
    pub(super) made(a: u8 = 1, b: Vec<String> = vec!["x".to_owned()], c: Option<u8> = None, d: String = "text")
        -> Result<String, std::io::Error> { if a > 9 { Err(std::io::ErrorKind::Other.into()) } else { Ok(format!("{a} {b:?} {c:?} {d}")) } }
    named "made-of-fragments" retries 3, timeout "5s", category Compute
}

#[tokio::test]
async fn a_tool_is_made_of_fragments() {
    assert_eq!(keys::<made>(), ["a", "b", "c", "d"]);
    assert_eq!(run::<made>(json!({})).await, "1 [\"x\"] None text");
    let registry = Registry::builder().tool::<made>().build().unwrap();
    let spec = registry.get("made-of-fragments").unwrap();
    assert_eq!((spec.description(), spec.max_retries()), ("Made of fragments.", 3));
    assert_eq!(spec.timeout(), Some(std::time::Duration::from_secs(5)));
}

macro_rules! item {
    ($category:path, $item:item) => {
        #[tool(category = $category)]
        $item
    };
}

item! {
    Compute,
    /// A whole function.
    async fn whole(#[arg(range = 1..=3)] n: u8, list: Vec<u8>) -> u8 {
        n + list.iter().sum::<u8>()
    }
}

item! {
    toolkit::Category::Compute,
    /// A whole function that blocks.
    pub(super) fn whole_sync(n: u8) -> Result<u8, String> {
        n.checked_add(0).ok_or_else(String::new)
    }
}

#[tokio::test]
async fn a_tool_is_made_of_a_whole_item() {
    assert_eq!(property::<whole>("n")["maximum"], 3);
    assert_eq!(run::<whole>(json!({"n": 1, "list": [2]})).await, "3");
    assert_eq!(run::<whole_sync>(json!({"n": 1})).await, "1");
}

macro_rules! state {
    ($name:ident, $state:ty, $context:ty, $reference:ty) => {
        /// A tool.
        #[tool(category = Read)]
        async fn $name(#[state] db: $state, ctx: $context, other: $reference, n: u8) -> String {
            let local = n + 1;
            format!("{} {} {} {local}", db.0, ctx.tool(), other.attempt())
        }
    };
}

state!(lent, &Db, &toolkit::ToolContext, &'_ toolkit::ToolContext);

#[tokio::test]
async fn a_reference_may_be_a_fragment() {
    assert_eq!(keys::<lent>(), ["n"]);
    let registry = Registry::builder().tool::<lent>().build().unwrap();
    let executor = Executor::builder(registry).state(Db("db")).build().unwrap();
    assert_eq!(executor.call(ToolCall::new("lent", json!({"n": 1}))).await.text(), "db lent 1 2");
}

/// Names that the macro itself makes up must not meet those of the expansion.
macro_rules! hygienic {
    ($name:ident) => {
        /// A tool.
        #[tool(category = Read, check = is_fit)]
        async fn $name(value: u8, __a0: u8, __cx: u8) -> u8 {
            value + __a0 + __cx
        }

        fn is_fit(value: &u8) -> Result<(), String> {
            if *value > 99 { Err("too large".to_owned()) } else { Ok(()) }
        }
    };
}

hygienic!(clean);

#[tokio::test]
async fn names_of_the_macro_stay_apart() {
    assert_eq!(keys::<clean>(), ["value", "__a0", "__cx"]);
    assert_eq!(run::<clean>(json!({"value": 1, "__a0": 2, "__cx": 3})).await, "6");
}

macro_rules! service {
    ($service:ident { $($name:ident: $ty:ty = $tool:literal),* }) => {
        struct $service;

        #[tools]
        impl $service {
            $(
                /// A tool.
                #[tool(category = Compute, name = $tool)]
                async fn $name(&self, n: $ty) -> $ty {
                    let Self = self;
                    n
                }
            )*
        }
    };
}

service!(Made { a: u8 = "made_a", b: String = "made_b" });

#[tokio::test]
async fn a_service_is_made_of_fragments() {
    let registry = Registry::builder().service(Made).build().unwrap();
    assert_eq!(registry.names(), ["made_a", "made_b"]);
    let executor = Executor::builder(registry).build().unwrap();
    assert_eq!(executor.call(ToolCall::new("made_b", json!({"n": "x"}))).await.text(), "x");
}

macro_rules! nested {
    ($($name:ident)*) => {
        $(nested!(@one $name);)*
    };
    (@one $name:ident) => {
        nested!(@two $name, #[doc = concat!("Tool ", stringify!($name), ".")]);
    };
    (@two $name:ident, #[$doc:meta]) => {
        #[$doc]
        #[tool(category = Read)]
        async fn $name() -> &'static str {
            stringify!($name)
        }
    };
}

nested!(nested_a nested_b);

#[tokio::test]
async fn a_macro_may_call_another() {
    assert_eq!(run::<nested_a>(json!({})).await, "nested_a");
    let registry = Registry::builder().tool::<nested_a>().tool::<nested_b>().build().unwrap();
    assert_eq!(registry.get("nested_b").unwrap().description(), "Tool nested_b.");
}
