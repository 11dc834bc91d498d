//! The carriers' shipping service: a real HTTP server on loopback that fails in the ways that such services do.
//!
//! `GET /shipments/ORD…` answers by the last digit of the order number:
//!
//! | digit | the first request | later requests |
//! |---|---|---|
//! | 0, 1, 2 | 200 | 200 |
//! | 3 | the connection is cut | 200 |
//! | 4 | 429 with `Retry-After: 1` | 200 |
//! | 5 | 503 | 200 |
//! | 6 | no answer at all | 200 |
//! | 7 | no answer at all | no answer at all |
//! | 8 | 404 | 404 |
//! | 9 | 200 with JSON that breaks off | the same |

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tokio::net::{TcpListener, TcpStream};

use crate::http::{Reply, Request, listen, read_request, write_reply};

const TOWNS: [&str; 5] = ["Rotterdam", "Lyon", "Leipzig", "Porto", "Gdansk"];

type Counts = Arc<Mutex<BTreeMap<String, u32>>>;

/// The running service. It ends with the runtime.
pub(crate) struct ShippingService {
    address: SocketAddr,
    counts: Counts,
}

impl ShippingService {
    pub(crate) async fn start(address: SocketAddr) -> io::Result<Self> {
        let (listener, address) = listen(address).await?;
        let counts = Counts::default();
        tokio::spawn(accept(listener, Arc::clone(&counts)));
        Ok(Self { address, counts })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many requests came for each order, by order number.
    pub(crate) fn requests(&self) -> BTreeMap<String, u32> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What the service does with a request.
enum Behaviour {
    Answer(Reply),
    CutConnection,
    NeverAnswer,
}

async fn accept(listener: TcpListener, counts: Counts) {
    // A connection that failed before it was accepted is no reason to stop serving the others.
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&counts)));
        }
    }
}

async fn serve(mut stream: TcpStream, counts: Counts) {
    let behaviour = match read_request(&mut stream).await {
        Ok(None) => return,
        Ok(Some(request)) => behaviour(&request, &counts),
        Err(refusal) => Behaviour::Answer(refusal),
    };
    match behaviour {
        Behaviour::Answer(reply) => write_reply(&mut stream, &reply).await,
        Behaviour::CutConnection => {
            // Without lingering the client gets a reset instead of an orderly end.
            let _ = stream.set_zero_linger();
        }
        Behaviour::NeverAnswer => {
            // Held open until the client gives up, so that it is the client's time limit that ends the wait.
            while stream.readable().await.is_ok() {
                match stream.try_read(&mut [0; 64]) {
                    Ok(0) => break,
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => break,
                    _ => {}
                }
            }
        }
    }
}

fn behaviour(request: &Request, counts: &Counts) -> Behaviour {
    let Some(order_id) = request.path.strip_prefix("/shipments/").filter(|id| id.starts_with("ORD")) else {
        return Behaviour::Answer(Reply::json(404, json!({"error": "there is nothing here"}).to_string()));
    };
    if request.method != "GET" {
        return Behaviour::Answer(Reply::json(405, json!({"error": "GET only"}).to_string()));
    }
    let seen = {
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(order_id.to_owned()).or_insert(0);
        *count = count.saturating_add(1);
        *count
    };
    let first = seen == 1;
    Behaviour::Answer(match order_id.bytes().next_back() {
        Some(b'3') if first => return Behaviour::CutConnection,
        Some(b'4') if first => {
            Reply::json(429, json!({"error": "too many requests"}).to_string()).header("Retry-After", "1")
        }
        Some(b'5') if first => Reply::json(503, json!({"error": "down for maintenance"}).to_string()),
        Some(b'6') if first => return Behaviour::NeverAnswer,
        Some(b'7') => return Behaviour::NeverAnswer,
        Some(b'8') => Reply::json(404, json!({"error": "no such shipment"}).to_string()),
        Some(b'9') => Reply::json(200, "{\"order_id\": \"ORD"),
        _ => {
            let digits = order_id.bytes().fold(0_usize, |sum, byte| sum + usize::from(byte));
            let town = TOWNS[digits % TOWNS.len()];
            Reply::json(200, json!({"order_id": order_id, "last_seen": town, "days_left": 1 + digits % 4}).to_string())
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::http_client;

    async fn ask(service: &ShippingService, order_id: &str) -> Result<(u16, String), reqwest::Error> {
        let url = format!("http://{}/shipments/{order_id}", service.address());
        let reply = http_client(&url)?.get(url).timeout(Duration::from_millis(200)).send().await?;
        let wait = reply.headers().get("retry-after").map(|value| format!("{value:?}"));
        let status = reply.status().as_u16();
        let body = reply.text().await?;
        Ok((status, wait.unwrap_or(body)))
    }

    #[tokio::test]
    async fn each_last_digit_has_its_behaviour() {
        let service = ShippingService::start(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        let status = |answer: Result<(u16, String), reqwest::Error>| answer.map(|(status, _)| status).ok();
        for digit in [0, 1, 2] {
            let id = format!("ORD1000000{digit}");
            let (status, body) = ask(&service, &id).await.expect("an answer");
            assert_eq!(status, 200);
            assert!(body.contains(&id) && body.contains("last_seen"), "{body}");
        }
        let error = ask(&service, "ORD10000003").await.expect_err("cut");
        assert!(!error.is_timeout(), "{error:?}");
        assert_eq!(status(ask(&service, "ORD10000003").await), Some(200));
        assert_eq!(ask(&service, "ORD10000004").await.expect("an answer"), (429, "\"1\"".to_owned()));
        assert_eq!(status(ask(&service, "ORD10000004").await), Some(200));
        assert_eq!(status(ask(&service, "ORD10000005").await), Some(503));
        assert_eq!(status(ask(&service, "ORD10000005").await), Some(200));
        assert!(ask(&service, "ORD10000006").await.is_err_and(|error| error.is_timeout()));
        assert_eq!(status(ask(&service, "ORD10000006").await), Some(200));
        for _ in 0..2 {
            assert!(ask(&service, "ORD10000007").await.is_err_and(|error| error.is_timeout()));
        }
        assert_eq!(status(ask(&service, "ORD10000008").await), Some(404));
        let (_, body) = ask(&service, "ORD10000009").await.expect("an answer");
        assert!(serde_json::from_str::<serde_json::Value>(&body).is_err());
        assert_eq!(service.requests().get("ORD10000007"), Some(&2));
        assert_eq!(service.requests().get("ORD10000008"), Some(&1));
    }

    #[tokio::test]
    async fn other_paths_are_not_counted() {
        let service = ShippingService::start(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        let reply = ask(&service, "../etc").await.expect("an answer");
        assert_eq!(reply.0, 404);
        assert!(service.requests().is_empty());
    }
}
