//! Names of tools, arguments and handles.

use serde_json::json;
use toolkit::{Registry, tool};

use super::{keys, required, run, schema};

type E = std::io::Error;

#[tool(category = Read, description = "open a ticket")]
async fn open_ticket(r#type: String, r#move: u8) -> Result<String, E> {
    Ok(r#type + &r#move.to_string())
}

#[tokio::test]
async fn a_raw_argument_has_its_plain_name() {
    assert_eq!(keys::<open_ticket>(), ["type", "move"]);
    assert_eq!(required::<open_ticket>(), ["type", "move"]);
    assert!(!schema::<open_ticket>().to_string().contains("r#"));
    assert_eq!(run::<open_ticket>(json!({"type": "bug", "move": 3})).await, "bug3");
}

/// A tool.
#[tool(category = Read)]
async fn r#match(pattern: String) -> Result<String, E> {
    Ok(pattern)
}

#[tokio::test]
async fn a_raw_function_has_its_plain_name() {
    let registry = Registry::builder().tool::<r#match>().build().unwrap();
    assert_eq!(registry.names(), ["match"]);
    assert_eq!(run::<r#match>(json!({"pattern": "a+"})).await, "a+");
    assert_eq!(r#match("b".to_owned()).await.unwrap(), "b");
}

/// Names that an expansion could trip over.
#[tool(category = Read)]
#[allow(clippy::too_many_arguments)]
async fn awkward(
    args: u8,
    input: u8,
    ctx: u8,
    self_: u8,
    r#type: u8,
    cx: u8,
    text: u8,
    returned: u8,
    value: u8,
    result: u8,
    json: u8,
    toolkit: u8,
) -> u8 {
    args + input + ctx + self_ + r#type + cx + text + returned + value + result + json + toolkit
}

#[tokio::test]
async fn arguments_are_called_like_anything() {
    let names =
        ["args", "input", "ctx", "self_", "type", "cx", "text", "returned", "value", "result", "json", "toolkit"];
    assert_eq!(keys::<awkward>(), names);
    let arguments: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!(1))).collect();
    assert_eq!(run::<awkward>(arguments.into()).await, "12");
}

/// One of a name that is likely in a generated function.
macro_rules! tools_called {
    ($($name:ident)*) => {
        mod called {
            $(
                /// A tool.
                #[::toolkit::tool(category = Compute)]
                pub(super) async fn $name(n: u8) -> u8 {
                    n + 1
                }
            )*
        }

        #[tokio::test]
        async fn tools_are_called_like_anything() {
            $(assert_eq!(run::<called::$name>(json!({"n": 1})).await, "2", stringify!($name));)*
            let registry = Registry::builder()$(.tool::<called::$name>())*.build().unwrap();
            assert_eq!(registry.len(), [$(stringify!($name)),*].len());
        }
    };
}

tools_called! {
    start run decode params finish slot take state context read arg json tag shape value text function main call
    core std alloc serde serde_json schemars tokio inventory toolkit tool tools drop default format vec
}

/// An argument that is not looked at.
#[tool(category = Read)]
async fn probe(_verbose: bool, host: String) -> String {
    host
}

#[tokio::test]
async fn an_underscore_belongs_to_the_name() {
    assert_eq!(keys::<probe>(), ["_verbose", "host"]);
    assert_eq!(run::<probe>(json!({"_verbose": true, "host": "a"})).await, "a");
}

/// A tool with names of their own for everything.
#[tool(category = Read, name = "weather-now_2", handle = Weather)]
async fn weather(#[arg(rename = "the place")] place: String, #[arg(rename = "einheit-ü")] unit: char) -> String {
    format!("{place} {unit}")
}

#[tokio::test]
async fn names_can_be_given() {
    assert_eq!(Registry::builder().tool::<Weather>().build().unwrap().names(), ["weather-now_2"]);
    assert_eq!(keys::<Weather>(), ["the place", "einheit-ü"]);
    assert_eq!(run::<Weather>(json!({"the place": "Bern", "einheit-ü": "C"})).await, "Bern C");
    assert_eq!(weather("Rome".to_owned(), 'F').await, "Rome F");
}

mod glob {
    /// A module and a function of one name.
    pub(super) mod news {
        /// News.
        #[toolkit::tool(category = Read, handle = News)]
        pub(in super::super) async fn news() -> &'static str {
            "none"
        }
    }
    pub(super) use news::{News, news};
}

#[tokio::test]
async fn a_handle_keeps_out_of_the_way_of_a_module() {
    assert_eq!(glob::news().await, "none");
    assert_eq!(run::<glob::News>(json!({})).await, "none");
}

/// As long as a name may be.
#[tool(category = Read, name = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn")]
async fn longest() {}

#[test]
fn a_name_may_have_64_characters() {
    let registry = Registry::builder().tool::<longest>().build().unwrap();
    assert_eq!(registry.names()[0].len(), 64);
}

#[test]
fn the_fields_of_the_schema_keep_the_order_of_the_function() {
    /// Many.
    #[tool(category = Read)]
    async fn many(zebra: u8, apple: u8, mango: u8, b: Option<u8>, a: Option<u8>) -> u8 {
        zebra + apple + mango + b.unwrap_or(0) + a.unwrap_or(0)
    }
    assert_eq!(keys::<many>(), ["zebra", "apple", "mango", "b", "a"]);
    assert_eq!(required::<many>(), ["zebra", "apple", "mango"]);
}
