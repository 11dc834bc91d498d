use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(rename = "")] city: String) -> String {
    format!("{city:?}")
}

fn main() {}
