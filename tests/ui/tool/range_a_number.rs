use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(range = 30)] days: u32) -> String {
    format!("{days:?}")
}

fn main() {}
