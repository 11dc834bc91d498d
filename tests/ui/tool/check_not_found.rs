use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, check = is_fit)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
