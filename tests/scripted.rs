//! A tool that fails by a script, and what is written down of it.

use std::sync::{Arc, Mutex, Once};
use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;
use toolkit::{
    Backoff, Classify, ErrorClass, Executor, ExecutorBuilder, Jitter, Outcome, Registry, RetryPolicy,
    RetryPolicyBuilder, ToolCall, ToolContext, ToolResult, tool,
};

/// What one attempt does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Succeed,
    Network,
    /// Turned away before anything was done, with a wait of one second.
    Throttled,
    /// Too many requests, somewhere on the way.
    RateLimited,
    Unavailable,
    /// Turned away, with a wait of a day.
    FarOff,
    Hang,
    Missing,
    Broken,
    Panic,
}

impl Step {
    pub(crate) const ALL: [Step; 10] = [
        Step::Succeed,
        Step::Network,
        Step::Throttled,
        Step::RateLimited,
        Step::Unavailable,
        Step::FarOff,
        Step::Hang,
        Step::Missing,
        Step::Broken,
        Step::Panic,
    ];

    /// The class of the error, where it is one.
    pub(crate) fn class(self) -> Option<ErrorClass> {
        match self {
            Step::Succeed => None,
            Step::Network => Some(ErrorClass::Network),
            Step::Throttled | Step::RateLimited | Step::FarOff => Some(ErrorClass::RateLimit),
            Step::Unavailable => Some(ErrorClass::ServiceUnavailable),
            Step::Hang => Some(ErrorClass::Timeout),
            Step::Missing => Some(ErrorClass::NotFound),
            Step::Broken | Step::Panic => Some(ErrorClass::Internal),
        }
    }

    /// Whether the tool itself says that nothing happened.
    pub(crate) fn has_no_effect(self) -> bool {
        matches!(self, Step::Throttled | Step::FarOff)
    }
}

#[derive(Debug, thiserror::Error, Classify)]
enum Fault {
    #[error("connection reset by peer")]
    #[class(network)]
    Network,
    #[error("turned away for {wait:?}")]
    #[class(rate_limit, retry_after = wait, no_effect)]
    Throttled { wait: Duration },
    #[error("too many requests")]
    #[class(rate_limit)]
    RateLimited,
    #[error("out of service")]
    #[class(service_unavailable)]
    Unavailable,
    #[error("there is no such thing")]
    #[class(not_found)]
    Missing,
    #[error("row 7 is corrupt")]
    #[class(internal, hidden)]
    Broken,
}

/// What the tool saw of one attempt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) number: u32,
    pub(crate) key: String,
    pub(crate) argument: String,
    pub(crate) at: Instant,
}

/// The script, and what the tool did by it.
#[derive(Default)]
pub(crate) struct Script(Mutex<Played>);

#[derive(Default)]
struct Played {
    steps: Vec<Step>,
    seen: Vec<Seen>,
    effects: u32,
}

impl Script {
    /// Starts over. What comes after the last step succeeds.
    pub(crate) fn play(&self, steps: &[Step]) {
        *self.0.lock().unwrap() = Played { steps: steps.to_vec(), ..Played::default() };
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.0.lock().unwrap().seen.clone()
    }

    pub(crate) fn invocations(&self) -> usize {
        self.0.lock().unwrap().seen.len()
    }

    /// How often the tool may have had its effect.
    pub(crate) fn effects(&self) -> u32 {
        self.0.lock().unwrap().effects
    }

    /// Only what no clock and no random number changes.
    pub(crate) fn step(&self, at: usize) -> Step {
        self.0.lock().unwrap().steps.get(at).copied().unwrap_or(Step::Succeed)
    }

    async fn attempt(&self, context: &ToolContext, argument: String) -> Result<String, Fault> {
        let step = {
            let mut played = self.0.lock().unwrap();
            let step = played.steps.get(played.seen.len()).copied().unwrap_or(Step::Succeed);
            played.seen.push(Seen {
                number: context.attempt(),
                key: context.idempotency_key().to_owned(),
                argument,
                at: Instant::now(),
            });
            played.effects += u32::from(!step.has_no_effect() && step != Step::Missing);
            step
        };
        match step {
            Step::Succeed => Ok("done".to_owned()),
            Step::Network => Err(Fault::Network),
            Step::Throttled => Err(Fault::Throttled { wait: Duration::from_secs(1) }),
            Step::RateLimited => Err(Fault::RateLimited),
            Step::Unavailable => Err(Fault::Unavailable),
            Step::FarOff => Err(Fault::Throttled { wait: A_DAY }),
            Step::Hang => std::future::pending().await,
            Step::Missing => Err(Fault::Missing),
            Step::Broken => Err(Fault::Broken),
            Step::Panic => panic!("scripted panic"),
        }
    }
}

