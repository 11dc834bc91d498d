use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(cities: impl IntoIterator<Item = String>) -> String {
    cities.into_iter().collect()
}

fn main() {}
