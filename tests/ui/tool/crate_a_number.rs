use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, crate = 5)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
