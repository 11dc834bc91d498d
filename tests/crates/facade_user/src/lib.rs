//! Tools in a crate that does not depend on the toolkit itself.

#![allow(clippy::missing_errors_doc, reason = "the text is what the model reads")]

use std::fmt;

use facade::toolkit::{Classify, ToolContext};

/// An error of this crate.
#[derive(Debug, Classify)]
#[class(not_found, crate = ::facade::toolkit)]
pub struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is none")
    }
}

impl std::error::Error for Missing {}

/// A path in quotes.
#[facade::tool(category = Read, crate = "facade::toolkit")]
pub async fn facade_ping(n: u32) -> Result<u32, std::io::Error> {
    Ok(n)
}

/// A path as it is, and every key that names the toolkit.
#[facade::toolkit::tool(category = Read, crate = ::facade::toolkit, timeout = "1s", check = is_fit, idempotent = true)]
pub async fn facade_everything(
    #[arg(default, example = 1, range = 0..=9)] n: u32,
    #[arg(default = "x", length = 1..=3, pattern = "^x")] text: String,
    ctx: &ToolContext,
    #[state] state: &u8,
) -> Result<String, Missing> {
    if n == 9 { Err(Missing) } else { Ok(format!("{n}{text}{}{state}", ctx.attempt())) }
}

fn is_fit(text: &str) -> Result<(), String> {
    if text.is_empty() { Err("empty".to_owned()) } else { Ok(()) }
}

/// A service of this crate.
#[derive(Debug)]
pub struct Service(pub u32);

#[facade::tools(crate = ::facade::toolkit)]
impl Service {
    /// A method.
    #[tool(category = Compute)]
    pub async fn facade_add(&self, n: u32) -> u32 {
        self.0 + n
    }
}

#[cfg(test)]
mod tests {
    use facade::toolkit::serde_json::json;
    use facade::toolkit::{ErrorClass, Executor, Registry, ToolCall};

    #[tokio::test]
    async fn tools_work_through_a_facade() {
        let registry = Registry::builder().discover().service(super::Service(1)).build().unwrap();
        assert_eq!(registry.names(), ["facade_add", "facade_everything", "facade_ping"]);
        let executor = Executor::builder(registry).state(7_u8).build().unwrap();
        for (name, arguments, expected) in [
            ("facade_ping", json!({"n": 3}), "3"),
            ("facade_everything", json!({}), "0x17"),
            ("facade_add", json!({"n": 1}), "2"),
        ] {
            assert_eq!(executor.call(ToolCall::new(name, arguments)).await.text(), expected, "{name}");
        }
        let missing = executor.call(ToolCall::new("facade_everything", json!({"n": 9}))).await;
        assert_eq!(missing.error().unwrap().class(), ErrorClass::NotFound);
    }
}
