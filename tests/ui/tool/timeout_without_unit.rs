use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, timeout = "30")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
