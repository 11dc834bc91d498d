use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async fn weather<T>(city: T) -> String
where
    T: ToString,
{
    city.to_string()
}

fn main() {}
