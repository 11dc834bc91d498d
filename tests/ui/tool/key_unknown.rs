use toolkit::tool;

/// Tells the weather.
#[tool(category = Write, idempotant = true)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
