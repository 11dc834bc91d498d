use toolkit::tool;

struct Failure;

type Result<T> = std::result::Result<T, Failure>;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> Result<String> {
    Ok(city)
}

fn main() {}
