use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] all: &[String]) -> String {
    format!("{city}{}", all.len())
}

fn main() {}
