use toolkit::tools;

struct Weather<T>(T);

#[tools]
impl<T: Send + Sync + 'static> Weather<T> {
    /// Tells the weather.
    #[tool(category = Read)]
    async fn weather(&self, city: String) -> String {
        city
    }
}

fn main() {}
