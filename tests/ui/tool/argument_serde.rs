use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[serde(default)] city: String) -> String {
    city
}

fn main() {}
