use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, max_retries = 5000000000)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
