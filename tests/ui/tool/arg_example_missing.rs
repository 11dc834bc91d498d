use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(example)] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
