use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(cities: Vec<impl Into<String>>) -> String {
    cities.into_iter().map(Into::into).collect::<String>()
}

fn main() {}
