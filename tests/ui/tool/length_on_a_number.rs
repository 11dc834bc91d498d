use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(length = 1..=30)] days: u32) -> String {
    format!("{days:?}")
}

fn main() {}
