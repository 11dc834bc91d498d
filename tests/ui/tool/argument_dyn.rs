use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: Box<dyn std::fmt::Display + Send>) -> String {
    city.to_string()
}

fn main() {}
