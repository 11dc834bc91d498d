use toolkit::tool;

struct City;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: &City) -> String {
    let _ = city;
    String::new()
}

fn main() {}
