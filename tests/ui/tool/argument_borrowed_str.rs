use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: &str) -> String {
    city.to_owned()
}

fn main() {}
