use toolkit::tool;

/// Tells the weather.
#[tool(category = , max_retries = 1)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
