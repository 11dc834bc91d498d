use toolkit::tool;

#[derive(Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct City;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(default)] city: City) -> String {
    format!("{city:?}")
}

fn main() {}
