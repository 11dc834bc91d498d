use toolkit::tool;

use std::fmt::Display;

/// Tells the weather.
#[tool(category = Read)]
fn weather(city: String) -> impl Display {
    city
}

fn main() {}
