//! As much of an HTTP/1.1 server as two loopback services need: one request per connection, bodies of a known length.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const MAX_HEAD: usize = 16 * 1024;
const MAX_BODY: usize = 8 * 1024 * 1024;

pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(status: u16, body: impl Into<String>) -> Self {
        Self { status, headers: Vec::new(), body: body.into() }
    }

    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// Binds the address; an error names it, because "address in use" alone does not help.
pub(crate) async fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"));
    let listener = TcpListener::bind(address).await.map_err(named)?;
    let bound = listener.local_addr().map_err(named)?;
    Ok((listener, bound))
}

/// Reads one request. `None`: the other side connected and left, or sent what is not a request; such a connection is
/// closed after the reply that stands in the error.
pub(crate) async fn read_request(stream: &mut TcpStream) -> Result<Option<Request>, Reply> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(end) = find(&bytes, b"\r\n\r\n") {
            break end;
        }
        if bytes.len() > MAX_HEAD {
            return Err(refusal(431, "the request's head is too long"));
        }
        if !read_some(stream, &mut bytes).await {
            return Ok(None);
        }
    };
    let mut request = parse_head(&bytes[..head_end]).map_err(|why| refusal(400, why))?;
    if request.header("transfer-encoding").is_some() {
        return Err(refusal(411, "this server reads bodies of a known length only"));
    }
    let length = match request.header("content-length") {
        None => 0,
        Some(text) => text.parse().map_err(|_| refusal(400, "Content-Length is not a number"))?,
    };
    if length > MAX_BODY {
        return Err(refusal(413, "the request's body is too long"));
    }
    bytes.drain(..head_end + 4);
    while bytes.len() < length {
        if !read_some(stream, &mut bytes).await {
            return Ok(None);
        }
    }
    bytes.truncate(length);
    request.body = bytes;
    Ok(Some(request))
}

/// Writes the reply and ends the connection. A client that is gone already is its own affair.
pub(crate) async fn write_reply(stream: &mut TcpStream, reply: &Reply) {
    let mut text = format!("HTTP/1.1 {} {}\r\n", reply.status, reason(reply.status));
    for (name, value) in &reply.headers {
        text.extend([name, ": ", value, "\r\n"]);
    }
    let length = reply.body.len().to_string();
    text.extend(["Content-Type: application/json\r\nConnection: close\r\nContent-Length: ", &length, "\r\n\r\n"]);
    text.push_str(&reply.body);
    if stream.write_all(text.as_bytes()).await.is_ok() {
        let _ = stream.shutdown().await;
    }
}

async fn read_some(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> bool {
    stream.read_buf(bytes).await.is_ok_and(|count| count > 0)
}

fn parse_head(head: &[u8]) -> Result<Request, &'static str> {
    let text = std::str::from_utf8(head).map_err(|_| "the request's head is not text")?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(path), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err("the first line is not that of an HTTP/1 request");
    };
    let mut headers = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or("a header has no colon")?;
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    Ok(Request { method: method.to_owned(), path: path.to_owned(), headers, body: Vec::new() })
}

fn refusal(status: u16, why: &str) -> Reply {
    Reply::json(status, serde_json::json!({ "error": why }).to_string())
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        405 => "Method Not Allowed",
        411 => "Length Required",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn send(bytes: &[u8]) -> Result<Option<Request>, Reply> {
        let (listener, address) = listen(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        let mut client = TcpStream::connect(address).await.expect("the listener is there");
        let (mut server, _) = listener.accept().await.expect("the client is there");
        for part in bytes.chunks(7) {
            client.write_all(part).await.expect("loopback takes it");
        }
        client.shutdown().await.expect("loopback takes it");
        read_request(&mut server).await
    }

    #[tokio::test]
    async fn reads_a_request_that_comes_in_pieces() {
        let request = send(b"POST /a HTTP/1.1\r\nHost: x\r\ncontent-length: 4\r\n\r\nbodyrest").await;
        let request = request.ok().flatten().expect("a request");
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/a"));
        assert_eq!(request.header("HOST"), Some("x"));
        assert_eq!(request.body, b"body");
    }

    #[tokio::test]
    async fn refuses_what_is_no_request_and_never_panics() {
        for (bytes, status) in [
            (&b"hello\r\n\r\n"[..], 400),
            (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
            (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        ] {
            assert_eq!(send(bytes).await.err().map(|reply| reply.status), Some(status), "{bytes:?}");
        }
        assert!(send(b"GET / HT").await.is_ok_and(|request| request.is_none()));
        assert!(send(b"").await.is_ok_and(|request| request.is_none()));
    }

    #[tokio::test]
    async fn an_address_in_use_is_named() {
        let (_taken, address) = listen(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        let error = listen(address).await.expect_err("it is taken").to_string();
        assert!(error.contains(&address.to_string()), "{error}");
    }
}
