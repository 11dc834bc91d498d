struct Weather;

fn registry() {
    let _ = toolkit::Registry::builder().service(Weather);
}

fn main() {}
