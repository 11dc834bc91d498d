use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(
    city: String,
    #[state]
    #[arg(secret)]
    db: &u8,
) -> String {
    format!("{city}{db}")
}

fn main() {}
