use toolkit::tool;

/// Tells the weather.
#[tool(category = Read, crate = ::no_such_crate, timeout = "1s", idempotent = true, check = is_fit)]
async fn weather(
    #[arg(range = 1.., default)] days: u8,
    #[arg(length = 1..=9, pattern = "x")] city: String,
    #[state] db: &u8,
) -> String {
    format!("{city}{days}{db}")
}

fn is_fit(_: &str) -> Result<(), String> {
    Ok(())
}

fn main() {}
