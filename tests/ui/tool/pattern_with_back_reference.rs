use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(pattern = r"^(a)\1$")] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
