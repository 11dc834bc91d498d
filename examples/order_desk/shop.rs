//! The shop's orders: an `SQLite` database in memory, filled from the data file on start.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use crate::orders_file::{self, DataError};

const TABLE: &str = "
    CREATE TABLE orders (
        order_id TEXT PRIMARY KEY,
        customer TEXT NOT NULL,
        email TEXT NOT NULL COLLATE NOCASE,
        item TEXT NOT NULL,
        amount_cents INTEGER NOT NULL,
        status TEXT NOT NULL,
        carrier TEXT,
        shipping_number TEXT,
        ordered_on TEXT NOT NULL,
        deliver_on TEXT NOT NULL
    ) STRICT;
    CREATE INDEX orders_by_email ON orders (email);";
const SELECT: &str =
    "SELECT order_id, customer, email, item, amount_cents, status, carrier, shipping_number, ordered_on,
    deliver_on FROM orders";

#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "`order_id` is what everybody calls it, the model too")]
pub(crate) struct Order {
    pub(crate) order_id: String,
    pub(crate) customer: String,
    pub(crate) email: String,
    pub(crate) item: String,
    pub(crate) amount_cents: i64,
    pub(crate) status: String,
    pub(crate) carrier: Option<String>,
    pub(crate) shipping_number: Option<String>,
    pub(crate) ordered_on: String,
    pub(crate) deliver_on: String,
}

/// What became of a wish to change an order.
#[derive(Debug, PartialEq)]
pub(crate) enum Change {
    Done,
    NoSuchOrder,
    /// The order is past the point where this can be changed.
    TooLate {
        status: String,
    },
}

/// The database and a count of what was read from it and changed in it since it was filled.
pub(crate) struct Shop {
    connection: Mutex<Connection>,
    rows_read: AtomicUsize,
    rows_changed: AtomicUsize,
}

