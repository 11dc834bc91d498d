use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, idempotent = "no")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
