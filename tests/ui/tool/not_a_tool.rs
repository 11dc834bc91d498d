async fn weather() {}

struct Weather;

fn registry() {
    let _ = toolkit::Registry::builder().tool::<Weather>();
    let _ = weather;
}

fn main() {}
