use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(
    #[arg(default = "Bern")]
    #[arg(default = "Rome")]
    city: String,
) -> String {
    city
}

fn main() {}
