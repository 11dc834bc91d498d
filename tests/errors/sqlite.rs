//! rusqlite: two connections that stand in each other's way, and a database that says no.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use toolkit::ErrorClass;

use crate::{class, judge};

/// A database of its own in a file that goes away with it.
struct Orders(PathBuf);

impl Orders {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let orders = Self(std::env::temp_dir().join(format!("toolkit-{}-{number}.sqlite", std::process::id())));
        orders
            .open()
            .execute_batch("CREATE TABLE orders (id TEXT PRIMARY KEY, pieces INTEGER NOT NULL CHECK (pieces > 0))")
            .unwrap();
        orders
    }

    fn open(&self) -> Connection {
        let connection = Connection::open(&self.0).unwrap();
        connection.busy_timeout(Duration::ZERO).unwrap();
        connection
    }
}

impl Drop for Orders {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const INSERT: &str = "INSERT INTO orders VALUES ('ORD1', 2)";

#[test]
fn a_database_that_somebody_else_writes_to() {
    let orders = Orders::new();
    let (first, second) = (orders.open(), orders.open());
    first.execute_batch("BEGIN IMMEDIATE").unwrap();
    let busy = second.execute(INSERT, []).unwrap_err();
    assert_eq!(busy.sqlite_error_code(), Some(rusqlite::ErrorCode::DatabaseBusy));
    assert_eq!(class(&busy), ErrorClass::ServiceUnavailable);
    first.execute_batch("COMMIT").unwrap();
    second.execute(INSERT, []).unwrap();
}

#[test]
fn a_table_that_is_locked_in_the_same_cache() {
    let open = || Connection::open("file:locked?mode=memory&cache=shared").unwrap();
    let (first, second) = (open(), open());
    first.execute_batch("CREATE TABLE orders (id TEXT); BEGIN; INSERT INTO orders VALUES ('ORD1')").unwrap();
    let locked = second.query_row("SELECT id FROM orders", [], |row| row.get::<_, String>(0)).unwrap_err();
    assert_eq!(locked.sqlite_error_code(), Some(rusqlite::ErrorCode::DatabaseLocked));
    assert_ne!(locked.sqlite_extended_error_code(), Some(6), "with more in the upper bits");
    assert_eq!(class(&locked), ErrorClass::ServiceUnavailable);
}

#[test]
fn what_a_constraint_refuses() {
    let orders = Orders::new();
    let database = orders.open();
    database.execute(INSERT, []).unwrap();
    for statement in [INSERT, "INSERT INTO orders VALUES ('ORD2', NULL)", "INSERT INTO orders VALUES ('ORD2', 0)"] {
        let error = database.execute(statement, []).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::ConstraintViolation));
        assert_eq!(class(&error), ErrorClass::Conflict, "{error}");
    }
}

#[test]
fn a_database_that_may_only_be_read() {
    let orders = Orders::new();
    let database = Connection::open_with_flags(&orders.0, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    assert_eq!(class(&database.execute(INSERT, []).unwrap_err()), ErrorClass::PermissionDenied);
}

#[test]
fn a_row_that_is_not_there() {
    let orders = Orders::new();
    let database = orders.open();
    let error = database.query_row("SELECT id FROM orders", [], |row| row.get::<_, String>(0)).unwrap_err();
    assert_eq!(class(&error), ErrorClass::NotFound);
}

#[test]
fn a_program_that_is_wrong() {
    let orders = Orders::new();
    let database = orders.open();
    database.execute(INSERT, []).unwrap();
    let missing = database.prepare("SELECT * FROM invoices").unwrap_err();
    assert!(missing.to_string().contains("no such table"), "words that elsewhere say that nothing was found");
    let typed = database.query_row("SELECT pieces FROM orders", [], |row| row.get::<_, String>(0)).unwrap_err();
    let column = database.query_row("SELECT pieces FROM orders", [], |row| row.get::<_, i64>("price")).unwrap_err();
    let unbound = database.execute("DELETE FROM orders WHERE id = ?1", []).unwrap_err();
    for error in [missing, typed, column, unbound] {
        let judged = judge(&error);
        assert_eq!(judged.class(), ErrorClass::Internal, "{error:?}");
        assert!(judged.is_hidden(), "{error:?}");
    }
}

#[test]
fn a_disk_that_is_full_and_a_file_that_is_none() {
    let orders = Orders::new();
    let database = orders.open();
    let _: i64 = database.query_row("PRAGMA max_page_count = 3", [], |row| row.get(0)).unwrap();
    let full = database.execute("INSERT INTO orders VALUES (hex(zeroblob(100000)), 1)", []).unwrap_err();
    assert_eq!(full.sqlite_error_code(), Some(rusqlite::ErrorCode::DiskFull));
    assert_eq!(class(&full), ErrorClass::Internal);

    drop(database);
    std::fs::write(&orders.0, "a letter to a friend, and certainly no database").unwrap();
    let error = orders.open().execute(INSERT, []).unwrap_err();
    assert_eq!(class(&error), ErrorClass::Internal, "{error:?}");
    assert_eq!(class(&Connection::open(std::env::temp_dir()).unwrap_err()), ErrorClass::Internal);
}

#[test]
fn a_statement_that_somebody_stopped() {
    let orders = Orders::new();
    let database = orders.open();
    let handle = database.get_interrupt_handle();
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        handle.interrupt();
    });
    let error = database.query_row(endless, [], |row| row.get::<_, i64>(0)).unwrap_err();
    stopper.join().unwrap();
    assert_eq!(class(&error), ErrorClass::Unknown, "no failure, and never tried again");
}

#[test]
fn an_error_of_sqlite_inside_others() {
    let orders = Orders::new();
    let database = orders.open();
    let error = database.execute("DELETE FROM orders WHERE id = ?1", []).unwrap_err();
    assert_eq!(class(&std::io::Error::other(error)), ErrorClass::Internal);
}
