use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather<const N: usize>(city: [String; N]) -> String {
    city.concat()
}

fn main() {}
