//! What every side does, the same functions on the same types, and the texts that it reads them from.

use std::hint::black_box;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The arguments of `check_order`, for the sides that read a struct.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Small {
    /// The number of the order.
    pub order_id: String,
    /// Whether to list the items too.
    pub include_items: bool,
}

/// The arguments of `place_order`, for the sides that read a struct.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Large {
    /// Who orders.
    pub customer: u64,
    /// Where it goes.
    pub address: Address,
    /// What is ordered.
    pub items: Vec<Item>,
    /// Whether it is in a hurry.
    pub express: bool,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    sku: String,
    name: String,
    quantity: u32,
    price: f64,
    gift: bool,
    note: Option<String>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Address {
    street: String,
    city: String,
    country: String,
}

pub async fn status(order_id: String, include_items: bool) -> String {
    black_box(include_items);
    order_id
}

pub async fn placed(customer: u64, address: Address, items: Vec<Item>, express: bool) -> String {
    black_box((customer, express, items));
    address.city
}

pub const SMALL: &str = r#"{"order_id": "ORD12345678", "include_items": true}"#;

/// An order of ten items.
pub fn large() -> String {
    let item = r#"{"sku": "AB-1234", "name": "A sharp pencil, yellow", "quantity": 12, "price": 1.25, "gift": false, "note": "wrap \"well\""}"#;
    format!(
        "{{\"customer\": 9007199254740993, \"address\": {{\"street\": \"1 High Street\", \"city\": \"Leeds\", \"country\": \"GB\"}}, \
         \"items\": [{}], \"express\": true}}",
        [item; 10].join(", ")
    )
}
