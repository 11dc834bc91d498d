use toolkit::tool;

#[derive(serde::Serialize)]
struct Weather;

impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(city: String) -> Result<Self, String> {
        Err(city)
    }
}

fn main() {}
