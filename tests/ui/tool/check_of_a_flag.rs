use toolkit::tool;

fn is_fit(city: &str) -> bool {
    !city.is_empty()
}

/// Tells the weather.
#[tool(category = Read, check = is_fit)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
