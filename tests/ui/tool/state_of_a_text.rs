use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] key: &str) -> String {
    format!("{city}{key}")
}

fn main() {}
