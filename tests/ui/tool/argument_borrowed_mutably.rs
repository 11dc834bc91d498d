use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: &mut String) -> String {
    city.clone()
}

fn main() {}
