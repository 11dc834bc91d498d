use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(pattern = "^[0-9]$")] days: u32) -> String {
    format!("{days:?}")
}

fn main() {}
