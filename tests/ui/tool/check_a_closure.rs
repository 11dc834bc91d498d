use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, check = |_| Ok(()))]
async fn weather(city: String) -> String {
    city
}

fn main() {}
