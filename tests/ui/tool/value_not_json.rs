use toolkit::tool;

struct Forecast;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> Forecast {
    let _ = city;
    Forecast
}

fn main() {}
