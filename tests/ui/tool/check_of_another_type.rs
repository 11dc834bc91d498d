use toolkit::tool;

fn is_fit(_: &u32) -> Result<(), String> {
    Ok(())
}

/// Tells the weather.
#[tool(category = Read, check = is_fit)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
