use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
struct Weather;

fn main() {}
