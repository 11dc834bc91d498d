use toolkit::tool;

#[tool(category = Read, description = "")]
async fn weather(city: String) -> String {
    city
}

fn main() {}
