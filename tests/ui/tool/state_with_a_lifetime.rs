use toolkit::tool;

struct Db<'a>(&'a str);

/// Tells the weather.
#[tool(category = Read)]
async fn weather<'a>(city: String, #[state] db: &Db<'a>) -> String {
    format!("{city}{}", db.0)
}

fn main() {}
