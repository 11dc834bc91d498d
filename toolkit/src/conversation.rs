//! The calling loop: a conversation that survives its tools and its model.
//!
//! Three things end most such loops early: a call without an answer, which makes every later request invalid; a reply that
//! broke off, whose half-written call is run; and a model that repeats itself for ever. Here every call is answered the
//! moment the model's turn stands in the history, nothing of a broken reply runs, and turns, calls and time have limits.
//!
//! The history is the provider's own, in the host's own request, and can be sent again at any time: after an error, after a
//! pause for a person, after the future was dropped in the middle of a call.

mod end;
mod model;
mod pending;
mod state;
mod step;
mod stored;
mod timeline;
mod turn;

use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;

pub use self::end::{End, EndReason};
pub use self::model::Model;
pub use self::pending::{NotPending, PendingCall};
pub use self::state::ConversationState;
use self::step::Kept;
pub use self::step::Step;
pub use self::timeline::Timeline;
use self::turn::{Paused, Turn};
use crate::arguments::breaks_off;
use crate::call::{ToolCall, ToolResult};
use crate::classify::ErrorClass;
use crate::confirmation::VALID_FOR;
use crate::error::ToolError;
use crate::executor::{Asking, Unanswered, Work};
use crate::observe::Event;
use crate::provider::{self, Export, Said, Usage};
use crate::retry::{RetryBudget, StopReason};
use crate::run::Run;

/// How many replies in a row may break off.
const MOST_CUT_OFF: u32 = 3;

/// The loop between a model and the tools of a [`Run`]: it fills in the tools, runs the calls of each reply, appends what
/// the provider wants, and ends when the model answers in words.
///
/// ```
/// # use toolkit::serde_json::{Value, json};
/// # use toolkit::{Conversation, EndReason, Executor, ExportOptions, Provider, Registry, ToolError, tool};
/// # /// Adds two numbers.
/// # #[tool(category = Compute)]
/// # async fn add(a: i64, b: i64) -> i64 {
/// #     a + b
/// # }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let executor = Executor::builder(Registry::builder().tool::<add>().build()?).build()?;
/// let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new())?;
/// let mut conversation = Conversation::new(executor.run("conversation-42"), export).max_turns(8).max_calls(40);
///
/// // Stands for an HTTP request; the README has one.
/// let model = |body: Value| async move {
///     Ok(match body["messages"].as_array().map(Vec::len) {
///         Some(1) => json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
///             {"id": "call_9", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 2, \"b\": 40}"}}
///         ]}}]}),
///         _ => json!({"choices": [{"message": {"role": "assistant", "content": "It is 42."}}]}),
///     })
/// };
/// let question = json!({"model": "m", "messages": [{"role": "user", "content": "How much is 2 + 40?"}]});
/// let end = conversation.run(&model, question).await;
/// assert_eq!((end.reason(), end.text()), (EndReason::Answered, "It is 42."));
/// assert_eq!(conversation.results()[0].text(), "42");
/// # Ok(()) }
/// ```
///
/// # Pauses
/// Where a call asks for a person's word, the loop ends with [`EndReason::NeedsConfirmation`]. The other calls of the turn
/// have run. [`pending`](Self::pending) shows what waits; [`approve`](Self::approve), [`edit`](Self::edit) and
/// [`refuse`](Self::refuse) answer, and [`resume`](Self::resume) goes on, in this process or, by way of
/// [`state`](Self::state), in another.
pub struct Conversation {
    run: Run,
    export: Export,
    limits: Limits,
    /// What the model's retries are paid from.
    budget: Option<RetryBudget>,
    /// Never locked: the lock makes the conversation one that threads can share.
    watch: Option<Mutex<Box<Watch>>>,
    memory: Memory,
}

