use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, role = ["admin"])]
async fn weather(city: String) -> String {
    city
}

fn main() {}
