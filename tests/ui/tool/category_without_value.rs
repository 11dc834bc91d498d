use toolkit::tool;

/// Tells the weather.
#[tool(category)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
