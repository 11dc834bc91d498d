use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[args(default)] city: String) -> String {
    city
}

fn main() {}
