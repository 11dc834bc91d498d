use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, name = "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
