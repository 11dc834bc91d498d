//! The result codes of `SQLite`, which rusqlite and sqlx hand on.

use crate::classify::ErrorClass::{self, Conflict, Internal, PermissionDenied, ServiceUnavailable};

/// [The primary codes](https://www.sqlite.org/rescode.html) by their class.
pub(in crate::classify) const CODES: [(ErrorClass, &[(i32, &str)]); 4] = [
    (ServiceUnavailable, &[(5, "BUSY"), (6, "LOCKED")]),
    (Conflict, &[(19, "CONSTRAINT")]),
    (PermissionDenied, &[(3, "PERM"), (8, "READONLY"), (23, "AUTH")]),
    // A statement that is wrong, a file that is damaged, a disk that is full: trying again changes nothing. The text of
    // the first, `no such table`, is not about what somebody looked for.
    (
        Internal,
        &[
            (1, "ERROR"),
            (2, "INTERNAL"),
            (7, "NOMEM"),
            (10, "IOERR"),
            (11, "CORRUPT"),
            (12, "NOTFOUND"),
            (13, "FULL"),
            (14, "CANTOPEN"),
            (15, "PROTOCOL"),
            (17, "SCHEMA"),
            (18, "TOOBIG"),
            (20, "MISMATCH"),
            (21, "MISUSE"),
            (22, "NOLFS"),
            (24, "FORMAT"),
            (25, "RANGE"),
            (26, "NOTADB"),
        ],
    ),
];

/// The class of a code, extended or not. A code that is not listed means that somebody stopped the statement, or nothing.
pub(super) fn class_of_code(code: i32) -> ErrorClass {
    // The upper bits say more about the same.
    let primary = code & 0xff;
    let listed = CODES.iter().find(|(_, codes)| codes.iter().any(|(known, _)| *known == primary));
    listed.map_or(ErrorClass::Unknown, |(class, _)| *class)
}
