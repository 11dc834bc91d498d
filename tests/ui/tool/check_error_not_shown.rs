use toolkit::tool;

struct Unfit;

fn is_fit(_: &str) -> Result<(), Unfit> {
    Ok(())
}

/// Tells the weather.
#[tool(category = Read, check = is_fit)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
