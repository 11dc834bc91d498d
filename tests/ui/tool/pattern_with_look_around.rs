use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(pattern = "^(?=.*[0-9]).+$")] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
