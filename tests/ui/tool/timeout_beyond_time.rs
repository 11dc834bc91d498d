use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, timeout = "99999999999999999999s")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
