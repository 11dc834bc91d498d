use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, handle = crate::Weather)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
