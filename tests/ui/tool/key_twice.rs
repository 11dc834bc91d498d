use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, timeout = "1s", timeout = "2s")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
