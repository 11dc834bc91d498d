use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> ! {
    panic!("{city}")
}

fn main() {}
