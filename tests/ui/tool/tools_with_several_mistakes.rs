use toolkit::tools;

struct Weather;

#[tools]
impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: &str) -> String {
        city.to_owned()
    }

    /// Tells the weather.
    #[tool(category = Read, max_retry = 1)]
    async fn forecast(&self, city: String) -> String {
        city
    }

    /// Not a mistake.
    #[tool(category = Read)]
    async fn fine(&self) {}
}

fn in_use() {
    let _ = toolkit::Registry::builder().service(Weather);
    let _ = Weather::fine;
}

fn main() {}