impl Shop {
    pub(crate) fn open(data: &Path) -> Result<Self, DataError> {
        let lines = orders_file::read(data)?;
        let refused = |line: Option<usize>, error: &rusqlite::Error| {
            let what = match error.sqlite_error_code() {
                Some(rusqlite::ErrorCode::ConstraintViolation) => "this order_id stood on an earlier line".to_owned(),
                _ => error.to_string(),
            };
            DataError::new(data, line, what)
        };
        let mut connection = Connection::open_in_memory().map_err(|error| refused(None, &error))?;
        connection.execute_batch(TABLE).map_err(|error| refused(None, &error))?;
        let filling = connection.transaction().map_err(|error| refused(None, &error))?;
        for order in &lines {
            let [order_id, customer, email, item, _, status, carrier, shipping_number, ordered_on, deliver_on] =
                &order.fields;
            let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            filling
                .execute(
                    "INSERT INTO orders VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                    params![
                        order_id,
                        customer,
                        email,
                        item,
                        order.amount_cents,
                        status,
                        given(carrier),
                        given(shipping_number),
                        ordered_on,
                        deliver_on
                    ],
                )
                .map_err(|error| refused(Some(order.line), &error))?;
        }
        filling.commit().map_err(|error| refused(None, &error))?;
        Ok(Self {
            connection: Mutex::new(connection),
            rows_read: AtomicUsize::new(0),
            rows_changed: AtomicUsize::new(0),
        })
    }

    pub(crate) fn count(&self) -> rusqlite::Result<u32> {
        self.connection().query_row("SELECT count(*) FROM orders", [], |row| row.get(0))
    }

    /// The customer's orders, the newest first, by e-mail address.
    pub(crate) fn orders_of(&self, email: &str, limit: u32) -> rusqlite::Result<Vec<Order>> {
        let connection = self.connection();
        let mut query =
            connection.prepare(&format!("{SELECT} WHERE email = ?1 ORDER BY ordered_on DESC, order_id LIMIT ?2"))?;
        let orders = query.query_map(params![email, limit], read_order)?.collect::<Result<Vec<_>, _>>()?;
        self.rows_read.fetch_add(orders.len(), Ordering::Relaxed);
        Ok(orders)
    }

    pub(crate) fn order(&self, order_id: &str) -> rusqlite::Result<Option<Order>> {
        let order =
            self.connection().query_row(&format!("{SELECT} WHERE order_id = ?1"), [order_id], read_order).optional()?;
        self.rows_read.fetch_add(usize::from(order.is_some()), Ordering::Relaxed);
        Ok(order)
    }

    /// Another day of delivery, as long as the order has not arrived or come to nothing.
    pub(crate) fn change_delivery_date(&self, order_id: &str, deliver_on: &str) -> rusqlite::Result<Change> {
        self.change(
            "UPDATE orders SET deliver_on = ?2 WHERE order_id = ?1 AND status IN ('placed', 'packed', 'shipped')",
            order_id,
            deliver_on,
        )
    }

    /// Cancels an order that has not left the house.
    pub(crate) fn cancel(&self, order_id: &str) -> rusqlite::Result<Change> {
        self.change(
            "UPDATE orders SET status = ?2 WHERE order_id = ?1 AND status IN ('placed', 'packed')",
            order_id,
            "cancelled",
        )
    }

    pub(crate) fn rows_read(&self) -> usize {
        self.rows_read.load(Ordering::Relaxed)
    }

    pub(crate) fn rows_changed(&self) -> usize {
        self.rows_changed.load(Ordering::Relaxed)
    }

    fn change(&self, update: &str, order_id: &str, value: &str) -> rusqlite::Result<Change> {
        let changed = self.connection().execute(update, params![order_id, value])?;
        self.rows_changed.fetch_add(changed, Ordering::Relaxed);
        if changed > 0 {
            return Ok(Change::Done);
        }
        Ok(self.order(order_id)?.map_or(Change::NoSuchOrder, |order| Change::TooLate { status: order.status }))
    }

    /// A panic elsewhere leaves the database as it was: `SQLite` undoes an unfinished statement.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_order(row: &Row<'_>) -> rusqlite::Result<Order> {
    Ok(Order {
        order_id: row.get(0)?,
        customer: row.get(1)?,
        email: row.get(2)?,
        item: row.get(3)?,
        amount_cents: row.get(4)?,
        status: row.get(5)?,
        carrier: row.get(6)?,
        shipping_number: row.get(7)?,
        ordered_on: row.get(8)?,
        deliver_on: row.get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{DEFAULT_ORDERS, mail::tests::Folder};

    fn shop() -> Shop {
        Shop::open(Path::new(DEFAULT_ORDERS)).expect("the data file is in order")
    }

    #[test]
    fn the_data_file_fills_the_shop() {
        let shop = shop();
        assert!(shop.count().expect("a table") >= 200);
        let orders = shop.orders_of("Amira.Haddad@example.com", 10).expect("a query");
        assert_eq!(orders.len(), 3);
        assert!(orders.is_sorted_by(|a, b| a.ordered_on >= b.ordered_on));
        assert_eq!(shop.orders_of("amira.haddad@example.com", 1).expect("a query").len(), 1);
        assert_eq!(shop.orders_of("' OR 1 = 1 --", 10).expect("a query"), []);
        assert_eq!((shop.rows_read(), shop.rows_changed()), (4, 0));
    }

    #[test]
    fn changes_only_what_may_be_changed() {
        let shop = shop();
        let date = "2026-03-02";
        assert_eq!(shop.change_delivery_date("ORD10000684", date).expect("an update"), Change::Done);
        assert_eq!(shop.order("ORD10000684").expect("a query").map(|order| order.deliver_on), Some(date.to_owned()));
        assert_eq!(shop.cancel("ORD10000684").expect("an update"), Change::TooLate { status: "shipped".to_owned() });
        assert_eq!(shop.cancel("ORD10000522").expect("an update"), Change::Done);
        assert_eq!(shop.cancel("ORD99999999").expect("an update"), Change::NoSuchOrder);
        assert_eq!(shop.rows_changed(), 2);
    }

    #[test]
    fn a_broken_data_file_is_one_clear_line() {
        let folder = Folder::new();
        let path = folder.path().join("orders.csv");
        let header = orders_file::COLUMNS.join(",");
        let line = "ORD10000001,Ann,a@example.com,Lamp,1.50,placed,,,2026-01-01,2026-01-02";
        for (text, expected) in [
            (format!("{header}\n{line}\n{line}\n"), ", line 3: this order_id stood on an earlier line"),
            (format!("{header}\n\n{line},more\n"), ", line 3: 11 fields where 10 are expected"),
            ("a,b\n".to_owned(), ", line 1: the first line is to name the columns"),
            (format!("{header}\n"), ": there is no order in it"),
            (String::new(), ", line 1: the first line"),
        ] {
            fs::write(&path, text).expect("a file in the system's temporary folder");
            let error = Shop::open(&path).err().expect("broken").to_string();
            assert!(error.contains(expected) && error.contains("orders.csv") && !error.contains('\n'), "{error}");
        }
        fs::write(&path, b"a\nb\xff\n").expect("a file in the system's temporary folder");
        assert!(Shop::open(&path).err().expect("broken").to_string().contains("line 2: this is not UTF-8"));
        assert!(Shop::open(&folder.path().join("none.csv")).is_err());
    }
}
