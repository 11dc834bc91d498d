use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(range = 1..=30)] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
