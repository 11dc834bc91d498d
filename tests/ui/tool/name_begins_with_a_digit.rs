use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, name = "7days")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
