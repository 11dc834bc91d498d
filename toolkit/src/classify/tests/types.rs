//! Types of std, tokio and `serde_json`, alone and inside others.

use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use super::super::chain::MAX_LINKS;
use super::*;

#[test]
fn every_kind_of_io_failure_has_its_class() {
    use ErrorClass::{
        Conflict, Internal, InvalidArgument, Network, NotFound, PermissionDenied, ServiceUnavailable, Timeout, Unknown,
    };
    let expected = [
        (ErrorKind::TimedOut, Timeout),
        (ErrorKind::ConnectionRefused, Network),
        (ErrorKind::ConnectionReset, Network),
        (ErrorKind::ConnectionAborted, Network),
        (ErrorKind::NotConnected, Network),
        (ErrorKind::AddrInUse, Network),
        (ErrorKind::AddrNotAvailable, Network),
        (ErrorKind::BrokenPipe, Network),
        (ErrorKind::UnexpectedEof, Network),
        (ErrorKind::HostUnreachable, Network),
        (ErrorKind::NetworkUnreachable, Network),
        (ErrorKind::NetworkDown, Network),
        (ErrorKind::Interrupted, ServiceUnavailable),
        (ErrorKind::WouldBlock, ServiceUnavailable),
        (ErrorKind::ResourceBusy, ServiceUnavailable),
        (ErrorKind::NotFound, NotFound),
        (ErrorKind::PermissionDenied, PermissionDenied),
        (ErrorKind::ReadOnlyFilesystem, PermissionDenied),
        (ErrorKind::AlreadyExists, Conflict),
        (ErrorKind::DirectoryNotEmpty, Conflict),
        (ErrorKind::StaleNetworkFileHandle, Conflict),
        (ErrorKind::InvalidInput, InvalidArgument),
        (ErrorKind::InvalidFilename, InvalidArgument),
        (ErrorKind::NotADirectory, InvalidArgument),
        (ErrorKind::IsADirectory, InvalidArgument),
        (ErrorKind::ArgumentListTooLong, InvalidArgument),
        (ErrorKind::Unsupported, InvalidArgument),
        (ErrorKind::InvalidData, Internal),
        (ErrorKind::WriteZero, Internal),
        (ErrorKind::OutOfMemory, Internal),
        (ErrorKind::StorageFull, Internal),
        (ErrorKind::QuotaExceeded, Internal),
        (ErrorKind::FileTooLarge, Internal),
        (ErrorKind::Deadlock, Internal),
        (ErrorKind::Other, Unknown),
    ];
    for (kind, expected) in expected {
        assert_eq!(class(&io::Error::new(kind, "x")), expected, "{kind:?} with a text");
        assert_eq!(class(&io::Error::new(kind, Layer::new("x"))), expected, "{kind:?} with an error");
    }
}

#[test]
fn a_type_speaks_before_its_text() {
    assert_eq!(class(&io::Error::new(ErrorKind::NotFound, "HTTP 503 Service Unavailable")), ErrorClass::NotFound);
    assert_eq!(class(&io::Error::new(ErrorKind::TimedOut, "no such order")), ErrorClass::Timeout);
    assert_eq!(class(&io::Error::new(ErrorKind::TimedOut, "接続がタイムアウトしました")), ErrorClass::Timeout);
}

#[test]
fn a_file_that_is_not_there() {
    let folder = std::env::temp_dir();
    assert_eq!(class(&std::fs::read(folder.join("no such file of mine")).unwrap_err()), ErrorClass::NotFound);
    assert_eq!(class(&std::fs::create_dir(&folder).unwrap_err()), ErrorClass::Conflict);
}

#[test]
fn a_port_where_nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    assert_eq!(class(&TcpListener::bind(address).unwrap_err()), ErrorClass::Network, "in use");
    drop(listener);
    let refused = std::net::TcpStream::connect(address).unwrap_err();
    let judged = classify(&refused);
    assert_eq!(judged.class(), ErrorClass::Network);
    assert!(!judged.has_no_effect(), "an earlier step of the tool may have had one");
    assert!(!judged.is_stated() && !judged.is_hidden());
}

