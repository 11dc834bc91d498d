use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(_: String) -> String {
    String::new()
}

fn main() {}
