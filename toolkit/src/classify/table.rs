//! The table in the documentation of `ErrorClassifier`, made from what the classifier decides by.
//!
//! `UPDATE=1 cargo test -p toolkit --all-features table` writes it anew. A part of it belongs to each feature and is
//! written and compared where that feature is on.

use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

use super::{ErrorClass, http, types};

const KINDS: [ErrorKind; 36] = [
    ErrorKind::TimedOut,
    ErrorKind::ConnectionRefused,
    ErrorKind::ConnectionReset,
    ErrorKind::ConnectionAborted,
    ErrorKind::NotConnected,
    ErrorKind::AddrInUse,
    ErrorKind::AddrNotAvailable,
    ErrorKind::BrokenPipe,
    ErrorKind::UnexpectedEof,
    ErrorKind::HostUnreachable,
    ErrorKind::NetworkUnreachable,
    ErrorKind::NetworkDown,
    ErrorKind::Interrupted,
    ErrorKind::WouldBlock,
    ErrorKind::ResourceBusy,
    ErrorKind::NotFound,
    ErrorKind::PermissionDenied,
    ErrorKind::ReadOnlyFilesystem,
    ErrorKind::AlreadyExists,
    ErrorKind::DirectoryNotEmpty,
    ErrorKind::StaleNetworkFileHandle,
    ErrorKind::InvalidInput,
    ErrorKind::InvalidFilename,
    ErrorKind::NotADirectory,
    ErrorKind::IsADirectory,
    ErrorKind::ArgumentListTooLong,
    ErrorKind::Unsupported,
    ErrorKind::InvalidData,
    ErrorKind::WriteZero,
    ErrorKind::OutOfMemory,
    ErrorKind::StorageFull,
    ErrorKind::QuotaExceeded,
    ErrorKind::FileTooLarge,
    ErrorKind::Deadlock,
    ErrorKind::ExecutableFileBusy,
    ErrorKind::Other,
];

/// One part of the table: a title, and rows of a name and a class.
fn part(title: &str, rows: impl IntoIterator<Item = (String, Option<ErrorClass>)>) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let mut text = format!("| {title} | class |\n|---|---|\n");
    let mut row = |names: &[&str], class: &str| {
        if !names.is_empty() {
            let _ = writeln!(text, "| {} | {class} |", names.join(", "));
        }
    };
    let of = |class| rows.iter().filter(move |(_, known)| *known == class).map(|(name, _)| name.as_str());
    for class in ErrorClass::ALL {
        row(&of(Some(class)).collect::<Vec<_>>(), &format!("`{class}`"));
    }
    row(&of(None).collect::<Vec<_>>(), "by what stands behind it, else by its text");
    text
}

fn code(name: impl std::fmt::Display) -> String {
    format!("`{name}`")
}

fn judged(error: &(dyn std::error::Error + 'static)) -> Option<ErrorClass> {
    types::judge(error).and_then(|inferred| inferred.class)
}

fn standard() -> Vec<String> {
    let statuses = (400..=599).filter(|status| http::STATUSES.iter().any(|(_, known)| known.contains(status)));
    let statuses = statuses.map(|status| (status.to_string(), Some(http::class_of_status(status))));
    let rest = [("other 4xx", 499 - 1), ("other 5xx", 599), ("499 and any other number", 499)];
    let rest = rest.map(|(name, status)| (name.to_owned(), Some(http::class_of_status(status))));
    let kinds = KINDS.map(|kind| (code(format!("{kind:?}")), judged(&io::Error::from(kind))));
    vec![
        part("HTTP status", statuses.chain(rest)),
        part("`std::io::ErrorKind`", kinds),
        part("std, tokio, `serde_json`", others()),
    ]
}

/// Real errors of the types that have no kinds.
fn others() -> Vec<(String, Option<ErrorClass>)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let (elapsed, panicked, stopped) = runtime.block_on(async {
        let never = std::future::pending::<()>();
        let elapsed = tokio::time::timeout(std::time::Duration::ZERO, never).await.unwrap_err();
        let panicked = tokio::spawn(async { std::panic::resume_unwind(Box::new(())) }).await.map(|(): ()| ());
        let task = tokio::spawn(std::future::pending::<()>());
        task.abort();
        (elapsed, panicked.unwrap_err(), task.await.unwrap_err())
    });
    let mut rows = vec![
        (code("tokio::time::error::Elapsed"), judged(&elapsed)),
        ("`tokio::task::JoinError` of a panic".to_owned(), judged(&panicked)),
        ("`tokio::task::JoinError` of a task that was stopped".to_owned(), judged(&stopped)),
        ("`serde_json::Error` that is no I/O error".to_owned(), judged(&serde_json::from_str::<u8>("").unwrap_err())),
    ];
    rows.extend(super::io::READING_FAULTS.iter().map(|name| (code(name), Some(ErrorClass::Internal))));
    rows.extend(channels());
    rows
}

