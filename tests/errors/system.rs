//! The operating system, tokio and the standard library.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc as std_mpsc;
use std::time::Duration;

use tokio::sync::{Semaphore, broadcast, mpsc, oneshot, watch};
use toolkit::ErrorClass;

use crate::server::deserted;
use crate::{class, judge};

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
    let (sender, mut receiver) = oneshot::channel::<u8>();
    drop(sender);
    gone(&receiver.try_recv().unwrap_err());
    let (sender, receiver) = oneshot::channel::<u8>();
    drop(sender);
    gone(&receiver.await.unwrap_err());

    let (sender, mut receiver) = mpsc::channel::<u8>(1);
    drop(sender);
    gone(&receiver.try_recv().unwrap_err());
    let (sender, receiver) = mpsc::channel::<String>(1);
    drop(receiver);
    gone(&sender.try_send("x".to_owned()).unwrap_err());
    gone(&sender.send("x".to_owned()).await.unwrap_err());

    let (sender, mut receiver) = broadcast::channel::<u8>(1);
    sender.send(1).unwrap();
    sender.send(2).unwrap();
    gone(&receiver.recv().await.unwrap_err());
    drop(sender);
    receiver.recv().await.unwrap();
    gone(&receiver.recv().await.unwrap_err());
    gone(&receiver.try_recv().unwrap_err());

    let (sender, mut receiver) = watch::channel(1_u8);
    drop(sender);
    gone(&receiver.changed().await.unwrap_err());

    let semaphore = Semaphore::new(0);
    semaphore.close();
    gone(&semaphore.try_acquire().unwrap_err());
    gone(&semaphore.acquire().await.unwrap_err());

    let (sender, receiver) = std_mpsc::channel::<u8>();
    drop(sender);
    gone(&receiver.recv_timeout(Duration::ZERO).unwrap_err());
    gone(&receiver.try_recv().unwrap_err());
    gone(&receiver.recv().unwrap_err());
    let (sender, receiver) = std_mpsc::channel::<u8>();
    drop(receiver);
    gone(&sender.send(1).unwrap_err());
}

fn gone(error: &(dyn std::error::Error + 'static)) {
    let judged = judge(error);
    assert_eq!(judged.class(), ErrorClass::Internal, "{error:?}");
    assert!(judged.is_hidden(), "{error:?}");
}

#[tokio::test]
async fn channels_where_nothing_has_come_yet() {
    let (sender, mut receiver) = mpsc::channel::<u8>(1);
    assert_eq!(class(&receiver.try_recv().unwrap_err()), ErrorClass::ServiceUnavailable);
    sender.try_send(1).unwrap();
    let late = sender.send_timeout(2, Duration::from_millis(1)).await.unwrap_err();
    assert_eq!(class(&late), ErrorClass::Timeout, "{late}");
    let (_sender, mut receiver) = oneshot::channel::<u8>();
    assert_eq!(class(&receiver.try_recv().unwrap_err()), ErrorClass::ServiceUnavailable);
    let (_sender, mut receiver) = broadcast::channel::<u8>(1);
    assert_eq!(class(&receiver.try_recv().unwrap_err()), ErrorClass::ServiceUnavailable);
    assert_eq!(class(&Semaphore::new(0).try_acquire().unwrap_err()), ErrorClass::ServiceUnavailable);
    let (_sender, receiver) = std_mpsc::channel::<u8>();
    assert_eq!(class(&receiver.try_recv().unwrap_err()), ErrorClass::ServiceUnavailable);
    assert_eq!(class(&receiver.recv_timeout(Duration::ZERO).unwrap_err()), ErrorClass::Timeout);
}
