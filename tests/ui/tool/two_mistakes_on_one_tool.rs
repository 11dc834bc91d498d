use toolkit::tool;

#[tool(max_retry = 3)]
async fn weather(city: &str) -> String {
    city.to_owned()
}

fn main() {}