#[expect(clippy::duration_suboptimal_units, reason = "the larger unit is younger than the oldest compiler")]
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The time limit of one attempt.
pub(crate) const LIMIT: Duration = Duration::from_secs(2);

macro_rules! scripted {
    ($($name:ident: $retries:literal, $idempotent:literal;)*) => {$(
        /// Plays the script.
        #[tool(category = Write, max_retries = $retries, idempotent = $idempotent, timeout = "2s")]
        async fn $name(argument: String, #[state] script: &Arc<Script>, context: &ToolContext) -> Result<String, Fault> {
            script.attempt(context, argument).await
        }
    )*};
}

scripted! {
    safe_0: 0, true;
    safe_1: 1, true;
    safe_2: 2, true;
    safe_3: 3, true;
    once_0: 0, false;
    once_1: 1, false;
    once_2: 2, false;
    once_3: 3, false;
}

/// An executor of the scripted tools, to be configured, and the script.
pub(crate) fn builder() -> (ExecutorBuilder, Arc<Script>) {
    quiet();
    let script = Arc::new(Script::default());
    let registry = Registry::builder()
        .tool::<safe_0>()
        .tool::<safe_1>()
        .tool::<safe_2>()
        .tool::<safe_3>()
        .tool::<once_0>()
        .tool::<once_1>()
        .tool::<once_2>()
        .tool::<once_3>();
    // The scripts of one test share an executor, and are not to share what pays for their retries.
    let policy = RetryPolicy::builder().without_budget().build().unwrap();
    (Executor::builder(registry.build().unwrap()).state(Arc::clone(&script)).retry(policy).seed(7), script)
}

pub(crate) fn executor() -> (Executor, Arc<Script>) {
    let (builder, script) = builder();
    (builder.build().unwrap(), script)
}

/// A policy without randomness but for the spread of a wait that was asked for, and without a budget.
pub(crate) fn exact_policy() -> RetryPolicy {
    exact().without_budget().build().unwrap()
}

/// The same, to be given a budget.
pub(crate) fn exact() -> RetryPolicyBuilder {
    let second = Duration::from_secs(1);
    let growing = |base| Backoff::exponential(base).cap(Duration::from_secs(10)).jitter(Jitter::None);
    RetryPolicy::builder()
        .class(ErrorClass::Network, Backoff::fixed(second).jitter(Jitter::None))
        .class(ErrorClass::ServiceUnavailable, Backoff::fixed(second).jitter(Jitter::None))
        .class(ErrorClass::RateLimit, growing(second))
        .class(ErrorClass::Timeout, growing(second / 2))
}

pub(crate) fn name(idempotent: bool, retries: u32) -> String {
    format!("{}_{retries}", if idempotent { "safe" } else { "once" })
}

pub(crate) fn call(name: impl Into<String>) -> ToolCall {
    ToolCall::new(name, json!({"argument": "same"}))
}

/// Number, start, length, class and the wait that followed.
type Traced = (u32, Duration, Duration, Option<ErrorClass>, Option<Duration>);

/// Everything of a result but the text, to compare two runs.
pub(crate) fn trace(result: &ToolResult) -> Vec<Traced> {
    let attempt = |one: &toolkit::Attempt| {
        (one.number(), one.started(), one.duration(), one.error().map(toolkit::ToolError::class), one.delay())
    };
    result.attempts().iter().map(attempt).collect()
}

/// What the model was told, which always is one JSON object in at most 2,000 characters.
pub(crate) fn told(result: &ToolResult) -> serde_json::Value {
    assert!(!result.is_success(), "{}", result.text());
    assert!(result.text().chars().count() <= 2_000, "{}", result.text());
    let told: serde_json::Value = serde_json::from_str(result.text()).unwrap();
    let outcome = match result.outcome() {
        Outcome::NotExecuted => "not_executed",
        Outcome::Failed => "failed",
        Outcome::Unknown => "unknown",
        Outcome::Succeeded => unreachable!(),
    };
    assert_eq!(told["outcome"], outcome);
    assert_eq!(told["attempts"], result.attempts().len());
    assert_eq!(told["error"], result.error().unwrap().class().as_str());
    assert!(told["may_call_again"].is_boolean());
    assert!(told["message"].as_str().is_some_and(|text| !text.is_empty()));
    assert!(told["next"].as_str().is_some_and(|text| !text.is_empty()));
    told
}

/// Panics that are part of a test stay off the terminal.
pub(crate) fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let payload = info.payload();
            let text = payload
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("scripted: no text");
            let of_tokio = ["scripted", "timers are disabled", "must be called from the context", "no reactor running"];
            if !of_tokio.iter().any(|part| text.contains(part)) {
                usual(info);
            }
        }));
    });
}
