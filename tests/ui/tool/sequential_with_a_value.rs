use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, sequential = true)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