/// Real errors of channels and of a semaphore: of what is gone, and of what is not there yet.
fn channels() -> Vec<(String, Option<ErrorClass>)> {
    use std::sync::mpsc as std_mpsc;
    use tokio::sync::{Semaphore, broadcast, mpsc, oneshot};

    let semaphore = Semaphore::new(0);
    let (_mpsc_sender, mut mpsc) = mpsc::channel::<u8>(1);
    let (_oneshot_sender, mut oneshot) = oneshot::channel::<u8>();
    let (broadcast_sender, mut broadcast) = broadcast::channel::<u8>(1);
    let (_std_sender, std) = std_mpsc::channel::<u8>();
    let (broadcast_empty, no_permits) = (broadcast.try_recv().unwrap_err(), semaphore.try_acquire().unwrap_err());
    let late = std.recv_timeout(std::time::Duration::ZERO).unwrap_err();
    let mut rows = vec![
        ("`Empty` of the channels' `TryRecvError`s".to_owned(), judged(&mpsc.try_recv().unwrap_err())),
        (code("tokio::sync::TryAcquireError::NoPermits"), judged(&no_permits)),
        (code("std::sync::mpsc::RecvTimeoutError::Timeout"), judged(&late)),
    ];
    for empty in
        [judged(&oneshot.try_recv().unwrap_err()), judged(&broadcast_empty), judged(&std.try_recv().unwrap_err())]
    {
        assert_eq!(empty, rows[0].1);
    }
    semaphore.close();
    drop(broadcast_sender);
    let gone = [judged(&broadcast.try_recv().unwrap_err()), judged(&semaphore.try_acquire().unwrap_err())];
    assert_eq!(gone, [Some(ErrorClass::Internal); 2]);
    rows.push(("other errors of receivers and semaphores".to_owned(), gone[0]));
    rows
}

/// A part whose order matters: a row each.
#[cfg(feature = "reqwest")]
fn ordered(title: &str, rows: impl IntoIterator<Item = (String, String)>) -> String {
    let mut text = format!("| {title} | class |\n|---|---|\n");
    rows.into_iter().for_each(|(name, class)| {
        let _ = writeln!(text, "| {name} | {class} |");
    });
    text
}

#[cfg(feature = "reqwest")]
fn reqwest() -> Vec<String> {
    use super::crates::{hyper, reqwest};

    let sure = reqwest::SURE.iter().map(|(name, _, class)| (code(name), code(class)));
    let status = ("`is_status`".to_owned(), "that of the status".to_owned());
    let open =
        reqwest::OPEN.iter().map(|(name, _, class)| (format!("`{name}`, with nothing known behind it"), code(class)));
    let behind = hyper::CONDITIONS.iter().map(|(name, _, class)| (code(name), code(class)));
    vec![
        ordered("`reqwest::Error`, the first that holds", sure.chain([status]).chain(open)),
        ordered("`hyper::Error` behind it, the first that holds", behind),
    ]
}

#[cfg(any(feature = "rusqlite", feature = "sqlx"))]
fn codes() -> impl Iterator<Item = (String, Option<ErrorClass>)> {
    let all = super::crates::sqlite::CODES.iter();
    all.flat_map(|(class, codes)| codes.iter().map(|(_, name)| (code(name), Some(*class))))
}

