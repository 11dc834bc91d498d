//! Tools in edition 2021.

#![allow(clippy::missing_errors_doc, reason = "the text is what the model reads")]

use toolkit::{schemars, tool, tools, Classify, ToolContext};

/// An argument, described by the toolkit's own schemars.
#[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
pub struct City {
    /// Its name.
    pub name: String,
}

/// An error.
#[derive(Debug, Classify)]
#[class(not_found, message = "no such city")]
pub struct Unknown;

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("unknown")
    }
}

impl std::error::Error for Unknown {}

/// Tells the weather.
#[tool(category = Read, timeout = "1s", check = is_fit)]
pub async fn old_weather(
    city: City,
    #[arg(default = 1, range = 1..=9)] days: u8,
    gen: Option<Option<u8>>,
    ctx: &ToolContext,
) -> Result<City, Unknown> {
    let _ = (days, gen, ctx);
    if city.name == "Atlantis" {
        Err(Unknown)
    } else {
        Ok(city)
    }
}

fn is_fit(city: &City) -> Result<(), String> {
    if city.name.is_empty() {
        Err("no name".to_owned())
    } else {
        Ok(())
    }
}

/// A service.
#[derive(Debug)]
pub struct Service;

#[tools]
impl Service {
    /// Counts.
    #[tool(category = Compute)]
    pub fn old_count(&self, mut cities: Vec<City>) -> usize {
        let Self = self;
        cities.clear();
        cities.len()
    }
}

#[cfg(test)]
mod tests {
    use toolkit::serde_json::json;
    use toolkit::{ErrorClass, Executor, Registry, ToolCall};

    #[tokio::test]
    async fn tools_work_in_edition_2021() {
        let registry = Registry::builder().discover().service(super::Service).build().unwrap();
        assert_eq!(registry.names(), ["old_count", "old_weather"]);
        let executor = Executor::builder(registry).build().unwrap();
        let result = executor.call(ToolCall::new("old_weather", json!({"city": {"name": "Bern"}, "gen": null}))).await;
        assert_eq!(result.text(), "{\"name\":\"Bern\"}");
        let result = executor.call(ToolCall::new("old_count", json!({"cities": [{"name": "Bern"}]}))).await;
        assert_eq!(result.text(), "0");
        let result = executor.call(ToolCall::new("old_weather", json!({"city": {"name": "Atlantis"}}))).await;
        assert_eq!(result.error().unwrap().class(), ErrorClass::NotFound);
    }
}