type Watch = dyn FnMut(&Step<'_>) + Send;

#[derive(Clone, Copy)]
struct Limits {
    turns: u64,
    calls: usize,
    retries: u32,
    answers: Duration,
}

/// What a conversation remembers, all of which is stored.
#[derive(Default)]
struct Memory {
    request: Value,
    /// The model's last turn, where it was an answer.
    answer: Vec<Value>,
    /// What the model said last.
    words: String,
    results: Vec<ToolResult>,
    steps: Vec<Kept>,
    paused: Option<Paused>,
    usage: Usage,
    /// Of the whole conversation.
    turns: u64,
    /// Since the host's last request.
    turns_now: u64,
    calls_now: usize,
    cut_off: u32,
}

impl Conversation {
    /// A conversation whose calls run in this run, with the tools of this export.
    ///
    /// Its limits are 16 turns and 100 calls for each request of the host's, 2 retries of a request that failed, and an hour
    /// for a person's answer, unless they are set.
    pub fn new(run: Run, export: Export) -> Self {
        let budget = run.executor().new_budget();
        let limits = Limits { turns: 16, calls: 100, retries: 2, answers: VALID_FOR };
        Self { run, export, limits, budget, watch: None, memory: Memory::default() }
    }

    /// How many replies of the model there may be for one request of the host's. The calls of the last one are run.
    #[must_use]
    pub fn max_turns(mut self, turns: u64) -> Self {
        self.limits.turns = turns;
        self
    }

    /// How many calls may be made for one request of the host's. Those beyond it are answered and not run.
    #[must_use]
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.limits.calls = calls;
        self
    }

    /// How often a request to the model that failed is sent again: 2 unless said otherwise. Which failures, and after what
    /// wait, is the executor's [`RetryPolicy`](crate::RetryPolicy)'s to say.
    #[must_use]
    pub fn max_model_retries(mut self, retries: u32) -> Self {
        self.limits.retries = retries;
        self
    }

    /// How long a person's answer to a call that asks is good: an hour unless said otherwise.
    #[must_use]
    pub fn confirm_within(mut self, time: Duration) -> Self {
        self.limits.answers = time;
        self
    }

    /// Who is shown each step as it comes: what the model says and calls, and what became of the calls. It is called on
    /// the conversation's own task; if it panics, nothing else changes.
    #[must_use]
    pub fn on_step(mut self, watch: impl FnMut(&Step<'_>) + Send + 'static) -> Self {
        self.watch = Some(Mutex::new(Box::new(watch)));
        self
    }

    /// Sends the request, runs the calls of the reply, and goes on until there is a reason to end.
    ///
    /// The tools are filled in, beside what the request has. A pending pause of this conversation is forgotten. Dropping
    /// the future ends the loop: calls under way are given up and answered as interrupted.
    pub async fn run<M: Model + ?Sized>(&mut self, model: &M, request: Value) -> End {
        let memory = &mut self.memory;
        (memory.turns_now, memory.calls_now, memory.cut_off) = (0, 0, 0);
        (memory.paused, memory.answer) = (None, Vec::new());
        memory.words.clear();
        match self.export.opened(request, self.run.executor().language()) {
            Ok(request) => memory.request = request,
            Err(problem) => {
                let error = ToolError::new(ErrorClass::InvalidArgument, problem);
                return self.end(EndReason::ModelFailed, Some(error));
            }
        }
        self.go_on(model).await
    }

    /// Goes on after a pause, once every pending call has its answer or its time is over, and else ends as before. Without a
    /// pause it sends the request as it stands.
    pub async fn resume<M: Model + ?Sized>(&mut self, model: &M) -> End {
        if self.pending().iter().any(PendingCall::is_open) {
            return self.end(EndReason::NeedsConfirmation, None);
        }
        if let Some(paused) = self.memory.paused.take() {
            Turn::resumed(self, paused).run().await;
            if self.memory.paused.is_some() {
                return self.end(EndReason::NeedsConfirmation, None);
            }
        }
        self.go_on(model).await
    }

    async fn go_on<M: Model + ?Sized>(&mut self, model: &M) -> End {
        loop {
            if self.memory.turns_now >= self.limits.turns {
                return self.end(EndReason::MaxTurns, None);
            }
            let (response, said) = match self.ask(model).await {
                Ok(reply) => reply,
                Err(Unanswered { error, stop }) => {
                    let reason =
                        if stop == StopReason::Deadline { EndReason::Deadline } else { EndReason::ModelFailed };
                    self.note(Kept::failed(&error));
                    return self.end(reason, Some(error));
                }
            };
            let Said { mut calls, cut_off, words, usage } = said;
            self.memory.turns += 1;
            self.memory.turns_now += 1;
            self.memory.usage.add(usage);
            self.memory.words.clone_from(&words);
            if !words.trim().is_empty() {
                self.note(Kept::Said(words));
            }
            if calls.is_empty() {
                if cut_off {
                    return self.end(EndReason::CutOff, None);
                }
                self.memory.answer = self.export.turn_messages(&response);
                return self.end(EndReason::Answered, None);
            }
            for call in &calls {
                let arguments = self.run.executor().shown(call);
                self.note(Kept::Called { id: call.id.clone(), tool: call.name.clone(), arguments });
            }
            // Nobody knows what the rest of the reply was to be, so that no part of it is run.
            let cut_off = cut_off || calls.iter().any(|call| breaks_off(&call.arguments.text()));
            if cut_off {
                calls = calls.into_iter().map(ToolCall::cut_off).collect();
            }
            let room = self.limits.calls.saturating_sub(self.memory.calls_now);
            let too_many = calls.len() > room;
            self.memory.calls_now += calls.len().min(room);
            Turn::fresh(self, &response, calls, room).run().await;
            if self.memory.paused.is_some() {
                return self.end(EndReason::NeedsConfirmation, None);
            }
            if too_many {
                return self.end(EndReason::MaxCalls, None);
            }
            self.memory.cut_off = if cut_off { self.memory.cut_off + 1 } else { 0 };
            if self.memory.cut_off >= MOST_CUT_OFF {
                return self.end(EndReason::CutOff, None);
            }
        }
    }

    async fn ask<M: Model + ?Sized>(&self, model: &M) -> Result<(Value, Said), Unanswered> {
        let asking = Asking {
            run: self.run.id(),
            turn: self.memory.turns + 1,
            max_retries: self.limits.retries,
            budget: self.budget.as_ref(),
            deadline: self.run.state().deadline(),
        };
        let (request, export) = (&self.memory.request, &self.export);
        let send = || -> Work<'_, (Value, Said)> {
            Box::pin(async move {
                let response = model.send(request).await?;
                match export.said(&response) {
                    Ok(said) => Ok((response, said)),
                    Err(error) => Err(provider::failure(&response, &error)),
                }
            })
        };
        self.run.executor().ask(asking, send).await
    }

    fn end(&self, reason: EndReason, error: Option<ToolError>) -> End {
        self.run.executor().tell(&Event::ConversationEnded {
            run: self.run.id(),
            turns: self.memory.turns,
            calls: self.memory.results.len(),
            reason,
        });
        End::new(reason, self.memory.words.clone(), error)
    }

    /// Every result so far, in the order of the calls.
    pub fn results(&self) -> &[ToolResult] {
        &self.memory.results
    }

    /// The request as it stands, with the tools and the whole history: valid to send again at any time.
    ///
    /// Every call in it is answered, those that wait for a person as waiting. The answer that ended the conversation is not
    /// in it; see [`followed_by`](Self::followed_by).
    pub fn request(&self) -> &Value {
        &self.memory.request
    }

    /// The request with the model's answer and then this message, in the provider's own form: what a next question is asked
    /// with, by [`run`](Self::run).
    #[must_use]
    pub fn followed_by(&self, message: Value) -> Value {
        let mut request = self.memory.request.clone();
        if let Some(history) = self.export.history(&mut request) {
            // An empty turn, which some models end with, is refused by some providers.
            if !self.memory.words.trim().is_empty() {
                history.extend(self.memory.answer.iter().cloned());
            }
            history.push(message);
        }
        request
    }

    /// How many tokens all replies took, as far as the provider says it.
    pub fn usage(&self) -> Usage {
        self.memory.usage
    }

    /// How many replies of the model there were.
    pub fn turns(&self) -> u64 {
        self.memory.turns
    }

    /// The run that the calls belong to.
    pub fn run_id(&self) -> &str {
        self.run.id()
    }

    /// The record of everything that happened, to be printed.
    pub fn timeline(&self) -> Timeline<'_> {
        Timeline::new(self.steps(), self.run.executor().language())
    }

    /// Everything that happened, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        self.memory.steps.iter().filter_map(|kept| kept.step(&self.memory.results))
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation")
            .field("run", &self.run.id())
            .field("provider", &self.export.provider())
            .field("turns", &self.memory.turns)
            .field("results", &self.memory.results.len())
            .field("pending", &self.pending().len())
            .finish_non_exhaustive()
    }
}
