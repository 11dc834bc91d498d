use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg] city: String) -> String {
    city
}

fn main() {}
