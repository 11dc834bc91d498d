//! One conversation, or one job: what belongs to its calls together.

mod guard;
mod side_by_side;

use std::hash::BuildHasher as _;
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foldhash::quality::FixedState;
use serde_json::Value;

pub(crate) use self::guard::{RepeatGuard, Repeated};
use self::side_by_side::{Work, side_by_side};
use crate::call::{ToolCall, ToolResult};
use crate::context::{Place, TypeMap, random_id, usual_roles};
use crate::executor::Executor;
use crate::provider::{Export, ParseError};
use crate::registry::Registry;

/// One conversation or job, made by [`Executor::run`]. It owns the roles of the caller, the deadline of the whole and
/// the key space of the idempotency keys.
pub struct Run {
    executor: Executor,
    state: Arc<RunState>,
    turn: AtomicU64,
}

#[derive(Clone)]
pub(crate) struct RunState {
    id: String,
    /// Where its random numbers begin: by its name, or by its number among the runs without one.
    stream: u64,
    roles: Vec<String>,
    deadline: Option<Instant>,
    extensions: TypeMap,
    memory: Arc<Memory>,
}

/// What a run remembers of its calls.
#[derive(Default)]
struct Memory {
    guard: RepeatGuard,
    /// How many calls had a name that is nobody's.
    invented: AtomicU32,
}

impl RunState {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn stream(&self) -> u64 {
        self.stream
    }

    pub(crate) fn roles(&self) -> &[String] {
        if self.roles.is_empty() { usual_roles() } else { &self.roles }
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(crate) fn guard(&self) -> &RepeatGuard {
        &self.memory.guard
    }

    /// Notes a call by a name that is nobody's; says how many there were with it.
    pub(crate) fn note_invented(&self) -> u32 {
        self.memory.invented.fetch_add(1, Ordering::Relaxed).saturating_add(1)
    }

    /// How many calls had a name that is nobody's.
    pub(crate) fn invented(&self) -> u32 {
        self.memory.invented.load(Ordering::Relaxed)
    }

    pub(crate) fn set_invented(&self, invented: u32) {
        self.memory.invented.store(invented, Ordering::Relaxed);
    }

    pub(crate) fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.extensions.get()
    }
}

impl Run {
    /// A run of this name; a blank one gets a random name, since equal names mean equal idempotency keys.
    pub(crate) fn new(executor: Executor, id: String) -> Self {
        let (id, stream) = match id.trim() {
            "" => (random_id(), executor.next_stream()),
            _ => {
                let stream = FixedState::with_seed(0).hash_one(&id);
                (id, stream)
            }
        };
        let state = RunState {
            id,
            stream,
            roles: Vec::new(),
            deadline: None,
            extensions: TypeMap::default(),
            memory: Arc::default(),
        };
        Self { executor, state: Arc::new(state), turn: AtomicU64::new(0) }
    }

    /// The roles of the caller: `user` where none are given.
    #[must_use]
    pub fn roles<S: Into<String>>(self, roles: impl IntoIterator<Item = S>) -> Self {
        let roles = roles.into_iter().map(Into::into).collect();
        self.with(|state| state.roles = roles)
    }

