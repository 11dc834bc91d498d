use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(range = 1..=30)] city: Vec<u8>) -> String {
    format!("{city:?}")
}

fn main() {}
