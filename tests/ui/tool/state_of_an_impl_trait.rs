use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] all: &(impl ToString + Sync)) -> String {
    format!("{city}{}", all.to_string())
}

fn main() {}
