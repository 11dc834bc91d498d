use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(defualt)] city: String) -> String {
    city
}

fn main() {}
