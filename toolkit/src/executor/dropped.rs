//! What is set right where a call is dropped on its way.

use super::job::Job;
use crate::arguments::canonical;
use crate::retry::RetryBudget;

/// An attempt that runs. Where its call is dropped, nobody will ever know what it did.
pub(super) struct UnlessDropped<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) text: &'a str,
}

impl UnlessDropped<'_> {
    /// The attempt is over; `by_itself`, or given up.
    pub(super) fn ended(self, by_itself: bool) {
        if by_itself {
            self.job.cx.cancellation_slot().clear();
        } else {
            self.job.cx.cancellation_slot().cancel();
        }
        std::mem::forget(self);
    }
}

impl Drop for UnlessDropped<'_> {
    fn drop(&mut self) {
        let Job { cx, spec, .. } = self.job;
        cx.cancellation_slot().cancel();
        if !spec.idempotent()
            && !cx.was_not_begun()
            && let (Some(guard), Some(tool)) = (cx.repeat_guard(), cx.tool_place())
        {
            guard.doubt(tool, canonical(self.text));
        }
    }
}

/// A retry that was paid for. Paid back where it is not made.
pub(super) struct Paid<'a>(pub(super) Option<&'a RetryBudget>);

impl Paid<'_> {
    pub(super) fn spent(mut self) {
        self.0 = None;
    }
}

impl Drop for Paid<'_> {
    fn drop(&mut self) {
        if let Some(budget) = self.0 {
            budget.refund();
        }
    }
}
