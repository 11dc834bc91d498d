use toolkit::tool;

struct Weather;

/// Tells the weather.
#[tool(category = Read)]
impl Weather {}

fn main() {}
