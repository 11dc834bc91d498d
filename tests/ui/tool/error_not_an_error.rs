use toolkit::tool;

struct NoWeather;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> Result<String, NoWeather> {
    Ok(city)
}

fn main() {}
