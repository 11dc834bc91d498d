use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(pattern = 5)] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
