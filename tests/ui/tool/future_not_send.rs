use toolkit::tool;

use std::rc::Rc;

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String) -> String {
    let held = Rc::new(city);
    std::future::ready(()).await;
    held.to_string()
}

fn main() {}
