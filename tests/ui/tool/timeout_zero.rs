use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, timeout = "0s")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
