use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(default = true)] days: u32) -> String {
    days.to_string()
}

fn main() {}
