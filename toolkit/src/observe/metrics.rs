//! What happens to calls, counted through the `metrics` facade.

use std::time::Duration;

use metrics::{Label, Unit, counter, describe_counter, describe_histogram, histogram};

use super::{CallInfo, Event, Observer};

const CALLS: &str = "toolkit_calls_total";
const CALL_DURATION: &str = "toolkit_call_duration_seconds";
const ATTEMPTS: &str = "toolkit_attempts_total";
const ATTEMPT_DURATION: &str = "toolkit_attempt_duration_seconds";
const RETRIES: &str = "toolkit_retries_total";
const RETRY_DELAY: &str = "toolkit_retry_delay_seconds";
const SUPPRESSED: &str = "toolkit_retries_suppressed_total";

const MODEL: &str = "toolkit_model_requests_total";
const MODEL_DURATION: &str = "toolkit_model_request_duration_seconds";

/// An observer that counts through the [`metrics`](https://docs.rs/metrics) facade, into whatever recorder the host has
/// installed.
///
/// | metric | labels beside `tool` and `category` |
/// |---|---|
/// | `toolkit_calls_total`, `toolkit_call_duration_seconds` | `outcome`, `reason` |
/// | `toolkit_attempts_total`, `toolkit_attempt_duration_seconds` | `class` |
/// | `toolkit_retries_total`, `toolkit_retry_delay_seconds` | `class` |
/// | `toolkit_retries_suppressed_total` | `class`, `reason` |
/// | `toolkit_model_requests_total`, `toolkit_model_request_duration_seconds` | `class` alone |
///
/// `class` is that of the error and `none` for a success, and `reason` is why a call ended without success, or `none`.
/// Every label has few values: no argument, no text of an error, no id is one, and a name that the model made up is
/// counted as `unknown`.
///
/// ```
/// # use toolkit::{BuildError, Executor, Metrics, Registry};
/// # fn build(registry: Registry) -> Result<Executor, BuildError> {
/// Metrics::describe(); // once the recorder is installed
/// Executor::builder(registry).observer(Metrics).build()
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Metrics;

impl Metrics {
    /// Tells the recorder what each metric is, and its unit.
    pub fn describe() {
        describe_counter!(CALLS, Unit::Count, "Calls of tools that have ended.");
        describe_histogram!(CALL_DURATION, Unit::Seconds, "How long a call took, waits included.");
        describe_counter!(ATTEMPTS, Unit::Count, "Times that the body of a tool has run.");
        describe_histogram!(ATTEMPT_DURATION, Unit::Seconds, "How long the body of a tool ran.");
        describe_counter!(RETRIES, Unit::Count, "Further attempts that were decided for.");
        describe_histogram!(RETRY_DELAY, Unit::Seconds, "How long a call waits before a further attempt.");
        describe_counter!(SUPPRESSED, Unit::Count, "Failed attempts after which no other was made.");
        describe_counter!(MODEL, Unit::Count, "Requests to the model, those that failed too.");
        describe_histogram!(MODEL_DURATION, Unit::Seconds, "How long the model took to reply or to fail.");
    }
}

impl Observer for Metrics {
    fn on(&self, event: &Event<'_>) {
        match *event {
            Event::AttemptFinished { call, duration, class, .. } => {
                let labels = labels(call, [("class", class.map_or("none", crate::ErrorClass::as_str))]);
                counted(ATTEMPTS, ATTEMPT_DURATION, labels, duration);
            }
            Event::RetryScheduled { call, class, after, .. } => {
                counted(RETRIES, RETRY_DELAY, labels(call, [("class", class.as_str())]), after);
            }
            Event::RetrySuppressed { call, class, reason } => {
                let labels = labels(call, [("class", class.as_str()), ("reason", reason.as_str())]);
                counter!(SUPPRESSED, labels).increment(1);
            }
            Event::CallFinished { call, outcome, duration, stop, .. } => {
                let reason = stop.map_or("none", crate::StopReason::as_str);
                let labels = labels(call, [("outcome", outcome.as_str()), ("reason", reason)]);
                counted(CALLS, CALL_DURATION, labels, duration);
            }
            Event::ModelReplied { duration, class, .. } => {
                let class = class.map_or("none", crate::ErrorClass::as_str);
                counted(MODEL, MODEL_DURATION, vec![Label::from_static_parts("class", class)], duration);
            }
            Event::AttemptStarted { .. }
            | Event::Progress { .. }
            | Event::ModelAsked { .. }
            | Event::ModelRetryScheduled { .. }
            | Event::ConversationEnded { .. } => {}
        }
    }
}

fn counted(count: &'static str, time: &'static str, labels: Vec<Label>, duration: Duration) {
    counter!(count, labels.clone()).increment(1);
    histogram!(time, labels).record(duration.as_secs_f64());
}

fn labels<const N: usize>(call: CallInfo<'_>, more: [(&'static str, &'static str); N]) -> Vec<Label> {
    let (tool, category) = match call.category {
        Some(category) => (call.tool.to_owned(), category.as_str()),
        None => ("unknown".to_owned(), "unknown"),
    };
    let own = [Label::new("tool", tool), Label::from_static_parts("category", category)];
    own.into_iter().chain(more.map(|(key, value)| Label::from_static_parts(key, value))).collect()
}
