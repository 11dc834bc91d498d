use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: impl Into<String>) -> String {
    city.into()
}

fn main() {}
