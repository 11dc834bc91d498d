use toolkit::tool;

/// Tells the weather.
#[tool]
async fn weather(city: String) -> String {
    city
}

fn main() {}
