use toolkit::tools;

struct Weather(std::cell::Cell<u8>);

#[tools]
impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
