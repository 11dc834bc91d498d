use toolkit::tool;

/// Tells the weather.
#[tool(category = toolkit::Category::Reed)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
