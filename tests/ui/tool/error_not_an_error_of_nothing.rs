use toolkit::tool;

#[derive(Debug)]
struct Failure;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> Result<(), Failure> {
    let _ = city;
    Ok(())
}

fn main() {}
