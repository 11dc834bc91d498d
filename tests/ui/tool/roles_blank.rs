use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, roles = ["admin", " "])]
async fn weather(city: String) -> String {
    city
}

fn main() {}
