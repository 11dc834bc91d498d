use toolkit::tool;

trait Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(city: String) -> String;
}

fn main() {}
