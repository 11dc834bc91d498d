//! reqwest against a server that refuses, resets, stalls, cuts and answers.

use std::net::ToSocketAddrs as _;
use std::sync::{Arc, Once};
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Client, ClientBuilder};
use toolkit::{ErrorClass, Executor, Registry, StopReason, ToolCall, ToolError, tool};

use crate::server::{Deed, Full, deserted, serve};
use crate::{class, judge};

const SHORT: Duration = Duration::from_millis(200);

/// A client that goes straight to the loopback. Where another package of the build asked for TLS, a client needs to be
/// told whose, even one that never uses it.
fn builder() -> ClientBuilder {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| rustls::crypto::ring::default_provider().install_default().unwrap());
    Client::builder().no_proxy()
}

fn client() -> Client {
    builder().timeout(Duration::from_secs(20)).build().unwrap()
}

async fn fetch(client: &Client, url: &str) -> Result<String, reqwest::Error> {
    client.get(url).send().await?.error_for_status()?.text().await
}

async fn failure(deed: Deed) -> reqwest::Error {
    let url = serve([deed]).await;
    fetch(&client(), &url).await.unwrap_err()
}

#[tokio::test]
async fn a_port_where_nobody_listens() {
    let error = fetch(&client(), &format!("http://{}/", deserted())).await.unwrap_err();
    assert!(error.is_connect());
    let judged = judge(&error);
    assert_eq!(judged.class(), ErrorClass::Network);
    assert!(!judged.has_no_effect() && !judged.is_stated() && !judged.is_hidden());
}

/// Asks the system for a name that nobody can have.
struct Unnamed;

impl Resolve for Unnamed {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Ok(Box::new(("..", 80).to_socket_addrs()?) as Addrs) })
    }
}

#[tokio::test]
async fn a_host_that_nobody_knows() {
    let client = builder().dns_resolver(Arc::new(Unnamed)).build().unwrap();
    let error = fetch(&client, "http://shop.invalid/").await.unwrap_err();
    assert!(error.is_connect());
    let judged = judge(&error);
    assert_eq!(judged.class(), ErrorClass::Network, "{error:?}");
    assert!(judged.message().contains("dns error"), "{judged}");
}

#[tokio::test]
async fn a_connection_that_takes_too_long() {
    let full = Full::new().await;
    let client = builder().connect_timeout(SHORT).build().unwrap();
    let error = fetch(&client, &format!("http://{}/", full.address)).await.unwrap_err();
    assert!(error.is_connect() && error.is_timeout(), "{error:?}");
    assert_eq!(class(&error), ErrorClass::Network, "nothing was sent yet");
}

#[tokio::test]
async fn a_connection_that_is_reset() {
    let error = failure(Deed::Reset).await;
    assert!(!error.is_connect());
    assert_eq!(class(&error), ErrorClass::Network, "{error:?}");
}

#[tokio::test]
async fn a_connection_that_is_closed_without_an_answer() {
    let error = failure(Deed::Close).await;
    assert!(error.is_request());
    assert_eq!(class(&error), ErrorClass::Network, "{error:?}");
}

#[tokio::test]
async fn a_server_that_stalls() {
    let client = builder().timeout(SHORT).build().unwrap();
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n".to_owned();
    for deed in [Deed::Stall, Deed::SendAndStall(head.clone()), Deed::SendAndStall(head + "some of it")] {
        let error = fetch(&client, &serve([deed]).await).await.unwrap_err();
        assert!(error.is_timeout(), "{error:?}");
        assert_eq!(class(&error), ErrorClass::Timeout, "{error:?}");
    }
    let patient = builder().read_timeout(SHORT).build().unwrap();
    let error = fetch(&patient, &serve([Deed::Stall]).await).await.unwrap_err();
    assert_eq!(class(&error), ErrorClass::Timeout, "{error:?}");
}

