use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: &'static str) -> String {
    city.to_owned()
}

fn main() {}
