use toolkit::tools;

struct Weather;

#[tools]
impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, other: Self) -> String {
        let _ = other;
        String::new()
    }
}

fn main() {}
