use toolkit::tool;

trait Mailer: Send + Sync {
    fn name(&self) -> String;
}

/// Tells the weather.
#[tool(category = Read)]
async fn weather(city: String, #[state] mail: &dyn Mailer) -> String {
    format!("{city}{}", mail.name())
}

fn main() {}
