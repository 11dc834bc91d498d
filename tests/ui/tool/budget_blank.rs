use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, budget = "")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
