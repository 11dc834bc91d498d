use toolkit::tools;

use std::rc::Rc;

struct Weather;

#[tools]
impl Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: String) -> String {
        let held = Rc::new(city);
        std::future::ready(()).await;
        held.to_string()
    }
}

fn main() {}
