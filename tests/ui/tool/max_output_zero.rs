use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, max_output = 0)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
