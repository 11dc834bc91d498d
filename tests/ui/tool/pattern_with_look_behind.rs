use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(pattern = "(?<!a)b")] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
