//! Remembers the calls of a run that failed, so that the same call is not made over and over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use foldhash::HashMap;

/// How often the same call may fail before it is refused.
const MOST_FAILURES: u32 = 3;

/// The failed calls of a run, by tool and canonical arguments.
#[derive(Default)]
pub(crate) struct RepeatGuard {
    /// Whether anything was ever written down: nearly no run needs more than to know that it was not.
    used: AtomicBool,
    failed: Mutex<HashMap<(usize, String), Failures>>,
}

#[derive(Clone, Copy, Default)]
struct Failures {
    count: u32,
    /// It may have taken effect, and a second time would be a second effect.
    in_doubt: bool,
}

/// Why a call is not run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeated {
    /// It failed too often, and nothing has changed since.
    TooOften(u32),
    /// It may have happened already.
    InDoubt,
}

impl RepeatGuard {
    /// Whether any call failed so far, so that it is worth while to look.
    pub(crate) fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether the same call is refused by now.
    pub(crate) fn check(&self, tool: usize, arguments: &str) -> Option<Repeated> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = failed.get(&(tool, arguments.to_owned()))?;
        match failures {
            Failures { in_doubt: true, .. } => Some(Repeated::InDoubt),
            Failures { count, .. } if *count >= MOST_FAILURES => Some(Repeated::TooOften(*count)),
            Failures { .. } => None,
        }
    }

    /// A call failed.
    pub(crate) fn failed(&self, tool: usize, arguments: String, in_doubt: bool) {
        self.used.store(true, Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = failed.entry((tool, arguments)).or_default();
        failures.count = failures.count.saturating_add(1);
        failures.in_doubt |= in_doubt;
    }

    /// A call was dropped while it ran. That is no failure, but it may have taken effect.
    pub(crate) fn doubt(&self, tool: usize, arguments: String) {
        self.used.store(true, Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.entry((tool, arguments)).or_default().in_doubt = true;
    }

    /// Everything that is remembered: tool, arguments, how often it failed and whether it may have had its effect.
    pub(crate) fn entries(&self) -> Vec<(usize, String, u32, bool)> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries: Vec<_> = failed
            .iter()
            .map(|((tool, arguments), failures)| (*tool, arguments.clone(), failures.count, failures.in_doubt))
            .collect();
        entries.sort();
        entries
    }

    /// Remembers what another process has seen.
    pub(crate) fn restore(&self, tool: usize, arguments: String, count: u32, in_doubt: bool) {
        self.used.store(true, Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.insert((tool, arguments), Failures { count, in_doubt });
    }

    /// A call succeeded: what it failed with before is over.
    pub(crate) fn succeeded(&self, tool: usize, arguments: &str) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.remove(&(tool, arguments.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::{RepeatGuard, Repeated};

    #[test]
    fn the_same_call_is_refused_after_three_failures_and_no_other_one() {
        let guard = RepeatGuard::default();
        assert!(!guard.is_used());
        for _ in 0..3 {
            assert_eq!(guard.check(1, "{}"), None);
            guard.failed(1, "{}".to_owned(), false);
        }
        assert_eq!(guard.check(1, "{}"), Some(Repeated::TooOften(3)));
        assert_eq!(guard.check(2, "{}"), None);
        assert_eq!(guard.check(1, "{\"a\":1}"), None);
    }

    #[test]
    fn its_own_success_forgives_and_that_of_others_does_not() {
        let guard = RepeatGuard::default();
        for _ in 0..3 {
            guard.failed(1, "{}".to_owned(), false);
        }
        guard.succeeded(1, "{\"a\":1}");
        guard.succeeded(2, "{}");
        assert_eq!(guard.check(1, "{}"), Some(Repeated::TooOften(3)));
        guard.succeeded(1, "{}");
        assert_eq!(guard.check(1, "{}"), None);
    }

    #[test]
    fn what_may_have_happened_is_refused_at_once() {
        let guard = RepeatGuard::default();
        guard.failed(1, "{}".to_owned(), true);
        guard.failed(1, "{}".to_owned(), false);
        assert_eq!(guard.check(1, "{}"), Some(Repeated::InDoubt));
    }
}
