//! What reading arguments costs: the exact way into typed slots, against `serde_json::from_str` into a struct of the same
//! fields that refuses unknown keys. `cargo bench -p toolkit --bench decode` prints the nanoseconds and the ratio.

use std::hint::black_box;
use std::time::Instant;

use schemars::JsonSchema;
use serde::Deserialize;
use toolkit::__private::{Arg, Param, arg, decode};
use toolkit::ToolContext;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read and thrown away")]
struct Small {
    order_id: String,
    include_items: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read and thrown away")]
struct Item {
    sku: String,
    name: String,
    quantity: u32,
    price: f64,
    gift: bool,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read and thrown away")]
struct Address {
    street: String,
    city: String,
    country: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read and thrown away")]
struct Large {
    customer: u64,
    address: Address,
    items: Vec<Item>,
    express: bool,
}

const ID: &Arg<String> = &arg("order_id", "");
const ITEMS: &Arg<bool> = &arg("include_items", "");

fn small(cx: &ToolContext, text: &str) -> bool {
    const PARAMS: &[Param] = &[ID.param, ITEMS.param];
    let (mut a, mut b) = (ID.slot(), ITEMS.slot());
    decode(cx, text, PARAMS, &mut [&mut a, &mut b]).is_ok() && black_box((a.value, b.value)).0.is_some()
}

const CUSTOMER: &Arg<u64> = &arg("customer", "");
const ADDRESS: &Arg<Address> = &arg("address", "");
const LIST: &Arg<Vec<Item>> = &arg("items", "");
const EXPRESS: &Arg<bool> = &arg("express", "");

fn large(cx: &ToolContext, text: &str) -> bool {
    const PARAMS: &[Param] = &[CUSTOMER.param, ADDRESS.param, LIST.param, EXPRESS.param];
    let (mut a, mut b, mut c, mut d) = (CUSTOMER.slot(), ADDRESS.slot(), LIST.slot(), EXPRESS.slot());
    decode(cx, text, PARAMS, &mut [&mut a, &mut b, &mut c, &mut d]).is_ok()
        && black_box((a.value, b.value, c.value, d.value)).2.is_some()
}

/// Nanoseconds of one run: the best of many rounds, in which both sides take turns.
fn compare(rounds: u32, mut a: impl FnMut() -> bool, mut b: impl FnMut() -> bool) -> (f64, f64) {
    let time = |run: &mut dyn FnMut() -> bool| {
        let begun = Instant::now();
        for _ in 0..rounds {
            assert!(run(), "the arguments are exact");
        }
        begun.elapsed().as_secs_f64() * 1e9 / f64::from(rounds)
    };
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..60 {
        best.0 = best.0.min(time(&mut a));
        best.1 = best.1.min(time(&mut b));
    }
    best
}

fn main() {
    let cx = ToolContext::detached();
    let text = r#"{"order_id": "ORD12345678", "include_items": true}"#;
    report(
        "two arguments",
        compare(20_000, || small(&cx, text), || black_box(serde_json::from_str::<Small>(text)).is_ok()),
    );
    let item = r#"{"sku": "AB-1234", "name": "A sharp pencil, yellow", "quantity": 12, "price": 1.25, "gift": false, "note": "wrap \"well\""}"#;
    let text = format!(
        "{{\"customer\": 9007199254740993, \"address\": {{\"street\": \"1 High Street\", \"city\": \"Leeds\", \"country\": \"GB\"}}, \
         \"items\": [{}], \"express\": true}}",
        [item; 10].join(", ")
    );
    report(
        &format!("an order of {} bytes", text.len()),
        compare(2_000, || large(&cx, &text), || black_box(serde_json::from_str::<Large>(&text)).is_ok()),
    );
}

fn report(what: &str, (ours, theirs): (f64, f64)) {
    println!("{what}: {ours:.0} ns, a struct of the same fields {theirs:.0} ns, ratio {:.2}", ours / theirs);
}
