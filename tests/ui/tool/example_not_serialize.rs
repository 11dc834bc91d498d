use toolkit::tool;

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct City;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(#[arg(example = City)] city: City) -> String {
    format!("{city:?}")
}

fn main() {}
