use toolkit::tools;

struct Weather<'a>(&'a str);

#[tools]
impl Weather<'_> {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
