use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, name = "get weather!")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
