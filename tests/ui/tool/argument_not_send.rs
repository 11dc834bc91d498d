use toolkit::tool;

use std::marker::PhantomData;
use std::rc::Rc;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City(#[schemars(skip)] PhantomData<Rc<u8>>);

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: City) -> String {
    format!("{:?}", city.0)
}

fn main() {}
