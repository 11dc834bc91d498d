//! As small an HTTP client as there can be, for models on this machine.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use toolkit::{ErrorClass, Model, ResultExt, ToolError};

/// A model that answers at this address.
pub(super) struct Client {
    pub(super) address: String,
    pub(super) path: &'static str,
}

impl Client {
    async fn exchange(&self, body: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(&self.address).await?;
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: model\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.path,
            body.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body).await?;
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).await?;
        Ok(reply)
    }
}

impl Model for Client {
    async fn send(&self, body: &Value) -> Result<Value, ToolError> {
        let reply = self.exchange(body.to_string().as_bytes()).await.class(ErrorClass::Network)?;
        let reply = String::from_utf8(reply).class(ErrorClass::Internal)?;
        let (head, body) = reply.split_once("\r\n\r\n").unwrap_or_default();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        if status != 200 {
            let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
            return Err(ToolError::from_http(status, headers, Some(body.as_bytes())));
        }
        serde_json::from_str(body).class(ErrorClass::Internal)
    }
}
