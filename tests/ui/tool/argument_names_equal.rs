use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[arg(rename = "city")] town: String) -> String {
    city + &town
}

fn main() {}