#[cfg(feature = "rusqlite")]
fn rusqlite() -> Vec<String> {
    use rusqlite::Error::{InvalidQuery, QueryReturnedNoRows};

    let rows = [("`QueryReturnedNoRows`", QueryReturnedNoRows), ("any other error of rusqlite's own", InvalidQuery)];
    let rows = rows.map(|(name, error)| (name.to_owned(), judged(&error)));
    vec![part("`rusqlite::Error`, by SQLite's code", codes().chain(rows))]
}

#[cfg(feature = "sqlx")]
fn sqlx() -> Vec<String> {
    use sqlx::Error::{PoolClosed, PoolTimedOut, RowNotFound, Tls};

    let states = super::crates::sqlx::STATES.iter();
    let states = states.flat_map(|(class, states)| {
        states.iter().map(|state| (code(format!("{state}{}", "x".repeat(5 - state.len()))), Some(*class)))
    });
    let rows = [
        ("`PoolTimedOut`", PoolTimedOut),
        ("`RowNotFound`", RowNotFound),
        ("`Tls`", Tls("x".into())),
        ("`Io`", io::Error::other("x").into()),
        ("any other", PoolClosed),
    ];
    let rows = rows.map(|(name, error)| (name.to_owned(), judged(&error)));
    vec![
        part("`sqlx::Error`", rows),
        part("`sqlx::Error::Database`, by its SQLSTATE", states),
        part("by SQLite's code", codes()),
    ]
}

#[cfg(feature = "tonic")]
fn tonic() -> Vec<String> {
    let codes = (1..=16)
        .map(tonic::Code::from)
        .map(|code| (format!("`{code:?}`"), Some(super::crates::tonic::class_of_code(code))));
    let statuses = [
        (
            "`ResourceExhausted` for a message that is too large",
            tonic::Status::resource_exhausted("message larger than max"),
        ),
        ("`Cancelled` by a time limit", tonic::Status::cancelled(tonic::TimeoutExpired(()).to_string())),
    ];
    let statuses = statuses.map(|(name, status)| (name.to_owned(), judged(&status)));
    vec![part("`tonic::Status`", codes.chain(statuses))]
}

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "src", "classify", "TABLE.md"].iter().collect()
}

#[test]
fn the_table_in_the_documentation_is_what_the_code_decides() {
    // `None` where a feature is off: what stands in the file stays.
    let on = |parts: Vec<String>| Some(parts.join("\n"));
    let parts = [
        ("Without a feature", on(standard())),
        #[cfg(feature = "reqwest")]
        ("With the feature `reqwest`", on(reqwest())),
        #[cfg(not(feature = "reqwest"))]
        ("With the feature `reqwest`", None),
        #[cfg(feature = "rusqlite")]
        ("With the feature `rusqlite`", on(rusqlite())),
        #[cfg(not(feature = "rusqlite"))]
        ("With the feature `rusqlite`", None),
        #[cfg(feature = "sqlx")]
        ("With the feature `sqlx`", on(sqlx())),
        #[cfg(not(feature = "sqlx"))]
        ("With the feature `sqlx`", None),
        #[cfg(feature = "tonic")]
        ("With the feature `tonic`", on(tonic())),
        #[cfg(not(feature = "tonic"))]
        ("With the feature `tonic`", None),
    ];
    let written = std::fs::read_to_string(path()).unwrap().replace("\r\n", "\n");
    let known = |title: &str| {
        let from = written.find(&format!("## {title}\n\n")).map(|at| at + title.len() + 5)?;
        let end = written[from..].find("\n## ").map_or(written.len(), |end| from + end);
        Some(written[from..end].to_owned())
    };
    let made: Vec<String> = parts
        .into_iter()
        .map(|(title, text)| format!("## {title}\n\n{}", text.or_else(|| known(title)).unwrap_or_default()))
        .collect();
    let made = made.join("\n");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path(), &made).unwrap();
    } else {
        assert!(made == written, "`UPDATE=1 cargo test -p toolkit --all-features table` writes this anew:\n{made}");
    }
}
