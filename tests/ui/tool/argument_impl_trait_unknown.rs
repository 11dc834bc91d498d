use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: impl Fn() -> String) -> String {
    city()
}

fn main() {}
