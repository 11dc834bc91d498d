//! What a tool can know of the call it serves.

use std::any::{Any, TypeId};
use std::error::Error as StdError;
use std::fmt::Write as _;
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

use crate::cancellation::{Cancellation, Slot};
use crate::classify::{Classify, ErrorClassifier};
use crate::error::ToolError;
use crate::executor::Executor;
use crate::observe::{CallInfo, Event};
use crate::output::Body;
use crate::run::{RepeatGuard, RunState};
use crate::tool::{StateType, ToolSpec};

/// The call that a tool serves. A tool takes it as `ctx: &ToolContext`; it is never part of the schema.
pub struct ToolContext {
    /// Absent where a tool is called as the plain function it is.
    host: Option<Host>,
    call_id: String,
    attempt: AtomicU32,
    /// Whether the first attempt has begun.
    begun: AtomicBool,
    /// Whether the arguments were held beside their schema.
    checked: AtomicBool,
    /// The body that was given up last goes on, on a thread of its own.
    still_running: AtomicBool,
    /// The body that was given up last had not begun, and never will.
    not_begun: AtomicBool,
    deadline: Option<Instant>,
    key: OnceLock<String>,
    /// Made where somebody asks for its token, which nobody can after the attempt.
    cancellation: OnceLock<Box<Slot>>,
    /// The body that this context is for, where it has a thread of its own.
    body: Option<Arc<Body>>,
}

#[derive(Clone)]
struct Host {
    executor: Executor,
    /// The tool's place in the registry.
    tool: usize,
    run: Option<Arc<RunState>>,
    /// The place of the call in its run, from which its idempotency key is made.
    place: Place,
}

/// Where in its run a call stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    pub(crate) turn: u64,
    pub(crate) index: usize,
}

impl ToolContext {
    /// A context outside of any executor, to call a tool in a test as the function it is.
    pub fn detached() -> Self {
        Self::of(None, String::new(), None)
    }

    #[inline]
    pub(crate) fn new(
        executor: Executor,
        tool: usize,
        run: Option<Arc<RunState>>,
        place: Place,
        call_id: String,
        deadline: Option<Instant>,
    ) -> Self {
        Self::of(Some(Host { executor, tool, run, place }), call_id, deadline)
    }

    #[inline]
    const fn of(host: Option<Host>, call_id: String, deadline: Option<Instant>) -> Self {
        Self {
            host,
            call_id,
            attempt: AtomicU32::new(1),
            begun: AtomicBool::new(false),
            checked: AtomicBool::new(false),
            still_running: AtomicBool::new(false),
            not_begun: AtomicBool::new(false),
            deadline,
            key: OnceLock::new(),
            cancellation: OnceLock::new(),
            body: None,
        }
    }

