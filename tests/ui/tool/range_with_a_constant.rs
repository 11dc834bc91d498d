use toolkit::tool;

const MOST: u32 = 30;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(range = 1..=MOST)] days: u32) -> String {
    format!("{days:?}")
}

fn main() {}
