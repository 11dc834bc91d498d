use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: Option<&str>) -> String {
    city.unwrap_or_default().to_owned()
}

fn main() {}
