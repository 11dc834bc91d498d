use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(description = "A city.", description = "A town.")] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
