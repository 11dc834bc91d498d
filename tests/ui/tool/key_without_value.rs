use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, max_retries)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
