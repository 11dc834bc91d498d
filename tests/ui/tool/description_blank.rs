use toolkit::tool;

///
#[tool(category = Read)]
async fn weather(city: String) -> String {
    city
}

fn main() {}
