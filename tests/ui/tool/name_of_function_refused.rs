use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn été(city: String) -> String {
    city
}

fn main() {}