    /// The time from now in which the whole run must end.
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        let deadline = self.executor.now().checked_add(deadline);
        self.with(|state| state.deadline = deadline)
    }

    /// A value that tools read with [`ToolContext::extension`](crate::ToolContext::extension).
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.with(|state| {
            state.extensions.insert(value);
        })
    }

    /// A tool that still runs on a thread of its own keeps what it was given; hence the copy where one does.
    fn with(mut self, change: impl FnOnce(&mut RunState)) -> Self {
        change(Arc::make_mut(&mut self.state));
        self
    }

    /// The name of the run.
    pub fn id(&self) -> &str {
        self.state.id()
    }

    /// The executor that runs the calls.
    pub fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The tools that the caller may use, which is what the model is to be shown: without those for other roles, and
    /// those that the host's rules hide or deny whatever the arguments are.
    pub fn registry(&self) -> Registry {
        self.executor.registry().filter(|spec| self.executor.is_open(spec, self.state.roles()))
    }

    /// Runs one call.
    pub async fn call(&self, call: ToolCall) -> ToolResult {
        let place = Place { turn: self.next_turn(), index: 0 };
        self.call_at(place, call, &|_| {}).await
    }

    /// Runs the calls of one turn side by side, on the task of the caller. One result a call, in their order.
    ///
    /// A tool that is `sequential` is a barrier: the calls before it end first, and those after it begin when it has ended.
    pub async fn call_all(&self, calls: impl IntoIterator<Item = ToolCall>) -> Vec<ToolResult> {
        let turn = self.next_turn();
        let calls: Vec<_> = calls.into_iter().enumerate().map(|(index, call)| (Place { turn, index }, call)).collect();
        let results = Mutex::new(vec![None; calls.len()]);
        let done = |place: Place, result| {
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = results.get_mut(place.index) {
                *slot = Some(result);
            }
        };
        self.call_places(calls, &|_| {}, &done).await;
        // Every call has come to its end, and there is one result for each.
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }

    /// The answer to a call that was broken off: not a failure, and nothing to be made up for. `begun` says whether it may
    /// have run; nobody knows then what it did. In a conversation every call needs its answer, or no further request is
    /// taken.
    pub fn cancelled(&self, call: &ToolCall, begun: bool) -> ToolResult {
        ToolResult::cancelled(call.call_id().to_owned(), call.name().to_owned(), begun, self.executor.language())
    }

    /// Answers a reply of the model: reads its calls, runs them as [`call_all`](Self::call_all) does, and gives what
    /// follows in the conversation: the model's turn first and then the results. `None` where the model called no tool.
    ///
    /// # Errors
    /// The body is no reply of the provider's.
    pub async fn answer(&self, export: &Export, response: &Value) -> Result<Option<Vec<Value>>, ParseError> {
        let calls = export.parse_calls(response)?;
        if calls.is_empty() {
            return Ok(None);
        }
        let results = self.call_all(calls).await;
        let mut messages = export.turn_messages(response);
        messages.extend(export.render_results(&results));
        Ok(Some(messages))
    }

    /// Runs calls at their places in a turn, side by side as far as their tools allow. Says of each when its first attempt
    /// begins, and hands its result on as soon as that is there.
    pub(crate) async fn call_places(
        &self,
        calls: Vec<(Place, ToolCall)>,
        began: &(dyn Fn(Place) + Sync),
        done: &(dyn Fn(Place, ToolResult) + Sync),
    ) {
        let mut together: Vec<Work<'_>> = Vec::new();
        for (place, call) in calls {
            let alone = self.executor.runs_alone(&call.name, self.state.roles());
            if alone {
                side_by_side(mem::take(&mut together)).await;
            }
            together.push(Box::pin(async move { done(place, self.call_at(place, call, began).await) }));
            if alone {
                side_by_side(mem::take(&mut together)).await;
            }
        }
        side_by_side(together).await;
    }

    async fn call_at(&self, place: Place, call: ToolCall, began: &(dyn Fn(Place) + Sync)) -> ToolResult {
        self.executor.call_in(Some(&self.state), place, call, Some(&|| began(place))).await
    }

    pub(crate) fn state(&self) -> &Arc<RunState> {
        &self.state
    }

    /// The number of the turn that comes next.
    pub(crate) fn turn(&self) -> u64 {
        self.turn.load(Ordering::Relaxed)
    }

    /// The run goes on where another one of its name had come to.
    pub(crate) fn set_turn(&self, turn: u64) {
        self.turn.store(turn, Ordering::Relaxed);
    }

    /// The number of the turn that begins now.
    pub(crate) fn next_turn(&self) -> u64 {
        self.turn.fetch_add(1, Ordering::Relaxed)
    }
}
