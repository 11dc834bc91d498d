use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather<T: ToString>(city: T) -> String {
    city.to_string()
}

fn main() {}
