use toolkit::tool;

struct Db;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] db: Db) -> String {
    let _ = db;
    city
}

fn main() {}
