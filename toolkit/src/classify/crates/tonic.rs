//! `tonic`: the codes of gRPC.

use std::error::Error;
use std::time::{Duration, SystemTime};

use tonic::metadata::MetadataMap;
use tonic::{Code, Status, TimeoutExpired};

use crate::classify::ErrorClass::{
    self, Conflict, Internal, InvalidArgument, NotFound, PermissionDenied, RateLimit, ServiceUnavailable, Timeout,
    Unknown,
};
use crate::classify::chain::peel;
use crate::classify::types::Inferred;
use crate::retry::RetryAfter;

/// The codes by class. What tonic found behind a status of its own making is closer to the fault, and counts before it.
pub(in crate::classify) const CODES: [(ErrorClass, &[Code]); 9] = [
    (ServiceUnavailable, &[Code::Unavailable]),
    (Timeout, &[Code::DeadlineExceeded]),
    (RateLimit, &[Code::ResourceExhausted]),
    (Conflict, &[Code::Aborted, Code::FailedPrecondition, Code::AlreadyExists]),
    (InvalidArgument, &[Code::InvalidArgument, Code::OutOfRange, Code::Unimplemented]),
    (NotFound, &[Code::NotFound]),
    (PermissionDenied, &[Code::PermissionDenied, Code::Unauthenticated]),
    (Internal, &[Code::Internal, Code::DataLoss]),
    // Somebody stopped the call, which is no failure, unless a time limit behind it says that it did.
    (Unknown, &[Code::Unknown, Code::Cancelled, Code::Ok]),
];

pub(in crate::classify) fn class_of_code(code: Code) -> ErrorClass {
    CODES.iter().find(|(_, codes)| codes.contains(&code)).map_or(Unknown, |(class, _)| *class)
}

pub(in crate::classify) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    if peel::<TimeoutExpired>(link).is_some() {
        return Some(Inferred::class(Timeout));
    }
    let status = peel::<Status>(link)?;
    let class = match status.code() {
        // The one limit of this code that no waiting helps against.
        Code::ResourceExhausted if is_too_large(status.message()) => InvalidArgument,
        // The other side's limit comes over the wire as these words alone.
        Code::Cancelled if status.message() == TimeoutExpired(()).to_string() => Timeout,
        code => class_of_code(code),
    };
    Some(Inferred { retry_after: wait_in(status.metadata()), ..Inferred::class(class) })
}

/// In the words of the other implementations, and in those of this one.
fn is_too_large(message: &str) -> bool {
    message.contains("larger than max") || message.contains("message length too large")
}

/// What the service asks for: in the header of gRPC's own retries, or in that of HTTP. A negative pushback asks for no
/// retry at all, which is no wait.
fn wait_in(metadata: &MetadataMap) -> Option<Duration> {
    let text = |name: &str| metadata.get(name).and_then(|value| value.to_str().ok());
    let now = SystemTime::now();
    let pushback = text("grpc-retry-pushback-ms").map(|value| ("retry-after-ms", value));
    let headers = ["retry-after-ms", "retry-after"].into_iter().filter_map(|name| Some((name, text(name)?)));
    RetryAfter::from_headers(pushback.into_iter().chain(headers), now)
}
