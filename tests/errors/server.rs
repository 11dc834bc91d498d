//! An HTTP server on the loopback that misbehaves as it is told.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// What the server does with one connection.
#[derive(Clone)]
pub(crate) enum Deed {
    /// Closes the connection with the request unread, which resets it.
    Reset,
    /// Reads the request and says nothing more.
    Stall,
    /// Reads the request and closes the connection in good order.
    Close,
    /// Sends this and closes the connection.
    Send(String),
    /// Sends this and leaves the connection open.
    SendAndStall(String),
}

impl Deed {
    pub(crate) fn status(status: u16, headers: &str, body: &str) -> Self {
        let length = body.len();
        Self::Send(format!(
            "HTTP/1.1 {status} Whatever\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n{body}"
        ))
    }
}

/// Serves these deeds, one connection each, and the last one for all that follow. Gives the address of its root.
pub(crate) async fn serve(deeds: impl IntoIterator<Item = Deed>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut deeds: Vec<Deed> = deeds.into_iter().collect();
    deeds.reverse();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let deed = if deeds.len() > 1 { deeds.pop() } else { deeds.last().cloned() };
            tokio::spawn(answer(stream, deed.unwrap()));
        }
    });
    format!("http://{address}/")
}

async fn answer(mut stream: TcpStream, deed: Deed) {
    if let Deed::Reset = deed {
        stream.readable().await.unwrap();
        return;
    }
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        if stream.read_buf(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    match deed {
        Deed::Reset | Deed::Close => {}
        Deed::Stall => std::future::pending().await,
        Deed::Send(text) => {
            stream.write_all(text.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        }
        Deed::SendAndStall(text) => {
            stream.write_all(text.as_bytes()).await.unwrap();
            std::future::pending::<()>().await;
        }
    }
}

/// A port where nobody listens.
pub(crate) fn deserted() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// A port whose queue is full, so that a new connection is neither taken nor refused.
pub(crate) struct Full {
    pub(crate) address: SocketAddr,
    _queue: (TcpListener, Vec<TcpStream>),
}

impl Full {
    pub(crate) async fn new() -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = socket.listen(1).unwrap();
        let address = listener.local_addr().unwrap();
        let mut taken = Vec::new();
        while let Ok(stream) = tokio::time::timeout(Duration::from_millis(200), TcpStream::connect(address)).await {
            taken.push(stream.unwrap());
        }
        Self { address, _queue: (listener, taken) }
    }
}
