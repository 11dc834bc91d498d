use toolkit::tool;

struct City;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(cities: Vec<&City>) -> String {
    cities.len().to_string()
}

fn main() {}
