use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, roles = ["admin", "support", "admin"])]
async fn weather(city: String) -> String {
    city
}

fn main() {}
