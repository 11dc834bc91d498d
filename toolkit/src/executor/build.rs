//! What an operator configures, and everything that can be wrong with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::effects::Effects;
use super::{Executor, Inner};
use crate::arguments::RepairMode;
use crate::classify::ErrorClassifier;
use crate::confirmation::{Approver, Open};
use crate::context::TypeMap;
use crate::context::random_seed;
use crate::error::BuildError;
use crate::feedback::Language;
use crate::observe::Observer;
use crate::permission::Permissions;
use crate::registry::Registry;
use crate::retry::{RetryBudget, RetryPolicy};
use crate::tool::ToolSpec;

/// Configures an [`Executor`].
#[must_use = "nothing runs before `build()`"]
pub struct ExecutorBuilder {
    inner: Inner,
    problems: Vec<String>,
}

impl ExecutorBuilder {
    pub(super) fn new(registry: Registry) -> Self {
        let inner = Inner {
            registry,
            states: TypeMap::default(),
            classifier: ErrorClassifier::standard(),
            policy: RetryPolicy::default(),
            permissions: None,
            approver: None,
            open: Open::default(),
            observers: Vec::new(),
            effects: None,
            places: None,
            has_sequential: false,
            nested_retries: false,
            budgets: Vec::new(),
            default_timeout: Duration::from_secs(10),
            max_output: 10_000,
            language: Language::default(),
            repair: RepairMode::default(),
            show_internal_errors: false,
            trace_content: false,
            seed: random_seed(),
            streams: AtomicU64::new(0),
        };
        Self { inner, problems: Vec::new() }
    }

    /// A value that tools borrow with `#[state]`. An `Arc<T>` serves `&T` too.
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        if self.inner.states.insert(value) {
            self.problems.push(format!("a state of type `{}` is given twice", std::any::type_name::<T>()));
        }
        self
    }

    /// What errors mean that do not say it themselves. The standard one where none is given.
    pub fn classifier(mut self, classifier: ErrorClassifier) -> Self {
        self.inner.classifier = classifier;
        self
    }

    /// When failed calls are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.inner.policy = policy;
        self
    }

    /// Who may call what. Where none is given, dangerous tools ask first and all others run.
    pub fn permissions(mut self, permissions: impl Permissions + 'static) -> Self {
        self.inner.permissions = Some(Box::new(permissions));
        self
    }

    /// Who answers, in place, when a call has to ask. Where nobody does, the call ends with a
    /// [`Confirmation`](crate::Confirmation) for the host.
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.inner.approver = Some(Box::new(approver));
        self
    }

    /// Who is told what happens to calls. More than one may be.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.inner.observers.push(Box::new(observer));
        self
    }

    /// How many attempts may run at once, over all calls of the executor. The others wait for their turn in the order of
    /// arrival; that counts against their deadlines, and not against the time limit of an attempt. A call that sleeps before
    /// a retry takes no place away, and neither does a call that a tool of this executor makes: it runs in the place of its
    /// tool. There is no limit unless one is given.
    pub fn concurrency(mut self, attempts: usize) -> Self {
        if attempts == 0 {
            self.problems.push("a concurrency of 0 lets no attempt begin".to_owned());
        }
        self.inner.places = Some(Semaphore::new(attempts.min(Semaphore::MAX_PERMITS)));
        self
    }

    /// Whether a call that is made from inside a tool, of this executor or of another, is tried again by itself. It is not,
    /// unless said otherwise: the call of the tool is, and three attempts of three would be nine requests. Work that a tool
    /// spawns as a task of its own does not count as inside.
    pub fn nested_retries(mut self, retry: bool) -> Self {
        self.inner.nested_retries = retry;
        self
    }

    /// The clock, the waits and the attempts: those of tokio unless others are given.
    pub fn effects(mut self, effects: impl Effects + 'static) -> Self {
        self.inner.effects = Some(Box::new(effects));
        self
    }

    /// The time limit of one attempt, for tools that set none: 10 seconds unless said otherwise.
    pub fn default_timeout(mut self, limit: Duration) -> Self {
        if limit.is_zero() {
            self.problems.push("a default time limit of zero lets no attempt begin".to_owned());
        }
        self.inner.default_timeout = limit;
        self
    }

    /// How many characters of an output the model sees, for tools that do not say it: 10,000 unless said otherwise, and 0
    /// for no limit.
    pub fn max_output(mut self, characters: usize) -> Self {
        self.inner.max_output = characters;
        self
    }

    /// The language of the model's messages: English unless said otherwise.
    pub fn language(mut self, language: Language) -> Self {
        self.inner.language = language;
        self
    }

    /// Where the random part of the waits starts. The same seed and the same failures give the same waits.
    pub fn seed(mut self, seed: u64) -> Self {
        self.inner.seed = seed;
        self
    }

    /// Whether unusual arguments are repaired: without a loss, unless said otherwise.
    pub fn repair(mut self, mode: RepairMode) -> Self {
        self.inner.repair = mode;
        self
    }

    /// Whether the model sees the text of errors that are otherwise kept from it.
    pub fn show_internal_errors(mut self, show: bool) -> Self {
        self.inner.show_internal_errors = show;
        self
    }

    /// Whether the spans of calls hold the arguments and what the model reads of the result: not unless said. Secret
    /// arguments and credentials are taken out of both.
    pub fn trace_content(mut self, trace: bool) -> Self {
        self.inner.trace_content = trace;
        self
    }

    /// The executor.
    ///
    /// # Errors
    /// Everything that is wrong: a state that tools need and nobody gave, with those tools; one given twice; what is
    /// wrong with the classifier.
    pub fn build(mut self) -> Result<Executor, BuildError> {
        let mut twice = BTreeSet::new();
        let mut missing: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
        for spec in self.inner.registry.iter() {
            for state in spec.states() {
                match self.inner.states.count(*state) + self.inner.registry.services().count(*state) {
                    0 => missing.entry((state.name)()).or_default().push(spec.name()),
                    1 => {}
                    // As itself and behind an `Arc`, or as a service too: nobody could say which one a tool gets.
                    _ => drop(twice.insert((state.name)())),
                }
            }
        }
        self.problems.extend(twice.into_iter().map(|state| format!("a state of type `{state}` is given in two ways")));
        for (state, tools) in missing {
            let need = if tools.len() == 1 { "needs" } else { "need" };
            let tools = tools.join("`, `");
            self.problems.push(format!("no state of type `{state}` was given, and `{tools}` {need} it"));
        }
        self.problems.extend(self.inner.classifier.problems());
        BuildError::check(self.problems)?;
        let mut budgets: BTreeMap<&str, Option<Arc<RetryBudget>>> = BTreeMap::new();
        let policy = &self.inner.policy;
        let names = self.inner.registry.iter().map(|spec| spec.budget().unwrap_or(spec.name()));
        let budget = |name| budgets.entry(name).or_insert_with(|| policy.new_budget().map(Arc::new)).clone();
        self.inner.has_sequential = self.inner.registry.iter().any(ToolSpec::sequential);
        self.inner.budgets = names.map(budget).collect();
        Ok(Executor(Arc::new(self.inner)))
    }
}
