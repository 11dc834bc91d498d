use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(cities: &[String]) -> String {
    cities.concat()
}

fn main() {}
