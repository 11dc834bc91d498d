//! What the type of an error gives away, whoever made the type.

use std::error::Error;
use std::time::Duration;

use super::{ErrorClass, io};

/// What is known of one link by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inferred {
    /// None where the type is known and says nothing: what stands behind it or its text may.
    pub(super) class: Option<ErrorClass>,
    pub(super) retry_after: Option<Duration>,
    /// It speaks for everything behind it, too. Without that the innermost type decides, as the one closest to the fault.
    pub(super) is_last_word: bool,
}

impl Inferred {
    pub(super) const fn maybe(class: Option<ErrorClass>) -> Self {
        Self { class, retry_after: None, is_last_word: false }
    }

    pub(super) const fn class(class: ErrorClass) -> Self {
        Self::maybe(Some(class))
    }

    #[cfg(any(feature = "reqwest", feature = "rusqlite", feature = "sqlx"))]
    pub(super) const fn last_word(self) -> Self {
        Self { is_last_word: true, ..self }
    }
}

/// What the type of one link gives away. None for types that nobody here knows.
pub(super) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    let inferred = io::judge(link);
    #[cfg(feature = "reqwest")]
    let inferred = inferred.or_else(|| super::crates::reqwest::judge(link));
    #[cfg(any(feature = "reqwest", feature = "tonic"))]
    let inferred = inferred.or_else(|| super::crates::hyper::judge(link));
    #[cfg(feature = "rusqlite")]
    let inferred = inferred.or_else(|| super::crates::rusqlite::judge(link));
    #[cfg(feature = "sqlx")]
    let inferred = inferred.or_else(|| super::crates::sqlx::judge(link));
    #[cfg(feature = "tonic")]
    let inferred = inferred.or_else(|| super::crates::tonic::judge(link));
    inferred
}
