use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, timeout = "soon")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
