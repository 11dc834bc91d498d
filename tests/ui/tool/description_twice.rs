use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, description = "a", description = "b")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
