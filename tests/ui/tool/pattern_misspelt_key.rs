use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(patern = "^[a-z]+$")] city: String) -> String {
    city
}

fn main() {}
