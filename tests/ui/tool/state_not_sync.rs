use toolkit::tool;

struct Db(std::cell::Cell<u8>);

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] db: &Db) -> String {
    format!("{city}{:?}", db.0)
}

fn main() {}