    /// The number of this attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt.load(Ordering::Relaxed)
    }

    pub(crate) fn set_attempt(&self, attempt: u32) {
        self.attempt.store(attempt, Ordering::Relaxed);
        self.not_begun.store(false, Ordering::Relaxed);
        self.forget_cancellation();
    }

    #[inline]
    pub(crate) fn has_begun(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn set_begun(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_still_running(&self) -> bool {
        self.still_running.load(Ordering::Relaxed)
    }

    pub(crate) fn set_still_running(&self) {
        self.still_running.store(true, Ordering::Relaxed);
    }

    pub(crate) fn was_not_begun(&self) -> bool {
        self.not_begun.load(Ordering::Relaxed)
    }

    pub(crate) fn set_not_begun(&self) {
        self.not_begun.store(true, Ordering::Relaxed);
    }

    pub(crate) fn arguments_are_checked(&self) -> bool {
        self.checked.load(Ordering::Relaxed)
    }

    pub(crate) fn set_arguments_checked(&self) {
        self.checked.store(true, Ordering::Relaxed);
    }

    /// The id of the call, as the model's provider gave it.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    #[inline]
    pub(crate) fn take_call_id(&mut self) -> String {
        std::mem::take(&mut self.call_id)
    }

    /// The name of the tool.
    pub fn tool(&self) -> &str {
        self.spec().map_or("", ToolSpec::name)
    }

    /// A key that is the same in every attempt of this call and differs from every other call's: hand it to services
    /// that take an idempotency key.
    pub fn idempotency_key(&self) -> &str {
        self.key.get_or_init(|| match &self.host {
            Some(host) => {
                let run = host.run.as_ref().map_or_else(random_id, |run| plain(run.id()));
                format!("{run}/{}/{}/{}", host.place.turn, host.place.index, self.tool())
            }
            None => format!("{}/0/0/", random_id()),
        })
    }

    /// When the whole call must have ended.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// How much time is left to the whole call. `None` where it has no deadline.
    pub fn time_left(&self) -> Option<Duration> {
        let now = self.host.as_ref()?.executor.now();
        self.deadline.map(|deadline| deadline.saturating_duration_since(now))
    }

    /// The call, as events name it.
    pub(crate) fn info(&self) -> CallInfo<'_> {
        let category = self.spec().map(ToolSpec::category);
        CallInfo { tool: self.tool(), category, call_id: &self.call_id, run: self.run().map(RunState::id) }
    }

    /// The place of the tool in its registry, and the memory of its run.
    #[inline]
    pub(crate) fn tool_place(&self) -> Option<usize> {
        self.host.as_ref().map(|host| host.tool)
    }

    #[inline]
    pub(crate) fn run(&self) -> Option<&RunState> {
        self.host.as_ref()?.run.as_deref()
    }

    #[inline]
    pub(crate) fn repeat_guard(&self) -> Option<&RepeatGuard> {
        self.run().map(RunState::guard)
    }

    /// Says how far the tool is: `done` of `total`, where that is known, and what it is doing. Observers are told.
    pub fn progress(&self, done: f64, total: impl Into<Option<f64>>, message: &str) {
        if let Some(host) = &self.host {
            host.executor.tell(&Event::Progress { call: self.info(), done, total: total.into(), message });
        }
    }

    /// The number of the call's stream of random numbers.
    pub(crate) fn stream(&self) -> Option<u64> {
        let (host, run) = (self.host.as_ref()?, self.run()?);
        Some(foldhash::quality::FixedState::with_seed(0).hash_one((run.stream(), host.place.turn, host.place.index)))
    }

    /// What tells work that the tool spawns when the attempt is given up. Nothing is made where nobody asks.
    pub fn cancellation(&self) -> Cancellation {
        let slot = || &**self.cancellation.get_or_init(|| Box::new(Slot::new()));
        self.body.as_ref().map_or_else(slot, |body| body.cancellation()).token()
    }

    /// The attempt is given up.
    pub(crate) fn give_up(&self) {
        if let Some(slot) = self.cancellation.get() {
            slot.cancel();
        }
    }

    /// The attempt has ended: its token is not that of the next.
    pub(crate) fn forget_cancellation(&self) {
        if let Some(slot) = self.cancellation.get() {
            slot.clear();
        }
    }

    /// The roles of the caller.
    pub fn roles(&self) -> &[String] {
        self.run().map_or_else(|| usual_roles(), RunState::roles)
    }

    /// A value that the host put into the run.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.run()?.extension()
    }

    /// The same context for a thread of its own.
    pub(crate) fn share(&self, body: Arc<Body>) -> Self {
        Self {
            body: Some(body),
            attempt: AtomicU32::new(self.attempt()),
            checked: AtomicBool::new(self.arguments_are_checked()),
            key: OnceLock::from(self.idempotency_key().to_owned()),
            ..Self::of(self.host.clone(), self.call_id.clone(), self.deadline)
        }
    }

    pub(crate) fn state<T: 'static>(&self) -> Option<&T> {
        let executor = &self.host.as_ref()?.executor;
        executor.states().get().or_else(|| executor.registry().services().get())
    }

    pub(crate) fn default_of(&self, parameter: usize) -> Option<&str> {
        self.spec()?.default_of(parameter)
    }

    /// What an error of the tool's means.
    pub(crate) fn judge(&self, error: &dyn Classify) -> ToolError {
        self.with_classifier(|classifier| classifier.judge(error))
    }

    /// What an error means that another one is a report of.
    pub(crate) fn judge_report<E: AsRef<dyn StdError + Send + Sync> + 'static>(&self, report: &E) -> ToolError {
        self.with_classifier(|classifier| classifier.report(report))
    }

    /// What an error means that says nothing of itself; `authored` where it is the words of the tool's author.
    pub(crate) fn judge_opaque(&self, error: Box<dyn StdError + Send + Sync>, authored: bool) -> ToolError {
        self.with_classifier(|classifier| classifier.opaque(error, authored))
    }

    fn with_classifier<R>(&self, judge: impl FnOnce(&ErrorClassifier) -> R) -> R {
        match &self.host {
            Some(host) => judge(host.executor.classifier()),
            None => judge(&ErrorClassifier::standard()),
        }
    }

    pub(crate) fn spec(&self) -> Option<&ToolSpec> {
        self.host.as_ref().and_then(|host| host.executor.registry().at(host.tool))
    }
}

/// The roles of a caller of whom nothing is known.
pub(crate) fn usual_roles() -> &'static [String] {
    static USER: LazyLock<[String; 1]> = LazyLock::new(|| ["user".to_owned()]);
    USER.as_slice()
}

/// A name as it can stand in a header: what is no printable ASCII is written as its bytes.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'%' => plain.push_str("%25"),
            b'!'..=b'~' => plain.push(char::from(byte)),
            _ => {
                let _ = write!(plain, "%{byte:02X}");
            }
        }
    }
    plain
}

/// A name for what was given none.
pub(crate) fn random_id() -> String {
    format!("{:016x}", random_seed())
}

/// A number that nobody foresees, from the keys that the standard library draws for its hash maps.
pub(crate) fn random_seed() -> u64 {
    std::hash::RandomState::new().hash_one(0)
}

/// Values by their type.
#[derive(Clone, Default)]
pub(crate) struct TypeMap(foldhash::HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl TypeMap {
    /// Puts the value in; says whether its type was there already.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Arc::new(value)).is_some()
    }

    /// How many values serve a borrower of this type.
    pub(crate) fn count(&self, state: StateType) -> usize {
        [(state.id)(), (state.shared)()].iter().filter(|id| self.0.contains_key(id)).count()
    }

    /// The value of this type. An `Arc<T>` that was put in serves too.
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        match self.0.get(&TypeId::of::<T>()) {
            Some(value) => value.downcast_ref(),
            None => self.0.get(&TypeId::of::<Arc<T>>())?.downcast_ref::<Arc<T>>().map(AsRef::as_ref),
        }
    }
}
