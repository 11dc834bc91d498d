//! Keeps panics of tools, types and rules inside of their call.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What somebody's code panicked with, in words. For the log alone.
pub(crate) struct Panicked(String);

impl Panicked {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    fn of(payload: Box<dyn Any + Send>) -> Self {
        let text = payload
            .downcast_ref::<&'static str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a payload that is no text".to_owned());
        // A payload is a value like any other, and its own end may panic once more. That is as far as it goes.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Self(text)
    }
}

/// Runs code that is not this crate's. What it has touched is given up with the attempt or read through locks and cells
/// that hold no half-made state, which is why unwinding through it is safe.
#[inline]
pub(crate) fn contain<T>(run: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(Panicked::of)
}
