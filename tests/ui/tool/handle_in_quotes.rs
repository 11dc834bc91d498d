use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, handle = "Weather")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
