use toolkit::tool;

/// Tells the weather.
#[tool(category = Raed)]
async fn weather(city: String) -> String {
    city
}

/// Tells the news.
#[tool(category = Read, handle = News, tiemout = "1s")]
pub fn news() -> String {
    String::new()
}

async fn in_use() {
    let _ = toolkit::Registry::builder().tool::<weather>().tool::<News>();
    let _ = weather("Bern".to_owned()).await + &news();
}

fn main() {}
