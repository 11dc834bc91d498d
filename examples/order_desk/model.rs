//! The client side of the model: Chat Completions over HTTP, the same for a real model and for the scripted one.

use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::{Client, ClientBuilder, Url};
use serde_json::Value;
use toolkit::{ErrorClass, Model, ToolError};

const VARIABLES: [&str; 3] = ["OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"];
/// A model may think for a while; one that says nothing for this long is gone.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);

/// Where a model answers, and what to send along.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) base_url: String,
    pub(crate) api_key: String,
    pub(crate) model: String,
}

impl Endpoint {
    /// Reads the three variables. None of them set: `None`. Some set and some not: an error that names those missing.
    pub(crate) fn from_variables(lookup: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let given = VARIABLES.map(|name| lookup(name).filter(|value| !value.trim().is_empty()));
        let missing: Vec<_> =
            VARIABLES.iter().zip(&given).filter(|(_, value)| value.is_none()).map(|(name, _)| *name).collect();
        match given {
            [Some(base_url), Some(api_key), Some(model)] => Ok(Some(Self { base_url, api_key, model })),
            _ if missing.len() == VARIABLES.len() => Ok(None),
            _ => Err(format!("{} not set, while {} {} together", join(&missing), VARIABLES.join(", "), "belong")),
        }
    }
}

fn join(names: &[&str]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.join(" and "))
}

pub(crate) struct ChatClient {
    http: Client,
    url: Url,
    host: String,
    authorization: HeaderValue,
    model: String,
}

impl ChatClient {
    pub(crate) fn new(endpoint: &Endpoint) -> Result<Self, String> {
        let mut url = Url::parse(endpoint.base_url.trim())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or("OPENAI_BASE_URL is not an http or https address")?;
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["chat", "completions"]);
        }
        let mut authorization = HeaderValue::try_from(format!("Bearer {}", endpoint.api_key.trim()))
            .map_err(|_| "OPENAI_API_KEY holds a character that cannot be sent in a header")?;
        authorization.set_sensitive(true);
        let http = http_client(url.as_str()).map_err(|error| format!("no HTTP client: {}", innermost(&error)))?;
        let host = url.host_str().unwrap_or_default();
        let host = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self { http, host, url, authorization, model: endpoint.model.clone() })
    }

    pub(crate) fn model(&self) -> &str {
        &self.model
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    fn unreachable(&self, error: reqwest::Error) -> ToolError {
        let class = if error.is_timeout() && !error.is_connect() { ErrorClass::Timeout } else { ErrorClass::Network };
        let error = error.without_url();
        let message = format!("the model at {} cannot be reached: {}", self.host, innermost(&error));
        ToolError::new(class, message).source(error)
    }
}

impl Model for ChatClient {
    async fn send(&self, body: &Value) -> Result<Value, ToolError> {
        let request = self
            .http
            .post(self.url.clone())
            .header("authorization", self.authorization.clone())
            .timeout(ANSWER_LIMIT)
            .json(body);
        let reply = request.send().await.map_err(|error| self.unreachable(error))?;
        let (status, headers) = (reply.status(), reply.headers().clone());
        let body = reply.bytes().await.map_err(|error| self.unreachable(error))?;
        if !status.is_success() {
            // The class, and the wait that the service asks for.
            let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
            let error = ToolError::from_http(status.as_u16(), headers, Some(&body));
            let message = format!(
                "the model at {} refused the request with status {}: {}",
                self.host,
                status.as_u16(),
                error.message()
            );
            return Err(ToolError::new(error.class(), message).retry_after(error.retry_after_hint()));
        }
        serde_json::from_slice(&body).map_err(|source| {
            let message = format!("the model at {} did not answer with JSON", self.host);
            ToolError::new(ErrorClass::Internal, message).source(source)
        })
    }
}

/// An HTTP client for addresses that begin like this one.
///
/// Plain HTTP stays away from proxies and from the system's certificates: both would only get between this process and
/// its own loopback services, and a system without certificates is no reason to fail there.
pub(crate) fn http_client(url: &str) -> reqwest::Result<Client> {
    // Err: it is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client: ClientBuilder = Client::builder().user_agent("order-desk");
    if url.starts_with("https://") { client.build() } else { client.no_proxy().tls_certs_only([]).build() }
}

/// The cause at the end of the chain, which says more than "error sending request".
fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(values: [Option<&str>; 3]) -> Result<Option<Endpoint>, String> {
        Endpoint::from_variables(|name| {
            let place = VARIABLES.iter().position(|variable| *variable == name)?;
            values[place].map(str::to_owned)
        })
    }

    #[test]
    fn all_three_variables_or_none() {
        assert!(from([None; 3]).is_ok_and(|endpoint| endpoint.is_none()));
        assert!(from([Some(""), None, Some(" ")]).is_ok_and(|endpoint| endpoint.is_none()));
        assert!(from([Some("http://h/v1"), Some("k"), Some("m")]).is_ok_and(|endpoint| endpoint.is_some()));
        let error = from([Some("http://h/v1"), None, Some("m")]).err().expect("one is missing");
        assert!(error.starts_with("OPENAI_API_KEY is not set"), "{error}");
        let error = from([None, Some("k"), Some("")]).err().expect("two are missing");
        assert!(error.starts_with("OPENAI_BASE_URL and OPENAI_MODEL are not set"), "{error}");
    }

    fn client(base_url: &str, api_key: &str) -> Result<ChatClient, String> {
        ChatClient::new(&Endpoint { base_url: base_url.into(), api_key: api_key.into(), model: "m".into() })
    }

    #[test]
    fn a_bad_address_or_key_is_one_clear_line() {
        for base_url in ["api.example.com/v1", "ftp://h", "http://", "  "] {
            assert!(client(base_url, "k").err().is_some_and(|line| line.contains("OPENAI_BASE_URL")), "{base_url}");
        }
        let line = client("http://127.0.0.1/v1", "sk-\u{7}secret").err().expect("a bell in the key");
        assert!(line.contains("OPENAI_API_KEY") && !line.contains("secret"), "{line}");
        assert!(
            client("https://api.example.com/v1/", "k").is_ok_and(|client| client.url.path() == "/v1/chat/completions")
        );
    }

    #[tokio::test]
    async fn what_cannot_be_reached_is_said_without_the_key() {
        let client = client("http://127.0.0.1:1/v1", "sk-secret").expect("a client");
        let error = client.send(&Value::Null).await.expect_err("nothing listens there").to_string();
        assert!(error.contains("127.0.0.1:1") && !error.contains("sk-secret") && !error.contains('\n'), "{error}");
    }
}
