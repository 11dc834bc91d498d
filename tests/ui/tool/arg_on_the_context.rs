use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[arg(default)] ctx: &toolkit::ToolContext) -> String {
    format!("{city}{}", ctx.attempt())
}

fn main() {}
