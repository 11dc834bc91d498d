//! A record of events, as values that can be kept, compared and shown.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::call::Outcome;
use crate::classify::ErrorClass;
use crate::observe::{Event, Observer};
use crate::retry::StopReason;

/// An [`Observer`] that keeps what it is told. Clones share it: one goes to the executor, the other stays with the test.
/// It is shown as one line an event.
#[derive(Clone, Debug, Default)]
pub struct Trace(Arc<Mutex<Vec<Recorded>>>);

/// An event. What it does not have is `None`. It is shown in one line; the name of the run, which may be random, is left
/// out altogether.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// Its [name](Event::name).
    pub name: &'static str,
    /// The name of the tool; `(model)` where the event is about the model.
    pub tool: String,
    /// The id of the call; empty where the call has none.
    pub call_id: String,
    /// The number of the attempt, from 1.
    pub attempt: Option<u32>,
    /// How many attempts the whole call made.
    pub attempts: Option<usize>,
    /// What the attempt failed with.
    pub class: Option<ErrorClass>,
    /// What the call did.
    pub outcome: Option<Outcome>,
    /// Why there is no further attempt.
    pub stop: Option<StopReason>,
    /// How long it took, or how long the call will wait.
    pub time: Option<Duration>,
    /// How far the tool is, and what it does.
    pub progress: Option<(f64, Option<f64>, String)>,
}

impl Trace {
    /// A trace of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// What happened so far, in order.
    pub fn events(&self) -> Vec<Recorded> {
        self.list().clone()
    }

    /// Forgets it.
    pub fn clear(&self) {
        self.list().clear();
    }

    fn list(&self) -> MutexGuard<'_, Vec<Recorded>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Trace {
    fn on(&self, event: &Event<'_>) {
        self.list().push(Recorded::from(event));
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.events().iter().try_for_each(|event| writeln!(f, "{event}"))
    }
}

impl From<&Event<'_>> for Recorded {
    fn from(event: &Event<'_>) -> Self {
        let call = event.call();
        let blank = Recorded {
            name: event.name(),
            tool: call.tool.to_owned(),
            call_id: call.call_id.to_owned(),
            attempt: None,
            attempts: None,
            class: None,
            outcome: None,
            stop: None,
            time: None,
            progress: None,
        };
        match *event {
            Event::AttemptStarted { attempt, .. } => Recorded { attempt: Some(attempt), ..blank },
            Event::AttemptFinished { attempt, duration, class, .. } => {
                Recorded { attempt: Some(attempt), time: Some(duration), class, ..blank }
            }
            Event::RetryScheduled { attempt, class, after, .. } => {
                Recorded { attempt: Some(attempt), class: Some(class), time: Some(after), ..blank }
            }
            Event::RetrySuppressed { class, reason, .. } => {
                Recorded { class: Some(class), stop: Some(reason), ..blank }
            }
            Event::Progress { done, total, message, .. } => {
                Recorded { progress: Some((done, total, message.to_owned())), ..blank }
            }
            Event::CallFinished { outcome, attempts, duration, stop, .. } => {
                Recorded { attempts: Some(attempts), outcome: Some(outcome), time: Some(duration), stop, ..blank }
            }
            Event::ModelAsked { attempt, .. } => Recorded { tool: model(), attempt: Some(attempt), ..blank },
            Event::ModelReplied { attempt, duration, class, .. } => {
                Recorded { tool: model(), attempt: Some(attempt), time: Some(duration), class, ..blank }
            }
            Event::ModelRetryScheduled { attempt, class, after, .. } => {
                Recorded { tool: model(), attempt: Some(attempt), class: Some(class), time: Some(after), ..blank }
            }
            Event::ConversationEnded { .. } => Recorded { tool: model(), ..blank },
        }
    }
}

/// What stands in the place of a tool's name.
fn model() -> String {
    "(model)".to_owned()
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn part<T: fmt::Display>(f: &mut fmt::Formatter<'_>, key: &str, value: Option<T>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {key}={value}"))
        }

        write!(f, "{} {}", self.tool, self.name)?;
        part(f, "call", Some(&self.call_id).filter(|id| !id.is_empty()))?;
        part(f, "attempt", self.attempt)?;
        part(f, "attempts", self.attempts)?;
        part(f, "class", self.class)?;
        part(f, "outcome", self.outcome)?;
        part(f, "stop", self.stop)?;
        part(f, "time", self.time.map(|time| format!("{time:?}")))?;
        match &self.progress {
            None => Ok(()),
            Some((done, None, message)) => write!(f, " done={done} {message:?}"),
            Some((done, Some(total), message)) => write!(f, " done={done}/{total} {message:?}"),
        }
    }
}
