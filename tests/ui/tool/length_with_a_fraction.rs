use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(length = 1.5..=5.0)] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
