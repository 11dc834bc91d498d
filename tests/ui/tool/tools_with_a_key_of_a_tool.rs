use toolkit::tools;

struct Weather;

#[tools(category = Read)]
impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
