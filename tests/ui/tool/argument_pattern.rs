use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather((city, country): (String, String)) -> String {
    city + &country
}

fn main() {}
