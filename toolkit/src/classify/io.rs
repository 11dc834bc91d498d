//! What the error types of std, tokio and `serde_json` mean.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::sync::OnceLock;

use super::ErrorClass;
use super::chain::{cast, peel};
use super::types::Inferred;

/// What the type of one link gives away, its causes left aside.
pub(super) fn judge(link: &(dyn Error + 'static)) -> Option<Inferred> {
    if let Some(error) = peel::<io::Error>(link) {
        return Some(Inferred::maybe(class_of_kind(error.kind())));
    }
    if peel::<tokio::time::error::Elapsed>(link).is_some() {
        return Some(Inferred::class(ErrorClass::Timeout));
    }
    if let Some(error) = peel::<serde_json::Error>(link) {
        // Anything but a failed read is about what somebody else sent: the arguments of a call are decoded elsewhere.
        return Some(match error.io_error_kind() {
            Some(kind) => Inferred::maybe(class_of_kind(kind)),
            None => Inferred::class(ErrorClass::Internal),
        });
    }
    if let Some(error) = peel::<tokio::task::JoinError>(link) {
        // A task that somebody stopped has not failed: no class fits, and it must not be tried again.
        return Some(Inferred::class(if error.is_panic() { ErrorClass::Internal } else { ErrorClass::Unknown }));
    }
    if is_reading_fault(link) {
        return Some(Inferred::class(ErrorClass::Internal));
    }
    class_of_channel(link).map(Inferred::class)
}

/// The channels and the semaphore of tokio and std. Where the other side is gone, a part of the program is; what is
/// empty or taken now may not be later. The errors that give back what was sent are of a type for each type of that,
/// and are known by their text alone.
fn class_of_channel(link: &(dyn Error + 'static)) -> Option<ErrorClass> {
    use std::sync::mpsc as std_mpsc;
    use tokio::sync::{AcquireError, TryAcquireError, broadcast, mpsc, oneshot, watch};

    fn is<E: Error + PartialEq + 'static>(link: &(dyn Error + 'static), one: E) -> Option<bool> {
        cast::<E>(link).map(|error| *error == one)
    }

    let is_gone = cast::<oneshot::error::RecvError>(link).is_some()
        || cast::<broadcast::error::RecvError>(link).is_some()
        || cast::<watch::error::RecvError>(link).is_some()
        || cast::<AcquireError>(link).is_some()
        || cast::<std_mpsc::RecvError>(link).is_some();
    if is_gone {
        return Some(ErrorClass::Internal);
    }
    if let Some(error) = cast::<std_mpsc::RecvTimeoutError>(link) {
        return Some(match error {
            std_mpsc::RecvTimeoutError::Timeout => ErrorClass::Timeout,
            std_mpsc::RecvTimeoutError::Disconnected => ErrorClass::Internal,
        });
    }
    let may_come = is(link, mpsc::error::TryRecvError::Empty)
        .or_else(|| is(link, oneshot::error::TryRecvError::Empty))
        .or_else(|| is(link, broadcast::error::TryRecvError::Empty))
        .or_else(|| is(link, TryAcquireError::NoPermits))
        .or_else(|| is(link, std_mpsc::TryRecvError::Empty));
    may_come.map(|may_come| if may_come { ErrorClass::ServiceUnavailable } else { ErrorClass::Internal })
}

macro_rules! reading_faults {
    ($($ty:ty),* $(,)?) => {
        /// Errors of reading a text or a number. As far as anyone can tell, an upstream sent it.
        fn is_reading_fault(link: &(dyn Error + 'static)) -> bool {
            $(cast::<$ty>(link).is_some())||*
        }

        #[cfg(test)]
        pub(super) const READING_FAULTS: &[&str] = &[$(stringify!($ty)),*];
    };
}

reading_faults!(
    std::num::ParseIntError,
    std::num::ParseFloatError,
    std::num::TryFromIntError,
    std::str::ParseBoolError,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    std::string::FromUtf16Error,
    std::char::ParseCharError,
    std::char::CharTryFromError,
    std::net::AddrParseError,
    std::ffi::NulError,
    std::env::VarError,
    std::time::SystemTimeError,
    std::fmt::Error,
);

/// The class of a kind of I/O failure. None where the kind says nothing: what stands behind it or its text may.
pub(super) fn class_of_kind(kind: ErrorKind) -> Option<ErrorClass> {
    Some(match kind {
        ErrorKind::TimedOut => ErrorClass::Timeout,
        ErrorKind::ConnectionRefused
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::NotConnected
        | ErrorKind::AddrInUse
        | ErrorKind::AddrNotAvailable
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::NetworkDown => ErrorClass::Network,
        ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::ResourceBusy => ErrorClass::ServiceUnavailable,
        ErrorKind::NotFound => ErrorClass::NotFound,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => ErrorClass::PermissionDenied,
        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty | ErrorKind::StaleNetworkFileHandle => {
            ErrorClass::Conflict
        }
        ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename
        | ErrorKind::NotADirectory
        | ErrorKind::IsADirectory
        | ErrorKind::ArgumentListTooLong
        | ErrorKind::Unsupported => ErrorClass::InvalidArgument,
        ErrorKind::InvalidData
        | ErrorKind::WriteZero
        | ErrorKind::OutOfMemory
        | ErrorKind::StorageFull
        | ErrorKind::QuotaExceeded
        | ErrorKind::FileTooLarge
        | ErrorKind::Deadlock => ErrorClass::Internal,
        _ => return None,
    })
}

/// What an error of the operating system says. Asking the system for it takes longer than all the rest of a verdict, so
/// each is asked for once. None for what is no such error, or one with a number that is not among the usual ones.
pub(super) fn text_of_os_error(link: &(dyn Error + 'static)) -> Option<&'static str> {
    static TEXTS: [OnceLock<String>; 134] = [const { OnceLock::new() }; 134];
    let code = peel::<io::Error>(link)?.raw_os_error()?;
    let text = TEXTS.get(usize::try_from(code).ok()?)?;
    Some(text.get_or_init(|| io::Error::from_raw_os_error(code).to_string()))
}

/// The class of `(os error 111)` in a text.
///
/// Such a text may come from another machine, so besides this platform's numbers those of Windows sockets count, which
/// clash with nobody's. Numbers whose class would only blame the call or the tool prove too little and give none.
pub(super) fn class_of_os_error(code: i32) -> Option<ErrorClass> {
    let kind = match code {
        10051 => ErrorKind::NetworkUnreachable,
        10053 => ErrorKind::ConnectionAborted,
        10054 => ErrorKind::ConnectionReset,
        10060 => ErrorKind::TimedOut,
        10061 => ErrorKind::ConnectionRefused,
        10065 => ErrorKind::HostUnreachable,
        code => io::Error::from_raw_os_error(code).kind(),
    };
    class_of_kind(kind).filter(|class| !matches!(class, ErrorClass::InvalidArgument | ErrorClass::Internal))
}
