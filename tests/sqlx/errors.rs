//! Connections that stand in each other's way, a database that says no, and a pool that has run dry.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use sqlx::{Connection as _, Executor as _, Row as _, SqliteConnection};
use toolkit::{ErrorClass, ErrorClassifier};

fn class(error: &(dyn std::error::Error + 'static)) -> ErrorClass {
    ErrorClassifier::standard().classify(error).class()
}

/// A database of its own in a file that goes away with it.
struct Orders(PathBuf);

impl Orders {
    async fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let orders = Self(std::env::temp_dir().join(format!("toolkit-sqlx-{}-{number}.sqlite", std::process::id())));
        let table = "CREATE TABLE orders (id TEXT PRIMARY KEY, pieces INTEGER NOT NULL CHECK (pieces > 0))";
        orders.connect().await.execute(table).await.unwrap();
        orders
    }

    fn options(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new().filename(&self.0).create_if_missing(true).busy_timeout(Duration::ZERO)
    }

    async fn connect(&self) -> SqliteConnection {
        SqliteConnection::connect_with(&self.options()).await.unwrap()
    }
}

impl Drop for Orders {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const INSERT: &str = "INSERT INTO orders VALUES ('ORD1', 2)";

#[tokio::test]
async fn a_database_that_somebody_else_writes_to() {
    let orders = Orders::new().await;
    let (mut first, mut second) = (orders.connect().await, orders.connect().await);
    first.execute("BEGIN IMMEDIATE").await.unwrap();
    let busy = second.execute(INSERT).await.unwrap_err();
    assert_eq!(class(&busy), ErrorClass::ServiceUnavailable, "{busy:?}");
    assert_eq!(class(&std::io::Error::other(busy)), ErrorClass::ServiceUnavailable);
    first.execute("COMMIT").await.unwrap();
    second.execute(INSERT).await.unwrap();
}

#[tokio::test]
async fn what_a_constraint_refuses() {
    let orders = Orders::new().await;
    let mut database = orders.connect().await;
    database.execute(INSERT).await.unwrap();
    for statement in [INSERT, "INSERT INTO orders VALUES ('ORD2', NULL)", "INSERT INTO orders VALUES ('ORD2', 0)"] {
        let error = database.execute(statement).await.unwrap_err();
        assert_eq!(class(&error), ErrorClass::Conflict, "{error:?}");
    }
}

#[tokio::test]
async fn a_database_that_may_only_be_read() {
    let orders = Orders::new().await;
    let mut database = SqliteConnection::connect_with(&orders.options().read_only(true)).await.unwrap();
    let error = database.execute(INSERT).await.unwrap_err();
    assert_eq!(class(&error), ErrorClass::PermissionDenied, "{error:?}");
}

#[tokio::test]
async fn a_row_that_is_not_there() {
    let orders = Orders::new().await;
    let mut database = orders.connect().await;
    let error = sqlx::query("SELECT id FROM orders").fetch_one(&mut database).await.unwrap_err();
    assert_eq!(class(&error), ErrorClass::NotFound);
}

#[tokio::test]
async fn a_program_that_is_wrong() {
    let orders = Orders::new().await;
    let mut database = orders.connect().await;
    database.execute(INSERT).await.unwrap();
    let missing = database.execute("SELECT * FROM invoices").await.unwrap_err();
    assert!(missing.to_string().contains("no such table"), "words that elsewhere say that nothing was found");
    let row = sqlx::query("SELECT id, pieces FROM orders").fetch_one(&mut database).await.unwrap();
    let typed = row.try_get::<i64, _>("id").unwrap_err();
    let named = row.try_get::<i64, _>("price").unwrap_err();
    let place = row.try_get::<i64, _>(7).unwrap_err();
    let options = "sqlite://x?mode=nonsense".parse::<SqliteConnectOptions>().unwrap_err();
    for error in [missing, typed, named, place, options] {
        assert_eq!(class(&error), ErrorClass::Internal, "{error:?}");
    }
}

#[tokio::test]
async fn a_pool_that_has_run_dry() {
    let orders = Orders::new().await;
    let short = SqlitePoolOptions::new().max_connections(1).acquire_timeout(Duration::from_millis(100));
    let pool: SqlitePool = short.connect_with(orders.options()).await.unwrap();
    let taken = pool.acquire().await.unwrap();
    let error = pool.acquire().await.unwrap_err();
    assert!(matches!(error, sqlx::Error::PoolTimedOut));
    assert_eq!(class(&error), ErrorClass::ServiceUnavailable);
    drop(taken);
    pool.close().await;
    let error = pool.acquire().await.unwrap_err();
    assert!(matches!(error, sqlx::Error::PoolClosed));
    assert_eq!(class(&error), ErrorClass::Internal);
}

#[tokio::test]
async fn a_file_that_cannot_be_opened() {
    let nowhere = SqliteConnectOptions::new().filename(std::env::temp_dir().join("no such folder/orders.sqlite"));
    let error = SqliteConnection::connect_with(&nowhere).await.unwrap_err();
    assert_eq!(class(&error), ErrorClass::Internal, "{error:?}");
    let io = sqlx::Error::from(std::net::TcpStream::connect(closed_port()).unwrap_err());
    assert_eq!(class(&io), ErrorClass::Network, "by what is behind it");
}

fn closed_port() -> std::net::SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}
