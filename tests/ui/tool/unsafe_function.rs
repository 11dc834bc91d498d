use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
async unsafe fn weather(city: String) -> String {
    city
}

fn main() {}
