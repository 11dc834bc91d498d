use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, roles = ["admin", 7])]
async fn weather(city: String) -> String {
    city
}

fn main() {}
