//! What the agent can do: five tools over the shop, the shipping service and the outbox.

use std::time::{Duration, SystemTime};

use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use toolkit::{Classify, RetryAfter, tool};

use crate::mail::{Outbox, SendError, SentMail};
use crate::orders_file::is_date;
use crate::shop::{Change, Order, Shop};

/// How long the shipping service may take. It is shorter than the tool's own limit, so that it is the tool that says
/// what was slow.
const ANSWER_LIMIT: Duration = Duration::from_millis(300);

/// How the tools reach the shipping service.
pub(crate) struct ShippingClient {
    pub(crate) http: reqwest::Client,
    pub(crate) base_url: String,
}

/// What goes wrong with the shop's own orders.
#[derive(Debug, thiserror::Error, Classify)]
pub(crate) enum ShopError {
    #[error("there is no order {0}")]
    #[class(not_found)]
    NoSuchOrder(String),
    #[error("`{0}` is not a day of the calendar; write it as 2026-03-31")]
    #[class(invalid_argument)]
    NotADay(String),
    #[error("the order is {status} already, which is too late for this")]
    #[class(conflict)]
    TooLate { status: String },
    #[error("the order database failed")]
    #[class(internal, hidden)]
    Database(#[from] rusqlite::Error),
}

/// What goes wrong on the way to the shipping service and back.
#[derive(Debug, thiserror::Error, Classify)]
pub(crate) enum ShippingError {
    #[error("the shipping service did not answer in time")]
    #[class(timeout)]
    Timeout,
    #[error("the connection to the shipping service broke")]
    #[class(network)]
    Connection(#[source] reqwest::Error),
    #[error("the shipping service takes no more requests just now")]
    #[class(rate_limit, retry_after = wait, no_effect)]
    Throttled { wait: Option<Duration> },
    #[error("the shipping service is down for the moment")]
    #[class(service_unavailable)]
    Down,
    #[error("the shipping service knows no shipment for {0}")]
    #[class(not_found)]
    NoShipment(String),
    #[error("the shipping service answered with status {0}")]
    #[class(internal, hidden)]
    Unexpected(StatusCode),
    #[error("the shipping service sent what cannot be read")]
    #[class(internal, hidden)]
    Garbage(#[source] serde_json::Error),
    #[error(transparent)]
    #[class(delegate)]
    Shop(#[from] ShopError),
}

impl From<reqwest::Error> for ShippingError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() { Self::Timeout } else { Self::Connection(error.without_url()) }
    }
}

/// What goes wrong with a mail.
#[derive(Debug, thiserror::Error, Classify)]
pub(crate) enum MailError {
    #[error("`{0}` is not an e-mail address")]
    #[class(invalid_argument)]
    Address(String),
    #[error("the mail could not be written")]
    #[class(internal, hidden)]
    Outbox(#[source] SendError),
}

impl From<SendError> for MailError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Address(address) => Self::Address(address),
            other => Self::Outbox(other),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct FoundOrders {
    orders: Vec<Order>,
}

/// Finds the orders of one customer, the newest first.
#[tool(category = Read)]
pub(crate) fn find_orders(
    /// The customer's e-mail address.
    #[arg(example = "ann@example.com")]
    email: String,
    /// At most so many orders.
    #[arg(default = 10)]
    limit: u32,
    #[state] shop: &Shop,
) -> Result<FoundOrders, ShopError> {
    Ok(FoundOrders { orders: shop.orders_of(&email, limit)? })
}

#[derive(Serialize)]
pub(crate) struct OrderStatus {
    order_id: String,
    item: String,
    status: String,
    deliver_on: String,
    carrier: Option<String>,
    shipping_number: Option<String>,
    last_seen: Option<String>,
    days_left: Option<u32>,
}

/// As the shipping service sends it.
#[derive(Deserialize)]
struct Shipment {
    last_seen: String,
    days_left: u32,
}

/// Looks up the status of one order, and where its parcel was seen last.
#[tool(category = Read, max_retries = 2, timeout = "400ms")]
pub(crate) async fn check_order_status(
    /// The order number.
    #[arg(example = "ORD12345678")]
    order_id: String,
    #[state] shop: &Shop,
    #[state] shipping: &ShippingClient,
) -> Result<OrderStatus, ShippingError> {
    let order = shop.order(&order_id).map_err(ShopError::from)?.ok_or(ShopError::NoSuchOrder(order_id))?;
    // What no carrier has yet, no carrier can be asked about.
    let shipment = if order.carrier.is_some() { Some(shipment(shipping, &order.order_id).await?) } else { None };
    let (last_seen, days_left) = shipment.map(|shipment| (shipment.last_seen, shipment.days_left)).unzip();
    let Order { order_id, item, status, deliver_on, carrier, shipping_number, .. } = order;
    Ok(OrderStatus { order_id, item, status, deliver_on, carrier, shipping_number, last_seen, days_left })
}

async fn shipment(shipping: &ShippingClient, order_id: &str) -> Result<Shipment, ShippingError> {
    let url = format!("{}/shipments/{order_id}", shipping.base_url);
    let reply = shipping.http.get(url).timeout(ANSWER_LIMIT).send().await?;
    match reply.status() {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND => return Err(ShippingError::NoShipment(order_id.to_owned())),
        StatusCode::SERVICE_UNAVAILABLE => return Err(ShippingError::Down),
        StatusCode::TOO_MANY_REQUESTS => {
            let wait = RetryAfter::from_headers(reply.headers(), SystemTime::now());
            return Err(ShippingError::Throttled { wait });
        }
        other => return Err(ShippingError::Unexpected(other)),
    }
    serde_json::from_slice(&reply.bytes().await?).map_err(ShippingError::Garbage)
}

#[derive(Serialize)]
pub(crate) struct Delivery {
    order_id: String,
    deliver_on: String,
}

/// Changes the day on which an order is delivered.
#[tool(category = Write)]
pub(crate) fn change_delivery_date(
    /// The order number.
    #[arg(example = "ORD12345678")]
    order_id: String,
    /// The new day.
    #[arg(example = "2026-03-31")]
    deliver_on: String,
    #[state] shop: &Shop,
) -> Result<Delivery, ShopError> {
    if !is_date(&deliver_on) {
        return Err(ShopError::NotADay(deliver_on));
    }
    let change = shop.change_delivery_date(&order_id, &deliver_on)?;
    let order_id = done(change, order_id)?;
    Ok(Delivery { order_id, deliver_on })
}

#[derive(Serialize)]
pub(crate) struct Cancelled {
    cancelled: String,
}

/// Cancels an order for good.
#[tool(category = Dangerous)]
pub(crate) fn cancel_order(
    /// The order number.
    #[arg(example = "ORD12345678")]
    order_id: String,
    #[state] shop: &Shop,
) -> Result<Cancelled, ShopError> {
    let change = shop.cancel(&order_id)?;
    Ok(Cancelled { cancelled: done(change, order_id)? })
}

fn done(change: Change, order_id: String) -> Result<String, ShopError> {
    match change {
        Change::Done => Ok(order_id),
        Change::NoSuchOrder => Err(ShopError::NoSuchOrder(order_id)),
        Change::TooLate { status } => Err(ShopError::TooLate { status }),
    }
}

/// Sends an e-mail to a customer.
#[tool(category = Communicate, max_retries = 0, idempotent = false, timeout = "500ms")]
pub(crate) async fn send_email(
    /// The address.
    #[arg(example = "ann@example.com")]
    to: String,
    /// The subject.
    subject: String,
    /// The text, without markup.
    body: String,
    #[state] outbox: &Outbox,
) -> Result<SentMail, MailError> {
    Ok(outbox.send(&to, &subject, &body).await?)
}
