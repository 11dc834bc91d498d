//! `reqwest`, whose one error type has several kinds that overlap.

use std::error::Error;

use reqwest::Error as ClientError;

use crate::classify::ErrorClass::{self, Internal, InvalidArgument, Network, Timeout};
use crate::classify::chain::peel;
use crate::classify::http::class_of_status;
use crate::classify::types::Inferred;

type Condition = (&'static str, fn(&ClientError) -> bool, ErrorClass);

/// The first that holds decides, and speaks for what stands behind it. A connection that took too long is both
/// `is_connect` and `is_timeout`: nothing was sent yet, which is what counts.
pub(in crate::classify) const SURE: [Condition; 4] = [
    ("is_builder", ClientError::is_builder, InvalidArgument),
    ("is_redirect", ClientError::is_redirect, InvalidArgument),
    ("is_connect", is_connect, Network),
    ("is_timeout", ClientError::is_timeout, Timeout),
];

/// These hold where nothing behind the error is known: a body that broke off is read as one that cannot be decoded, and
/// only the connection's own error tells the two apart.
pub(in crate::classify) const OPEN: [Condition; 2] =
    [("is_decode", ClientError::is_decode, Internal), ("is_body", ClientError::is_body, Network)];

pub(in crate::classify) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    let error = peel::<ClientError>(link)?;
    let first = |conditions: &[Condition]| conditions.iter().find(|(_, holds, _)| holds(error)).map(|found| found.2);
    if let Some(class) = first(&SURE) {
        return Some(Inferred::class(class).last_word());
    }
    if let Some(status) = error.status() {
        return Some(Inferred::class(class_of_status(status.as_u16())).last_word());
    }
    Some(Inferred::maybe(first(&OPEN)))
}

// A browser tells nobody how it connects.
#[cfg(not(target_arch = "wasm32"))]
fn is_connect(error: &ClientError) -> bool {
    error.is_connect()
}

#[cfg(target_arch = "wasm32")]
fn is_connect(_: &ClientError) -> bool {
    false
}
