use toolkit::tool;

struct Weather;

impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(other: Option<Self>) -> bool {
        other.is_some()
    }
}

fn main() {}
