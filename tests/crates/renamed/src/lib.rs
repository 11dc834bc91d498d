//! Tools of a toolkit that is called something else.

#![allow(clippy::missing_errors_doc, reason = "the text is what the model reads")]

/// A name in quotes.
#[tk::tool(category = Read, crate = "tk")]
pub async fn renamed_ping(n: u32) -> Result<u32, std::io::Error> {
    Ok(n)
}

/// A path.
#[tk::tool(category = Compute, crate = ::tk)]
pub fn renamed_add(#[arg(default = 1)] a: u32, b: Option<u32>) -> u32 {
    a + b.unwrap_or(0)
}

/// A service.
#[derive(Debug)]
pub struct Service;

#[tk::tools(crate = tk)]
impl Service {
    /// A function.
    #[tool(category = Read)]
    pub async fn renamed_make(list: Vec<String>) -> usize {
        list.len()
    }
}

#[cfg(test)]
mod tests {
    use tk::serde_json::json;
    use tk::{Executor, Registry, ToolCall};

    #[tokio::test]
    async fn tools_work_under_another_name_of_the_toolkit() {
        let registry = Registry::builder().discover().service(super::Service).build().unwrap();
        assert_eq!(registry.names(), ["renamed_add", "renamed_make", "renamed_ping"]);
        let executor = Executor::builder(registry).build().unwrap();
        for (name, arguments, expected) in [
            ("renamed_ping", json!({"n": 3}), "3"),
            ("renamed_add", json!({"b": 2}), "3"),
            ("renamed_make", json!({"list": ["a", "b"]}), "2"),
        ] {
            assert_eq!(executor.call(ToolCall::new(name, arguments)).await.text(), expected, "{name}");
        }
    }
}
