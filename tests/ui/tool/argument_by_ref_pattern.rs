use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(ref city: String) -> String {
    city.clone()
}

fn main() {}
