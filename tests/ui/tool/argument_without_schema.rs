use toolkit::tool;

#[derive(serde::Deserialize)]
struct City(String);

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: City) -> String {
    city.0
}

fn main() {}
