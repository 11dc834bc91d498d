//! `sqlx`, and the SQLSTATE that databases give.

use std::error::Error;

use sqlx::Error as DatabaseError;
use sqlx::error::ErrorKind;

use super::sqlite;
use crate::classify::ErrorClass::{
    self, Conflict, Internal, InvalidArgument, Network, NotFound, PermissionDenied, ServiceUnavailable, Timeout,
};
use crate::classify::chain::peel;
use crate::classify::types::Inferred;

/// SQLSTATEs and their beginnings by class. The first that fits decides, so that what is special stands first.
pub(in crate::classify) const STATES: [(ErrorClass, &[&str]); 9] = [
    (ServiceUnavailable, &["40001", "40P01", "55P03", "55006", "53300", "53400", "57P01", "57P02", "57P03", "25006"]),
    (Timeout, &["57014"]),
    (Conflict, &["23505", "23P01"]),
    (InvalidArgument, &["23502", "23503", "23514"]),
    (PermissionDenied, &["42501"]),
    (Network, &["08"]),
    (InvalidArgument, &["22"]),
    (PermissionDenied, &["28"]),
    (Internal, &["53000", "53100", "53200", "58", "XX", "42"]),
];

fn class_of_state(state: &str) -> Option<ErrorClass> {
    STATES.iter().find(|(_, starts)| starts.iter().any(|start| state.starts_with(start))).map(|(class, _)| *class)
}

pub(in crate::classify) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    let class = match peel::<DatabaseError>(link)? {
        // What stands behind it decides.
        DatabaseError::Io(_) | DatabaseError::AnyDriverError(_) => return Some(Inferred::maybe(None)),
        DatabaseError::Database(error) => class_of_answer(error.code().as_deref(), &error.kind()),
        DatabaseError::PoolTimedOut => Some(ServiceUnavailable),
        DatabaseError::RowNotFound => Some(NotFound),
        DatabaseError::Tls(_) => Some(Network),
        // The program, its schema and its settings do not agree, whatever the value was that showed it.
        _ => Some(Internal),
    };
    Some(match class {
        Some(class) => Inferred::class(class).last_word(),
        None => Inferred::maybe(None),
    })
}

/// The class of what a database answered. Five characters are a SQLSTATE, a shorter number is a code of SQLite, and
/// where a database has but one state for all that a constraint refuses, its driver knows more.
fn class_of_answer(code: Option<&str>, kind: &ErrorKind) -> Option<ErrorClass> {
    let class = match code {
        Some(state) if state.len() == 5 => class_of_state(state),
        Some(number) => number.parse().ok().map(sqlite::class_of_code),
        None => None,
    };
    class.or(match kind {
        ErrorKind::UniqueViolation | ErrorKind::ExclusionViolation => Some(Conflict),
        ErrorKind::ForeignKeyViolation | ErrorKind::NotNullViolation | ErrorKind::CheckViolation => {
            Some(InvalidArgument)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_special_comes_before_its_class_of_states() {
        for (state, class) in [
            ("40001", Some(ServiceUnavailable)),
            ("57P02", Some(ServiceUnavailable)),
            ("08006", Some(Network)),
            ("57014", Some(Timeout)),
            ("23505", Some(Conflict)),
            ("23514", Some(InvalidArgument)),
            ("22P02", Some(InvalidArgument)),
            ("42501", Some(PermissionDenied)),
            ("42P01", Some(Internal)),
            ("28P01", Some(PermissionDenied)),
            ("53100", Some(Internal)),
            ("53300", Some(ServiceUnavailable)),
            ("58030", Some(Internal)),
            ("XX000", Some(Internal)),
            ("23000", None),
            ("P0001", None),
            ("00000", None),
        ] {
            assert_eq!(class_of_state(state), class, "{state}");
        }
    }

    #[test]
    fn where_the_state_says_too_little_the_driver_is_asked() {
        let answer = |code, kind: ErrorKind| class_of_answer(code, &kind);
        assert_eq!(answer(Some("23000"), ErrorKind::UniqueViolation), Some(Conflict));
        assert_eq!(answer(Some("23000"), ErrorKind::ForeignKeyViolation), Some(InvalidArgument));
        assert_eq!(answer(Some("HY000"), ErrorKind::Other), None);
        assert_eq!(answer(Some("2067"), ErrorKind::NotNullViolation), Some(Conflict), "SQLite's code says enough");
        assert_eq!(answer(None, ErrorKind::Other), None);
        assert_eq!(answer(Some("?"), ErrorKind::Other), None);
    }
}
