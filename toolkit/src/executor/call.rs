//! The way of one call: found, admitted, attempted until it ends, answered.

use std::future::poll_fn;
use std::mem;
use std::sync::Arc;
use std::time::Instant;

use super::admit::Wanted;
use super::course::{Course, End};
use super::job::Job;
use super::nested::{self, Outer};
use super::{Executor, Inner, span};
use crate::arguments::shorten;
use crate::call::{Options, Outcome, Parts, Repair, RepairKind, ToolCall, ToolResult};
use crate::context::{Place, ToolContext, usual_roles};
use crate::observe::{CallInfo, Event};
use crate::output;
use crate::retry::StopReason;
use crate::run::RunState;
use crate::tool::ToolSpec;

impl Executor {
    /// Runs a call; `began` is told when its first attempt begins.
    ///
    /// Calls wait by the hundred thousand, so what a call keeps while it waits is kept once: an `async fn` would hold its
    /// arguments a second time.
    pub(crate) fn call_in<'a>(
        &'a self,
        run: Option<&'a Arc<RunState>>,
        place: Place,
        call: ToolCall,
        began: Option<&'a (dyn Fn() + Sync)>,
    ) -> impl Future<Output = ToolResult> + Send + 'a {
        async move {
            let inner = &*self.0;
            let started = inner.now();
            let outer = nested::outer(inner.address());
            let deadline = deadline(started, call.options.as_deref(), run, outer);
            let roles = match run {
                Some(run) => run.roles(),
                None => usual_roles(),
            };
            let Some((tool, spec, renamed)) = inner.locate(&call.name, roles) else {
                // In the same order as for a tool that is hidden, so that nothing tells the two apart.
                let refused = match deadline {
                    Some(deadline) if deadline <= started => inner.out_of_time(),
                    _ => inner.unknown_tool(run.map(AsRef::as_ref), &call.name),
                };
                let text = call.arguments.text();
                let parts = Parts { call_id: call.id, name: call.name, ..Parts::default() };
                let result = inner.refuse(None, parts, &text, refused);
                inner.ended(None, run, &result);
                return result;
            };
            let text = call.arguments.text();
            let span = span::of_call(spec, &call.id, inner.trace_content.then_some(&*text));
            let mut cx = ToolContext::new(self.clone(), tool, run.cloned(), place, call.id, deadline);
            let job = Job { inner, cx: &cx, spec, span: &span, started, outer, began };
            let unless_dropped = UnlessDropped(&job);
            let wanted = Wanted { name: &call.name, text: &text, options: call.options.as_deref() };
            let mut course = Course::new(&job, wanted);
            let (end, duration) = poll_fn(|task| course.poll(task)).await;
            let (attempts, mut repairs) = course.record();
            drop(course);
            mem::forget(unless_dropped);
            if let Some(renamed) = renamed {
                repairs.insert(0, *renamed);
            }

            let parts = || Parts { call_id: cx.take_call_id(), name: call.name, attempts, repairs, duration };
            let result = match end {
                End::Succeeded(output) => {
                    let limit = spec.max_output().unwrap_or(inner.max_output);
                    let cut = output::shown(&output, limit, inner.language);
                    ToolResult::succeeded(parts(), output, cut)
                }
                End::Failed { stop, outcome, message } => ToolResult::failed(parts(), outcome, stop, None, message),
                // It is logged inside of the span of its call.
                End::Refused(refused) => span::inside(&span, || inner.refuse(Some(spec), parts(), &text, *refused)),
            };
            span::ended(&span, spec, inner.trace_content.then_some(&*text), &result);
            drop(span);
            inner.ended(Some(spec), run, &result);
            result
        }
    }
}

impl Inner {
    /// Tells the observers that a call has its result.
    pub(super) fn ended(&self, spec: Option<&ToolSpec>, run: Option<&Arc<RunState>>, result: &ToolResult) {
        if !self.observers.is_empty() {
            // The tool's own name, where the model wrote it in another way.
            let call = CallInfo {
                tool: spec.map_or(result.name(), ToolSpec::name),
                category: spec.map(ToolSpec::category),
                call_id: result.call_id(),
                run: run.map(|run| run.id()),
            };
            self.tell(&Event::CallFinished {
                call,
                outcome: result.outcome(),
                attempts: result.attempts().len(),
                duration: result.duration(),
                stop: result.stop(),
            });
        }
    }
}

/// A call under way: its span and the observers are told of its end also where it is dropped.
struct UnlessDropped<'a>(&'a Job<'a>);

impl Drop for UnlessDropped<'_> {
    fn drop(&mut self) {
        let Job { inner, cx, span, started, .. } = self.0;
        let begun = cx.has_begun();
        // A body that was still waiting for a thread will never run.
        let has_run = begun && !(cx.was_not_begun() && cx.attempt() == 1);
        let outcome = if has_run { Outcome::Unknown } else { Outcome::NotExecuted };
        span::dropped(span, outcome);
        if !inner.observers.is_empty() {
            inner.tell(&Event::CallFinished {
                call: cx.info(),
                outcome,
                attempts: if begun { cx.attempt() as usize } else { 0 },
                duration: inner.now().saturating_duration_since(*started),
                stop: Some(StopReason::Cancelled),
            });
        }
    }
}

/// The repair of a tool's name.
#[cold]
pub(super) fn renaming(from: &str, to: &str) -> Repair {
    let from = shorten(from, 64).into_owned();
    Repair { path: String::new(), from, to: to.to_owned(), kind: RepairKind::Name }
}

/// When the call must have ended: the earliest of its own time, its run's, and that of the tool that makes it.
fn deadline(
    started: Instant,
    options: Option<&Options>,
    run: Option<&Arc<RunState>>,
    outer: Option<Outer>,
) -> Option<Instant> {
    let own = options.and_then(|options| options.deadline).and_then(|time| started.checked_add(time));
    let whole = run.and_then(|run| run.deadline());
    let outer = outer.and_then(|outer| outer.deadline);
    [own, whole, outer].into_iter().flatten().min()
}
