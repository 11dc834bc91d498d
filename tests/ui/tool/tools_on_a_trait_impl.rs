use toolkit::tools;

struct Weather;

trait Tells {
    fn weather(&self, city: String) -> String;
}

#[tools]
impl Tells for Weather {
    /// Tells the weather.
    #[tool(category = Read)]
    fn weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