#[tokio::test]
async fn a_body_that_is_cut() {
    let counted = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthe first half";
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nthe first half";
    for text in [counted, chunked] {
        let error = failure(Deed::Send(text.to_owned())).await;
        assert!(error.is_decode(), "that is how reqwest tells it: {error:?}");
        assert_eq!(class(&error), ErrorClass::Network, "{error:?}");
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read() {
    let url = serve([Deed::status(200, "", "<html>")]).await;
    let error = client().get(url).send().await.unwrap().json::<u8>().await.unwrap_err();
    let judged = judge(&error);
    assert_eq!(judged.class(), ErrorClass::Internal, "the request ran");
    assert!(judged.is_hidden());

    let error = failure(Deed::Send("this is no HTTP\r\n\r\n".to_owned())).await;
    assert_eq!(class(&error), ErrorClass::Internal, "{error:?}");
}

#[tokio::test]
async fn every_status_has_its_class() {
    let client = client();
    for status in (400..=599).filter(|status| status % 7 == 0).chain([408, 425, 429, 502, 503, 504, 529, 404, 401, 409])
    {
        let url = serve([Deed::status(status, "", "")]).await;
        let error = fetch(&client, &url).await.unwrap_err();
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        let expected = ToolError::from_http(status, [("x", "y")], None).class();
        assert_eq!(class(&error), expected, "{status}");
    }
}

#[tokio::test]
async fn a_request_that_cannot_be_made() {
    let client = client();
    let error = fetch(&client, "/orders/7").await.unwrap_err();
    assert!(error.is_builder());
    assert_eq!(class(&error), ErrorClass::InvalidArgument);

    let round = serve([Deed::status(302, "location: /again\r\n", "")]).await;
    let error = fetch(&client, &round).await.unwrap_err();
    assert!(error.is_redirect());
    assert_eq!(class(&error), ErrorClass::InvalidArgument);
}

#[tokio::test]
async fn no_secret_of_an_address_is_told() {
    let url = format!("http://ann:hunter22@{}/v1?api_key=k3y-f0r-n0b0dy&page=2", deserted());
    let error = fetch(&client(), &url).await.unwrap_err();
    assert!(error.to_string().contains("k3y-f0r-n0b0dy"), "reqwest tells it: {error}");
    let refused = judge(&error);
    let url = serve([Deed::status(503, "", "")]).await;
    let error = fetch(&client(), &format!("{url}?api_key=k3y-f0r-n0b0dy&page=2")).await.unwrap_err();
    let answered = judge(&error);
    assert_eq!(answered.class(), ErrorClass::ServiceUnavailable);
    for judged in [refused, answered.clone()] {
        let told = format!("{judged} {judged:?} {}", serde_json::to_string(&judged).unwrap());
        assert!(!told.contains("k3y-f0r-n0b0dy") && !told.contains("hunter22"), "{told}");
    }
    assert!(answered.message().contains("page=2"), "{answered}");
}

#[tokio::test]
async fn an_answer_that_was_handed_over() {
    let body = r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#;
    let quota = Deed::status(429, "retry-after: 1\r\n", body);
    let limit = Deed::status(429, "Retry-After: 7\r\nretry-after-ms: 6500\r\n", "");
    let url = serve([quota, limit]).await;
    let mut judged = Vec::new();
    for _ in 0..2 {
        let response = client().get(&url).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.unwrap();
        judged.push(ToolError::from_http(status, &headers, Some(&body)));
    }
    assert_eq!(judged[0].class(), ErrorClass::PermissionDenied);
    assert_eq!(judged[0].message(), "You exceeded your current quota");
    assert_eq!(judged[1].class(), ErrorClass::RateLimit);
    assert_eq!(judged[1].retry_after_hint(), Some(Duration::from_millis(6500)));
}

/// Fetches a page.
#[tool(category = Read)]
async fn fetch_page(url: String) -> Result<String, reqwest::Error> {
    fetch(&client(), &url).await
}

#[tokio::test]
async fn a_tool_that_returns_what_reqwest_says() {
    let registry = Registry::builder().tool::<fetch_page>().build().unwrap();
    let executor = Executor::builder(registry).build().unwrap();
    let call = |url: &str| ToolCall::new("fetch_page", serde_json::json!({ "url": url }).to_string());

    let url = serve([Deed::Close, Deed::status(200, "", "page 2")]).await;
    let result = executor.call(call(&url)).await;
    assert_eq!((result.text(), result.attempts().len()), ("page 2", 2));

    let url = serve([Deed::status(404, "", ""), Deed::status(200, "", "page 2")]).await;
    let result = executor.call(call(&url)).await;
    assert_eq!(result.stop(), Some(StopReason::Permanent));
    assert_eq!(result.attempts().len(), 1);
}
