use toolkit::tool;

#[derive(Default, serde::Deserialize, schemars::JsonSchema)]
struct City(String);

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(default)] city: City) -> String {
    city.0
}

fn main() {}
