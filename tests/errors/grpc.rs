//! tonic against a server on the loopback, whose service is written by hand.

use std::convert::Infallible;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, BufMut as _};
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::codegen::tokio_stream::wrappers::TcpListenerStream;
use tonic::codegen::{BoxFuture, Service, http};
use tonic::metadata::MetadataMap;
use tonic::server::{NamedService, UnaryService};
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Code, Request, Response, Status};
use toolkit::ErrorClass;

use crate::server::{Deed, deserted, serve};
use crate::{class, judge};

/// Bytes as they are.
#[derive(Clone, Copy, Default)]
struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, out: &mut EncodeBuf<'_>) -> Result<(), Status> {
        out.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut item = vec![0; from.remaining()];
        from.copy_to_slice(&mut item);
        Ok(Some(item))
    }
}

/// Answers with the status that the request names: a code, a message, and pairs for the trailer, a line each.
#[derive(Clone)]
struct Shop;

impl NamedService for Shop {
    const NAME: &'static str = "Shop";
}

impl Service<http::Request<Body>> for Shop {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<http::Response<Body>, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async { Ok(tonic::server::Grpc::new(Raw).unary(Self, request).await) })
    }
}

impl UnaryService<Vec<u8>> for Shop {
    type Response = Vec<u8>;
    type Future = BoxFuture<Response<Vec<u8>>, Status>;

    fn call(&mut self, request: Request<Vec<u8>>) -> Self::Future {
        Box::pin(async move {
            let text = String::from_utf8(request.into_inner()).unwrap();
            let mut lines = text.lines();
            let code: i32 = match lines.next() {
                Some("stall") => std::future::pending().await,
                Some("echo") => return Ok(Response::new(vec![b'x'; 5_000_000])),
                line => line.unwrap().parse().unwrap(),
            };
            let message = lines.next().unwrap_or_default();
            let mut metadata = MetadataMap::new();
            for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
                metadata
                    .insert(tonic::metadata::MetadataKey::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
            }
            Err(Status::with_metadata(Code::from(code), message, metadata))
        })
    }
}

async fn shop(server: Server) -> Endpoint {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut server = server;
    tokio::spawn(server.add_service(Shop).serve_with_incoming(TcpListenerStream::new(listener)));
    Channel::from_shared(format!("http://{address}")).unwrap()
}

async fn ask(endpoint: &Endpoint, question: &str) -> Result<Vec<u8>, Status> {
    let mut client = tonic::client::Grpc::new(endpoint.connect_lazy());
    client.ready().await.map_err(|error| Status::from_error(error.into()))?;
    let path = PathAndQuery::from_static("/Shop/Ask");
    let answer = client.unary(Request::new(question.as_bytes().to_vec()), path, Raw).await?;
    Ok(answer.into_inner())
}

#[tokio::test]
async fn every_code_has_its_class() {
    let shop = shop(Server::builder()).await;
    for (code, expected) in [
        (Code::Cancelled, ErrorClass::Unknown),
        (Code::Unknown, ErrorClass::Unknown),
        (Code::InvalidArgument, ErrorClass::InvalidArgument),
        (Code::DeadlineExceeded, ErrorClass::Timeout),
        (Code::NotFound, ErrorClass::NotFound),
        (Code::AlreadyExists, ErrorClass::Conflict),
        (Code::PermissionDenied, ErrorClass::PermissionDenied),
        (Code::ResourceExhausted, ErrorClass::RateLimit),
        (Code::FailedPrecondition, ErrorClass::Conflict),
        (Code::Aborted, ErrorClass::Conflict),
        (Code::OutOfRange, ErrorClass::InvalidArgument),
        (Code::Unimplemented, ErrorClass::InvalidArgument),
        (Code::Internal, ErrorClass::Internal),
        (Code::Unavailable, ErrorClass::ServiceUnavailable),
        (Code::DataLoss, ErrorClass::Internal),
        (Code::Unauthenticated, ErrorClass::PermissionDenied),
    ] {
        // Words that say something else count for nothing.
        let status = ask(&shop, &format!("{}\nHTTP 503: connection refused", code as i32)).await.unwrap_err();
        assert_eq!(status.code(), code);
        assert_eq!(class(&status), expected, "{status:?}");
        assert_eq!(class(&std::io::Error::other(status)), expected, "{code:?} inside an I/O error");
    }
}

#[tokio::test]
async fn a_message_that_is_too_large_is_no_limit_that_passes() {
    let shop = shop(Server::builder()).await;
    let said = "8\ngrpc: received message larger than max (5000000 vs. 4194304)";
    assert_eq!(class(&ask(&shop, said).await.unwrap_err()), ErrorClass::InvalidArgument);
    let status = ask(&shop, "echo").await.unwrap_err();
    assert_eq!(class(&status), ErrorClass::InvalidArgument, "{status:?}");
}

#[tokio::test]
async fn the_wait_that_a_service_asks_for() {
    let shop = shop(Server::builder()).await;
    for (trailer, expected) in [
        ("grpc-retry-pushback-ms: 1500", Some(Duration::from_millis(1500))),
        ("retry-after: 7", Some(Duration::from_secs(7))),
        ("grpc-retry-pushback-ms: -1", None),
        ("retry-after: soon", None),
        ("other: 7", None),
    ] {
        let status = ask(&shop, &format!("14\nbusy\n{trailer}")).await.unwrap_err();
        let judged = judge(&status);
        assert_eq!(judged.class(), ErrorClass::ServiceUnavailable);
        assert_eq!(judged.retry_after_hint(), expected, "{trailer}");
    }
}

#[tokio::test]
async fn time_limits_of_both_sides() {
    let short = Duration::from_millis(200);
    let ours = shop(Server::builder()).await.timeout(short);
    let status = ask(&ours, "stall").await.unwrap_err();
    assert_eq!(status.code(), Code::Cancelled);
    assert!(std::error::Error::source(&status).is_some());
    assert_eq!(class(&status), ErrorClass::Timeout, "{status:?}");

    let theirs = shop(Server::builder().timeout(short)).await;
    let status = ask(&theirs, "stall").await.unwrap_err();
    assert!(std::error::Error::source(&status).is_none());
    assert_eq!(class(&status), ErrorClass::Timeout, "{status:?}");
}

#[tokio::test]
async fn connections_that_fail() {
    let nobody = Channel::from_shared(format!("http://{}", deserted())).unwrap();
    assert_eq!(class(&nobody.connect().await.unwrap_err()), ErrorClass::Network);
    let status = ask(&nobody, "5").await.unwrap_err();
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(class(&status), ErrorClass::Network, "what is behind it is closer: {status:?}");

    for deed in [Deed::Reset, Deed::Send("HTTP/1.1 400 Bad Request\r\n\r\n".to_owned())] {
        let other = Channel::from_shared(serve([deed]).await).unwrap();
        let status = ask(&other, "5").await.unwrap_err();
        assert_eq!(class(&status), ErrorClass::Network, "{status:?}");
    }
}
