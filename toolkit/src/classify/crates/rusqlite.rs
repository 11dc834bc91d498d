//! `rusqlite`.

use std::error::Error;

use rusqlite::Error as DatabaseError;
use rusqlite::ffi;

use super::sqlite::class_of_code;
use crate::classify::ErrorClass;
use crate::classify::chain::peel;
use crate::classify::types::Inferred;

pub(in crate::classify) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    if let Some(error) = peel::<ffi::Error>(link) {
        return Some(Inferred::class(class_of_code(error.extended_code)).last_word());
    }
    let class = match peel::<DatabaseError>(link)? {
        error if error.sqlite_error().is_some() => {
            class_of_code(error.sqlite_error().map_or(0, |inner| inner.extended_code))
        }
        DatabaseError::QueryReturnedNoRows => ErrorClass::NotFound,
        // The program and its schema do not agree, whatever the value was that showed it.
        _ => ErrorClass::Internal,
    };
    Some(Inferred::class(class).last_word())
}
