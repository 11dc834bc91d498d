use toolkit::tool;

use std::borrow::Cow;

/// Tells the weather.
#[tool(category = Read)]
async fn weather<'a>(city: Cow<'a, str>) -> String {
    city.into_owned()
}

fn main() {}
