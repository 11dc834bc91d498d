use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, roles = [])]
async fn weather(city: String) -> String {
    city
}

fn main() {}
