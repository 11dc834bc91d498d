//! The operating system, tokio and the standard library.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use toolkit::ErrorClass;

use crate::class;
use crate::server::deserted;

#[test]
fn files() {
    let folder = std::env::temp_dir();
    let mine = folder.join(format!("toolkit-{}.txt", std::process::id()));
    std::fs::write(&mine, "x").unwrap();
    let again = std::fs::File::create_new(&mine).unwrap_err();
    let inside = std::fs::read(mine.join("x")).unwrap_err();
    let directory = std::fs::read(&folder).unwrap_err();
    std::fs::remove_file(&mine).unwrap();
    assert_eq!(class(&again), ErrorClass::Conflict);
    assert_eq!(class(&inside), ErrorClass::InvalidArgument, "{inside:?}");
    assert_eq!(class(&directory), ErrorClass::InvalidArgument, "{directory:?}");
    assert_eq!(class(&std::fs::read(&mine).unwrap_err()), ErrorClass::NotFound);
    assert_eq!(class(&std::fs::read_to_string("/dev/zero\0").unwrap_err()), ErrorClass::InvalidArgument);
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_full() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().write_all(b"x").unwrap_err();
    assert_eq!(class(&full), ErrorClass::Internal, "{full:?}");
}

#[test]
fn sockets() {
    assert_eq!(class(&TcpStream::connect(deserted()).unwrap_err()), ErrorClass::Network);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (server, _) = listener.accept().unwrap();

    client.set_nonblocking(true).unwrap();
    assert_eq!(class(&client.read(&mut [0]).unwrap_err()), ErrorClass::ServiceUnavailable);
    client.set_nonblocking(false).unwrap();
    client.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let slow = client.read(&mut [0]).unwrap_err();
    // Unix says that it would block, Windows that the time is over.
    assert!(class(&slow).is_transient(), "{slow:?}");

    client.write_all(b"unread").unwrap();
    let mut seen = [0];
    server.peek(&mut seen).unwrap();
    drop(server);
    let reset = client.read(&mut [0]).unwrap_err();
    assert_eq!(class(&reset), ErrorClass::Network, "{reset:?}");
    assert_eq!(
        class(&client.peer_addr().err().unwrap_or_else(|| client.write_all(b"x").unwrap_err())),
        ErrorClass::Network
    );
}

#[tokio::test]
async fn time_limits_and_tasks() {
    let late = tokio::time::timeout(Duration::from_millis(1), std::future::pending::<()>()).await.unwrap_err();
    assert_eq!(class(&late), ErrorClass::Timeout);
    assert_eq!(class(&std::io::Error::from(late)), ErrorClass::Timeout);

    let panicked = tokio::spawn(async { panic!("HTTP 503 Service Unavailable") }).await.unwrap_err();
    assert_eq!(class(&panicked), ErrorClass::Internal);
    let task = tokio::spawn(std::future::pending::<()>());
    task.abort();
    let stopped = task.await.unwrap_err();
    assert!(stopped.is_cancelled());
    assert_eq!(class(&stopped), ErrorClass::Unknown, "no failure, and never tried again");
    assert_eq!(class(&std::io::Error::from(stopped)), ErrorClass::Unknown);
}

#[tokio::test]
async fn channels_whose_other_side_is_gone() {
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(sender);
    assert_eq!(class(&receiver.await.unwrap_err()), ErrorClass::Internal);
    let semaphore = Semaphore::new(0);
    semaphore.close();
    assert_eq!(class(&semaphore.acquire().await.unwrap_err()), ErrorClass::Internal);
}
