use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, budget = 10)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
