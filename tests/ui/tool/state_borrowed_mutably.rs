use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] db: &mut u8) -> String {
    *db += 1;
    city
}

fn main() {}
