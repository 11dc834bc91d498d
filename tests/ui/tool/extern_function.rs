use toolkit::tool;

/// Tells the weather.
#[tool(category = Read)]
extern "C" fn weather(city: String) -> String {
    city
}

fn main() {}
