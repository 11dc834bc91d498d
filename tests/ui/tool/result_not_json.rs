use toolkit::tool;

struct Forecast;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> Result<Forecast, std::io::Error> {
    let _ = city;
    Ok(Forecast)
}

fn main() {}
