use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
const WEATHER: &str = "sunny";

fn main() {}
