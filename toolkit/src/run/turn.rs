//! The calls of one turn: run side by side as far as their tools allow, and each answered, whatever interrupts them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use futures_util::future::join_all;

use super::Run;
use crate::call::{ToolCall, ToolResult};
use crate::context::Place;

/// A turn. It outlives the future that runs it, so that a turn which is broken off can be answered all the same.
pub(crate) struct Turn {
    number: u64,
    calls: Vec<Slot>,
}

struct Slot {
    id: String,
    name: String,
    /// Until it runs.
    call: Mutex<Option<ToolCall>>,
    begun: AtomicBool,
    result: OnceLock<ToolResult>,
}

impl Turn {
    pub(super) fn new(number: u64, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        let slot = |call: ToolCall| Slot {
            id: call.call_id().to_owned(),
            name: call.name().to_owned(),
            call: Mutex::new(Some(call)),
            begun: AtomicBool::new(false),
            result: OnceLock::new(),
        };
        Self { number, calls: calls.into_iter().map(slot).collect() }
    }

    /// Runs the calls, each once. What comes before a call that runs alone has ended when it begins, and what
    /// comes after it has not begun before it ended.
    pub(crate) async fn run(&self, run: &Run) {
        let runs_alone = |slot: &Slot| run.executor.runs_alone(&slot.name, run.state.roles());
        let calls: Vec<(usize, &Slot, bool)> =
            self.calls.iter().enumerate().map(|(index, slot)| (index, slot, runs_alone(slot))).collect();
        for together in calls.chunk_by(|one, next| !one.2 && !next.2) {
            join_all(together.iter().map(|(index, slot, _)| self.call(run, *index, slot))).await;
        }
    }

    async fn call(&self, run: &Run, index: usize, slot: &Slot) {
        let place = Place { turn: self.number, index };
        let Some(call) = slot.call.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let result = run.executor.call_in(Some(&run.state), place, call, Some(&slot.begun)).await;
        let _ = slot.result.set(result);
    }

    /// One result a call, in their order. Those that have none were cancelled.
    pub(crate) fn into_results(self, run: &Run) -> Vec<ToolResult> {
        let result = |slot: Slot| {
            let begun = slot.begun.load(Ordering::Relaxed);
            let language = run.executor.language();
            slot.result.into_inner().unwrap_or_else(|| ToolResult::cancelled(slot.id, slot.name, begun, language))
        };
        self.calls.into_iter().map(result).collect()
    }
}
