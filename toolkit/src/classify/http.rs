//! What an HTTP status means.

use super::ErrorClass;

/// The statuses that mean something of their own, by class.
pub(super) const STATUSES: [(ErrorClass, &[u16]); 9] = [
    // 598 is what proxies answer when they gave up reading; 522 and 524 come from the edge of a network.
    (ErrorClass::Timeout, &[408, 504, 522, 524, 598]),
    (ErrorClass::Network, &[520, 521, 523]),
    (ErrorClass::RateLimit, &[429]),
    (ErrorClass::ServiceUnavailable, &[425, 502, 503, 507, 529]),
    (ErrorClass::InvalidArgument, &[400, 405, 406, 411, 413, 414, 415, 416, 417, 418, 421, 422, 426, 431]),
    // 511 is a captive portal that wants somebody to sign in.
    (ErrorClass::PermissionDenied, &[401, 402, 403, 407, 451, 511]),
    (ErrorClass::NotFound, &[404, 410]),
    (ErrorClass::Conflict, &[409, 412, 423, 428]),
    // 501 and 505 stay what they are however often they are asked; 500 says that the request may have run.
    (ErrorClass::Internal, &[500, 501, 505, 506, 508, 510]),
];

/// The class of a status, for any number at all.
///
/// A status that no table knows is never transient: another 4xx blames the request, another 5xx the service. 499 is
/// written by a proxy whose client went away, and what is no status of a failure says nothing.
pub(crate) fn class_of_status(status: u16) -> ErrorClass {
    let listed = STATUSES.iter().find(|(_, statuses)| statuses.contains(&status));
    match (listed, status) {
        (Some((class, _)), _) => *class,
        (None, 400..=498) => ErrorClass::InvalidArgument,
        (None, 500..=599) => ErrorClass::Internal,
        // With 499.
        (None, _) => ErrorClass::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statuses_of_public_reports_have_their_classes() {
        use ErrorClass::{
            Conflict, Internal, InvalidArgument, Network, NotFound, PermissionDenied, RateLimit, ServiceUnavailable,
            Timeout, Unknown,
        };
        let expected: [(ErrorClass, &[u16]); 10] = [
            (InvalidArgument, &[400, 405, 406, 411, 413, 414, 415, 416, 417, 418, 421, 422, 426, 431]),
            (PermissionDenied, &[401, 402, 403, 407, 451, 511]),
            (NotFound, &[404, 410]),
            (Timeout, &[408, 504, 522, 524, 598]),
            (Conflict, &[409, 412, 423, 428]),
            (ServiceUnavailable, &[425, 502, 503, 507, 529]),
            (RateLimit, &[429]),
            (Internal, &[500, 501, 505, 506, 508, 510, 509, 525, 526, 530, 599]),
            (Network, &[520, 521, 523]),
            (Unknown, &[499, 0, 1, 99, 100, 200, 204, 302, 399, 600, 65535]),
        ];
        for (class, statuses) in expected {
            for &status in statuses {
                assert_eq!(class_of_status(status), class, "{status}");
            }
        }
    }

    #[test]
    fn no_status_stands_under_two_classes() {
        let mut all: Vec<u16> = STATUSES.iter().flat_map(|(_, statuses)| statuses.iter().copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn only_listed_statuses_are_transient() {
        let transient: Vec<u16> = (0..=u16::MAX).filter(|&status| class_of_status(status).is_transient()).collect();
        assert_eq!(transient, [408, 425, 429, 502, 503, 504, 507, 520, 521, 522, 523, 524, 529, 598]);
    }
}
