use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, name = weather)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
