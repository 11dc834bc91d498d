use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, name = "")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
