use toolkit::tools;

struct Weather;

#[tools]
impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(self: std::sync::Arc<Self>, city: String) -> String {
        city
    }
}

fn main() {}