#[tokio::test]
async fn a_socket_that_was_closed_by_the_other_side() {
    use std::io::Read as _;

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    drop(listener.accept().await.unwrap());
    assert_eq!(class(&client.read_exact(&mut [0; 4]).unwrap_err()), ErrorClass::Network);
}

#[tokio::test]
async fn a_time_limit_that_passed() {
    let elapsed = tokio::time::timeout(Duration::from_millis(1), std::future::pending::<()>()).await.unwrap_err();
    assert_eq!(class(&elapsed), ErrorClass::Timeout);
    assert_eq!(class(&Layer::over("asking the shop", elapsed)), ErrorClass::Timeout);
}

#[tokio::test]
async fn a_task_that_panicked_is_not_one_that_was_stopped() {
    let panicked = tokio::spawn(async { panic!("the connection timed out") }).await.unwrap_err();
    let judged = classify(&panicked);
    assert_eq!(judged.class(), ErrorClass::Internal);
    assert!(judged.is_hidden());

    let task = tokio::spawn(std::future::pending::<()>());
    task.abort();
    let stopped = task.await.unwrap_err();
    assert!(stopped.is_cancelled());
    assert_eq!(class(&stopped), ErrorClass::Unknown);
}

struct Slow;

impl io::Read for Slow {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::TimedOut.into())
    }
}

#[test]
fn json_that_cannot_be_read() {
    let syntax = serde_json::from_str::<u8>("{").unwrap_err();
    let data = serde_json::from_str::<u8>("\"timed out\"").unwrap_err();
    assert_eq!(class(&syntax), ErrorClass::Internal);
    assert_eq!(class(&data), ErrorClass::Internal);
    assert_eq!(class(&io::Error::from(syntax)), ErrorClass::Internal, "the innermost type, not the kind around it");
    assert_eq!(class(&serde_json::from_reader::<_, u8>(Slow).unwrap_err()), ErrorClass::Timeout);
}

#[test]
fn texts_and_numbers_that_cannot_be_read() {
    let utf8 = String::from_utf8(vec![0xce, 0xc4]).unwrap_err();
    let faults: Vec<Box<dyn Error + Send + Sync>> = vec![
        "x".parse::<u8>().unwrap_err().into(),
        "x".parse::<f64>().unwrap_err().into(),
        "x".parse::<bool>().unwrap_err().into(),
        "x".parse::<std::net::IpAddr>().unwrap_err().into(),
        "xy".parse::<char>().unwrap_err().into(),
        u8::try_from(300_u16).unwrap_err().into(),
        char::try_from(0xd800_u32).unwrap_err().into(),
        String::from_utf16(&[0xd800]).unwrap_err().into(),
        std::ffi::CString::new("a\0b").unwrap_err().into(),
        std::env::var("A VARIABLE THAT NOBODY SET").unwrap_err().into(),
        utf8.utf8_error().into(),
        io::Error::other(utf8).into(),
        fmt::Error.into(),
    ];
    for fault in faults {
        let judged = classify(&*fault);
        assert_eq!(judged.class(), ErrorClass::Internal, "{fault:?}");
        assert!(judged.is_hidden(), "{fault:?}");
    }
}

#[test]
fn what_is_inside_an_io_error_is_found() {
    assert_eq!(class(&io::Error::other(io::Error::from(ErrorKind::TimedOut))), ErrorClass::Timeout);
    let twice = io::Error::other(io::Error::other(Layer::over("x", io::Error::from(ErrorKind::BrokenPipe))));
    assert_eq!(class(&twice), ErrorClass::Network);
}

#[test]
fn boxes_and_arcs_are_looked_through() {
    let kind = || io::Error::from(ErrorKind::TimedOut);
    let shared: Arc<dyn Error + Send + Sync> = Arc::new(kind());
    assert_eq!(class(&shared), ErrorClass::Timeout);
    let local: Arc<dyn Error> = Arc::new(kind());
    assert_eq!(class(&local), ErrorClass::Timeout);
    assert_eq!(class(&Arc::new(kind())), ErrorClass::Timeout);
    assert_eq!(class(&Box::new(kind())), ErrorClass::Timeout);
    assert_eq!(class(&Layer::over("x", Box::new(Layer::over("y", Arc::new(kind()))))), ErrorClass::Timeout);
}

