use toolkit::tool;

struct Weather;

impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
