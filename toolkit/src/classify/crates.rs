//! The error types of other crates, each behind the feature of its name.

#[cfg(any(feature = "reqwest", feature = "tonic"))]
pub(super) mod hyper;
#[cfg(feature = "reqwest")]
pub(super) mod reqwest;
#[cfg(feature = "rusqlite")]
pub(super) mod rusqlite;
#[cfg(any(feature = "rusqlite", feature = "sqlx"))]
pub(super) mod sqlite;
#[cfg(feature = "sqlx")]
pub(super) mod sqlx;
#[cfg(feature = "tonic")]
pub(super) mod tonic;