#[derive(Debug, thiserror::Error)]
enum Wrapper {
    #[error("cannot read the orders")]
    Read(#[source] io::Error),
    #[error("stored {0}")]
    Stored(String, #[source] Arc<dyn Error + Send + Sync>),
    #[error(transparent)]
    Through(#[from] Box<Wrapper>),
}

#[test]
fn wrappers_as_people_write_them() {
    let read = || Wrapper::Read(ErrorKind::PermissionDenied.into());
    assert_eq!(class(&read()), ErrorClass::PermissionDenied);
    assert_eq!(class(&Wrapper::Through(Box::new(read()))), ErrorClass::PermissionDenied);
    assert_eq!(class(&Wrapper::Stored("x".into(), Arc::new(read()))), ErrorClass::PermissionDenied);
}

#[test]
fn anyhow_with_contexts() {
    let refused = Layer::over("http client", io::Error::new(ErrorKind::ConnectionRefused, "refused"));
    let error = Err::<(), _>(refused).context("fetching page 3").unwrap_err();
    let judged = classify(error.as_ref());
    assert_eq!(judged.class(), ErrorClass::Network);
    assert_eq!(judged.message(), "fetching page 3: http client: refused");
    // Without a context the error inside is seen through the reference alone, and no more once it is in a box.
    let plain = anyhow::Error::from(io::Error::new(ErrorKind::ConnectionRefused, "x"));
    assert_eq!(class(plain.as_ref()), ErrorClass::Network);
}

#[test]
fn the_operating_system_is_asked_for_its_numbers() {
    assert_eq!(class(&io::Error::from_raw_os_error(99_999)), ErrorClass::Unknown);
    assert_eq!(class(&io::Error::from_raw_os_error(i32::MIN)), ErrorClass::Unknown);
    #[cfg(target_os = "linux")]
    for (code, expected) in [
        (111, ErrorClass::Network),
        (113, ErrorClass::Network),
        (110, ErrorClass::Timeout),
        (28, ErrorClass::Internal),
        (13, ErrorClass::PermissionDenied),
        (2, ErrorClass::NotFound),
    ] {
        assert_eq!(class(&io::Error::from_raw_os_error(code)), expected, "{code}");
    }
}

#[test]
fn an_error_of_the_system_is_told_in_its_words() {
    for code in [-1, 0, 2, 111, 133, 134, 99_999, 2, i32::MAX] {
        let error = || io::Error::from_raw_os_error(code);
        assert_eq!(classify(&error()).message(), error().to_string());
        assert_eq!(classify(&Layer::over("reading", Box::new(error()))).message(), format!("reading: {}", error()));
    }
}

#[derive(Debug)]
struct Endless;

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Endless {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&Endless)
    }
}

#[test]
fn a_chain_without_an_end_ends() {
    assert_eq!(classify(&Endless).message(), "round and round");
    assert_eq!(class(&Handing { text: "round", cause: None }), ErrorClass::Unknown);
    let own = Handing { text: "round", cause: None };
    let judged = ErrorClassifier::standard().knows::<Handing>().judge(&own);
    assert_eq!(judged.class(), ErrorClass::Unknown);
}

#[test]
fn the_last_link_that_is_looked_at() {
    let chain = |length: usize| {
        let end: Box<dyn Error + Send + Sync> = io::Error::from(ErrorKind::TimedOut).into();
        (1..length).fold(end, |cause, _| Layer { text: "x", cause: Some(cause) }.into())
    };
    assert_eq!(class(&*chain(MAX_LINKS)), ErrorClass::Timeout);
    assert_eq!(class(&*chain(MAX_LINKS + 1)), ErrorClass::Unknown);
}

#[derive(Debug)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("so far")?;
        Err(fmt::Error)
    }
}

impl Error for Broken {}

#[test]
fn a_display_that_fails_takes_nothing_with_it() {
    assert_eq!(classify(&Broken).message(), "so far");
    let judged = ErrorClassifier::standard().opaque(Broken.into(), true);
    assert_eq!(judged.message(), "so far");
}
