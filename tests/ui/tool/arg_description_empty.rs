use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(description = "")] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
