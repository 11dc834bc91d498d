use toolkit::tool;

/// Tells the weather.
#[tool(category = Reads)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
