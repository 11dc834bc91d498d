//! A tool that does what a script says.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::classify::ErrorClass;
use crate::dynamic::DynamicTool;
use crate::error::ToolError;
use crate::tool::Category;

/// What one attempt does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// It gives this back.
    Succeed(Value),
    /// It fails with this.
    Fail(ToolError),
    /// It never comes to an end, and runs into its time limit.
    Hang,
    /// It panics.
    Panic,
}

impl Step {
    /// It gives this back.
    pub fn succeed(value: impl Into<Value>) -> Self {
        Step::Succeed(value.into())
    }

    /// It fails with this class. For a wait, or a failure without effect, see [`Step::Fail`].
    pub fn fail(class: ErrorClass) -> Self {
        Step::Fail(ToolError::new(class, format!("scripted: {class}")))
    }
}

/// What was played of a script so far. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Played(Arc<Mutex<Vec<Value>>>);

impl Played {
    /// How many attempts began.
    pub fn attempts(&self) -> usize {
        self.list().len()
    }

    /// The arguments of each attempt.
    pub fn arguments(&self) -> Vec<Value> {
        self.list().clone()
    }

    fn list(&self) -> MutexGuard<'_, Vec<Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tool that takes any arguments and makes one step an attempt, the last one over and over; without steps it succeeds.
/// It is of [`Category::Read`] until it is given another one.
#[track_caller]
pub fn scripted(name: impl Into<String>, steps: impl IntoIterator<Item = Step>) -> (DynamicTool, Played) {
    let steps: Arc<[Step]> = steps.into_iter().collect();
    let played = Played::default();
    let seen = played.clone();
    let body = move |arguments: Value| {
        let (steps, seen) = (Arc::clone(&steps), seen.clone());
        async move {
            let at = {
                let mut list = seen.list();
                list.push(arguments);
                list.len() - 1
            };
            match steps.get(at).or(steps.last()) {
                None => Ok(json!("done")),
                Some(Step::Succeed(value)) => Ok(value.clone()),
                Some(Step::Fail(error)) => Err(error.clone()),
                Some(Step::Hang) => std::future::pending().await,
                Some(Step::Panic) => std::panic::panic_any("scripted: the tool panics"),
            }
        }
    };
    let tool = DynamicTool::new(name, "Plays a script.", json!({ "type": "object" }), body).category(Category::Read);
    (tool, played)
}
