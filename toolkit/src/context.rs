//! What a tool can know of the call it serves.

use std::any::{Any, TypeId};
use std::error::Error as StdError;
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::classify::{Classify, ErrorClassifier};
use crate::error::ToolError;
use crate::executor::Executor;
use crate::run::RunState;
use crate::tool::{StateType, ToolSpec};

/// The call that a tool serves. A tool takes it as `ctx: &ToolContext`; it is never part of the schema.
pub struct ToolContext {
    /// Absent where a tool is called as the plain function it is.
    host: Option<Host>,
    call_id: String,
    attempt: AtomicU32,
    /// Whether the arguments were held beside their schema.
    checked: AtomicBool,
    deadline: Option<Instant>,
    key: OnceLock<String>,
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
        Self {
            host: None,
            call_id: String::new(),
            attempt: AtomicU32::new(1),
            checked: AtomicBool::new(false),
            deadline: None,
            key: OnceLock::new(),
        }
    }

    pub(crate) fn new(
        executor: Executor,
        tool: usize,
        run: Option<Arc<RunState>>,
        place: Place,
        call_id: String,
        deadline: Option<Instant>,
    ) -> Self {
        let host = Some(Host { executor, tool, run, place });
        Self {
            host,
            call_id,
            attempt: AtomicU32::new(1),
            checked: AtomicBool::new(false),
            deadline,
            key: OnceLock::new(),
        }
    }

    /// The number of this attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt.load(Ordering::Relaxed)
    }

    pub(crate) fn set_attempt(&self, attempt: u32) {
        self.attempt.store(attempt, Ordering::Relaxed);
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

    pub(crate) fn into_call_id(self) -> String {
        self.call_id
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
                let run = host.run.as_ref().map_or_else(random_id, |run| run.id().to_owned());
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
        self.deadline.map(|deadline| deadline.saturating_duration_since(tokio::time::Instant::now().into_std()))
    }

    /// The number of the call's stream of random numbers, which a run of one name repeats.
    pub(crate) fn stream(&self) -> Option<u64> {
        let host = self.host.as_ref()?;
        let run = host.run.as_ref()?;
        Some(foldhash::quality::FixedState::with_seed(0).hash_one((run.id(), host.place.turn, host.place.index)))
    }

    /// The roles of the caller.
    pub fn roles(&self) -> &[String] {
        self.host.as_ref().and_then(|host| host.run.as_ref()).map_or(&[], |run| run.roles())
    }

    /// A value that the host put into the run.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.host.as_ref()?.run.as_ref()?.extension()
    }

    /// The same context for a thread of its own.
    pub(crate) fn share(&self) -> Self {
        Self {
            host: self.host.clone(),
            call_id: self.call_id.clone(),
            attempt: AtomicU32::new(self.attempt()),
            checked: AtomicBool::new(self.arguments_are_checked()),
            deadline: self.deadline,
            key: OnceLock::from(self.idempotency_key().to_owned()),
        }
    }

    pub(crate) fn state<T: Send + Sync + 'static>(&self) -> Option<&T> {
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

    /// What an error means, by its types and its words.
    pub(crate) fn judge_inferred(&self, error: &(dyn StdError + 'static)) -> ToolError {
        self.with_classifier(|classifier| classifier.classify(error))
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

    fn spec(&self) -> Option<&ToolSpec> {
        self.host.as_ref().and_then(|host| host.executor.registry().at(host.tool))
    }
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

    pub(crate) fn has(&self, state: StateType) -> bool {
        self.0.contains_key(&(state.id)()) || self.0.contains_key(&(state.shared)())
    }

    /// The value of this type. An `Arc<T>` that was put in serves too.
    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        match self.0.get(&TypeId::of::<T>()) {
            Some(value) => value.downcast_ref(),
            None => self.0.get(&TypeId::of::<Arc<T>>())?.downcast_ref::<Arc<T>>().map(AsRef::as_ref),
        }
    }
}
