//! Runs calls: look-up, permission, arguments, attempts, verdict, retry, feedback.
//!
//! The only module that sleeps, sets a time limit or reads a clock, and it does so through [`Effects`] alone. What to do
//! after a failure is decided elsewhere, without a clock, by [`Retry`](crate::Retry).

mod admit;
mod ask;
mod attempt;
mod build;
mod call;
pub(crate) mod contain;
mod course;
mod effects;
mod job;
pub(crate) mod log;
mod names;
pub(crate) mod nested;
mod outcome;
mod random;
mod ready;
pub(crate) mod span;
mod unrun;
mod wait;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::Semaphore;

pub(crate) use self::ask::{Asking, Unanswered, Work};
pub use self::build::ExecutorBuilder;
use self::effects::Tokio;
pub(crate) use self::effects::today;
pub use self::effects::{Effects, Wait};
pub(crate) use self::unrun::Unrun;
use crate::arguments::RepairMode;
use crate::call::{ToolCall, ToolResult};
use crate::classify::ErrorClassifier;
use crate::confirmation::{Approver, Open};
use crate::context::{Place, TypeMap};
use crate::feedback::Language;
use crate::observe::{Event, Observer};
use crate::permission::Permissions;
use crate::registry::Registry;
use crate::retry::{RetryBudget, RetryPolicy};
use crate::run::Run;
use crate::tool::ToolSpec;

/// Runs the tools of a registry. Cheap to clone, and shared by every thread that has a clone.
///
/// ```
/// # use toolkit::{Executor, Registry, ToolCall, tool};
/// /// Adds two numbers.
/// #[tool(category = Compute)]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), toolkit::BuildError> {
/// let executor = Executor::builder(Registry::builder().tool::<add>().build()?).build()?;
/// let result = executor.call(ToolCall::new("add", r#"{"a": 2, "b": 40}"#)).await;
/// assert_eq!(result.text(), "42");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Executor(Arc<Inner>);

#[expect(clippy::struct_excessive_bools, reason = "settings, each of which is on or off by itself")]
struct Inner {
    registry: Registry,
    states: TypeMap,
    classifier: ErrorClassifier,
    policy: RetryPolicy,
    permissions: Option<Box<dyn Permissions>>,
    approver: Option<Box<dyn Approver>>,
    /// The questions to a person that are open.
    open: Open,
    observers: Vec<Box<dyn Observer>>,
    /// The clock, waits and attempts of the host's, where it has its own.
    effects: Option<Box<dyn Effects>>,
    /// How many attempts may run at once, where that is limited.
    places: Option<Semaphore>,
    /// Whether there is a tool that runs alone.
    has_sequential: bool,
    /// Whether calls that tools make are tried again by themselves.
    nested_retries: bool,
    /// What the retries of each tool are paid from, in the order of the registry. Tools may share one.
    budgets: Vec<Option<Arc<RetryBudget>>>,
    default_timeout: Duration,
    max_output: usize,
    language: Language,
    repair: RepairMode,
    show_internal_errors: bool,
    /// Whether spans hold what tools are called with and what they answer.
    trace_content: bool,
    seed: u64,
    /// How many calls outside of a run, and runs without a name, have drawn random numbers: each has its own stream.
    streams: AtomicU64,
}

impl Executor {
    /// An executor of these tools, to be configured.
    pub fn builder(registry: Registry) -> ExecutorBuilder {
        ExecutorBuilder::new(registry)
    }

    /// Runs one call, on its own: a run of one.
    ///
    /// Whatever goes wrong is in the result; a call neither fails nor panics. Dropping it ends it.
    pub fn call(&self, call: ToolCall) -> impl Future<Output = ToolResult> + Send {
        self.call_in(None, Place::default(), call, None)
    }

    /// A conversation or job whose calls belong together; a blank name gets a random one.
    ///
    /// Equal names mean equal idempotency keys: the first call of one run has the key of the first call of another run
    /// of that name, whatever it asks for. So a job that is done over repeats nothing that a service has already done.
    /// For the same reason a conversation must not be given a new run of its old name for every message, or services
    /// take the new calls for the old ones: keep the run, or name it by conversation and message.
    pub fn run(&self, id: impl Into<String>) -> Run {
        Run::new(self.clone(), id.into())
    }

    /// The tools.
    pub fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// The language of the model's messages.
    pub fn language(&self) -> Language {
        self.0.language
    }

    /// Tells every observer. One that panics is logged, and changes nothing.
    pub(crate) fn tell(&self, event: &Event<'_>) {
        self.0.tell(event);
    }

    /// A number for the random numbers of what has no name.
    pub(crate) fn next_stream(&self) -> u64 {
        self.0.next_stream()
    }

    /// The time on the clock by which everything is measured.
    pub(crate) fn now(&self) -> Instant {
        self.0.now()
    }

    /// Whether a call by this name runs beside no other of its turn.
    pub(crate) fn runs_alone(&self, name: &str, roles: &[String]) -> bool {
        self.0.runs_alone(name, roles)
    }

    pub(crate) fn is_open(&self, spec: &ToolSpec, roles: &[String]) -> bool {
        self.0.is_open(spec, roles)
    }

    /// What the retries of one more upstream are paid from.
    pub(crate) fn new_budget(&self) -> Option<RetryBudget> {
        self.0.policy.new_budget()
    }

    /// Uses up a person's answer; `false` where it was used before.
    pub(crate) fn use_up(&self, token: &str, until: SystemTime) -> bool {
        self.0.open.use_up(token, until, today())
    }

    pub(crate) fn states(&self) -> &TypeMap {
        &self.0.states
    }

    pub(crate) fn classifier(&self) -> &ErrorClassifier {
        &self.0.classifier
    }
}

impl Inner {
    fn effects(&self) -> &dyn Effects {
        self.effects.as_deref().unwrap_or(&Tokio)
    }

    fn own_effects(&self) -> Option<&dyn Effects> {
        self.effects.as_deref()
    }

    /// A clock of the host's that panics is no clock; the calls go on by the system's.
    #[inline]
    fn now(&self) -> Instant {
        match &self.effects {
            None => Tokio.now(),
            Some(own) => contain::contain(|| own.now()).unwrap_or_else(|_| Instant::now()),
        }
    }

    fn next_stream(&self) -> u64 {
        self.streams.fetch_add(1, Ordering::Relaxed)
    }

    /// What tells this executor from others.
    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn tell(&self, event: &Event<'_>) {
        for observer in &self.observers {
            if contain::contain(|| observer.on(event)).is_err() {
                log::observer_panicked(event);
            }
        }
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executor").field("registry", &self.0.registry).finish_non_exhaustive()
    }
}
