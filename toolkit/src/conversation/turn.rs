//! The calls of one turn. Whatever happens to them, and to the future that runs them, each has its answer in the history
//! afterwards.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::Conversation;
use super::pending::{Answer, PendingCall};
use super::step::Kept;
use crate::arguments::canonical;
use crate::call::{ToolCall, ToolResult};
use crate::context::Place;
use crate::executor::{Unrun, today};

/// A turn that waits for a person. Its results are the last ones of the conversation.
#[derive(Debug)]
pub(super) struct Paused {
    /// The number of the turn in the run.
    pub(super) turn: u64,
    /// How long the history is without the answers.
    pub(super) history: usize,
    /// How many results there were before this turn.
    pub(super) before: usize,
    pub(super) calls: Vec<ToolCall>,
    pub(super) pending: Vec<PendingCall>,
}

/// A turn under way. It is settled when it is dropped, at its end or in the middle.
pub(super) struct Turn<'a> {
    talk: &'a mut Conversation,
    number: u64,
    slots: Mutex<Vec<Slot>>,
    history: usize,
    before: usize,
    calls: Vec<ToolCall>,
    /// The calls that are run with what a person approved.
    approved: Vec<(usize, ToolCall)>,
    /// The calls that are no news: they had their result when the turn was paused.
    old: Vec<bool>,
}

/// How far a call is.
#[derive(Clone, Debug)]
enum Slot {
    Waits,
    Began,
    Ended(Box<ToolResult>),
}

impl<'a> Turn<'a> {
    /// The calls of a reply, of which so many may be run.
    pub(super) fn fresh(talk: &'a mut Conversation, response: &Value, calls: Vec<ToolCall>, room: usize) -> Self {
        let messages = talk.export.turn_messages(response);
        let history = talk.export.history(&mut talk.memory.request).map_or(0, |history| {
            history.extend(messages);
            history.len()
        });
        let (run, most) = (&talk.run, talk.limits.calls);
        let slot = |(index, call)| {
            if index < room {
                return Slot::Waits;
            }
            Slot::Ended(Box::new(run.executor().unrun(run.state(), call, &Unrun::TooMany(most))))
        };
        let slots = Mutex::new(calls.iter().enumerate().map(slot).collect());
        let number = run.next_turn();
        let (before, old) = (talk.memory.results.len(), vec![false; calls.len()]);
        Self { talk, number, slots, history, before, calls, approved: Vec::new(), old }
    }

    /// The calls of a turn that was paused, as a person has answered.
    pub(super) fn resumed(talk: &'a mut Conversation, paused: Paused) -> Self {
        let Paused { turn, history, before, calls, pending } = paused;
        let results = talk.memory.results.iter().skip(before);
        let mut slots: Vec<Slot> = results.cloned().map(|result| Slot::Ended(Box::new(result))).collect();
        let mut old = vec![true; slots.len()];
        let mut approved = Vec::new();
        for pending in pending {
            let (Some(call), Some(slot), Some(old)) =
                (calls.get(pending.index), slots.get_mut(pending.index), old.get_mut(pending.index))
            else {
                continue;
            };
            *old = false;
            *slot = match talk.answered(&pending) {
                // What runs is what the person saw, whatever stands in the model's turn.
                Ok(arguments) => {
                    let call = ToolCall::new(pending.tool, arguments).id(call.id.clone()).confirmed(true);
                    approved.push((pending.index, call));
                    Slot::Waits
                }
                Err(why) => Slot::Ended(Box::new(talk.run.executor().unrun(talk.run.state(), call, &why))),
            };
        }
        Self { talk, number: turn, slots: Mutex::new(slots), history, before, calls, approved, old }
    }

    /// Runs what is to be run.
    pub(super) async fn run(self) {
        let set = |place: Place, now: Slot| {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = slots.get_mut(place.index) {
                *slot = now;
            }
        };
        let waiting: Vec<usize> = {
            let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            let waits = |(index, slot): (usize, &Slot)| matches!(slot, Slot::Waits).then_some(index);
            slots.iter().enumerate().filter_map(waits).collect()
        };
        let calls = waiting.into_iter().filter_map(|index| {
            let approved = self.approved.iter().find(|(place, _)| *place == index).map(|(_, call)| call);
            Some((Place { turn: self.number, index }, approved.or_else(|| self.calls.get(index))?.clone()))
        });
        let began = |place| set(place, Slot::Began);
        let done = |place, result| set(place, Slot::Ended(Box::new(result)));
        self.talk.run.call_places(calls.collect(), &began, &done).await;
    }

    /// The model sees its own name and arguments in the history, so that it has to be told of others.
    fn tell_of_changes(&self, results: &mut [ToolResult]) {
        let executor = self.talk.run.executor();
        for (index, approved) in &self.approved {
            let (Some(call), Some(result)) = (self.calls.get(*index), results.get_mut(*index)) else { continue };
            result.rename(&call.name);
            if canonical(&call.arguments.text()) != canonical(&approved.arguments.text()) {
                let shown = executor.shown(approved);
                let note = executor.language().pick(
                    || format!("A person changed the arguments; the call was made with {shown}."),
                    || format!("参数已由人修改；实际调用参数为 {shown}。"),
                );
                result.prepend(&note);
            }
        }
    }

    fn settle(&mut self) {
        let slots = std::mem::take(self.slots.get_mut().unwrap_or_else(PoisonError::into_inner));
        let result = |(slot, call): (Slot, &ToolCall)| match slot {
            Slot::Ended(result) => *result,
            Slot::Waits => self.talk.run.cancelled(call, false),
            Slot::Began => self.talk.run.cancelled(call, true),
        };
        let mut results: Vec<ToolResult> = slots.into_iter().zip(&self.calls).map(result).collect();
        self.tell_of_changes(&mut results);
        let Conversation { export, limits, memory, .. } = &mut *self.talk;
        if let Some(history) = export.history(&mut memory.request) {
            history.truncate(self.history);
            history.extend(export.render_results(&results));
        }
        let until = until(today(), limits.answers);
        let pending: Vec<PendingCall> = results
            .iter()
            .enumerate()
            .filter_map(|(index, result)| {
                let question = result.confirmation()?;
                Some(PendingCall {
                    index,
                    call_id: result.call_id().to_owned(),
                    tool: question.tool.clone(),
                    token: question.token.clone(),
                    arguments: question.arguments.clone(),
                    why: question.why.clone(),
                    until,
                    answer: None,
                })
            })
            .collect();
        memory.results.truncate(self.before);
        memory.results.extend(results);
        if !pending.is_empty() {
            let calls = std::mem::take(&mut self.calls);
            memory.paused =
                Some(Paused { turn: self.number, history: self.history, before: self.before, calls, pending });
        }
        let news = (0..).zip(&self.old).filter(|(_, old)| !**old).map(|(index, _)| self.before + index);
        for place in news {
            let asked = self.talk.memory.results.get(place).and_then(ToolResult::confirmation);
            let asked = asked.map(|question| (question.tool.clone(), question.why.clone()));
            self.talk.note(match asked {
                Some((tool, why)) => Kept::Waits { tool, why },
                None => Kept::Ran(place),
            });
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.settle();
    }
}

/// In whole seconds, as it is stored.
fn until(now: SystemTime, time: Duration) -> SystemTime {
    let seconds =
        now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs().saturating_add(time.as_secs());
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).unwrap_or(now)
}

impl Conversation {
    /// What a call that waited is run with, or why it is not run.
    fn answered(&self, pending: &PendingCall) -> Result<Value, Unrun> {
        let arguments = match &pending.answer {
            Some(Answer::Refused(why)) => return Err(Unrun::Declined(why.clone())),
            _ if pending.until <= today() => return Err(Unrun::Expired),
            None => return Err(Unrun::Expired),
            Some(Answer::Approved) => pending.arguments.clone(),
            Some(Answer::Edited(arguments)) => arguments.clone(),
        };
        if self.run.executor().use_up(&pending.token, pending.until) { Ok(arguments) } else { Err(Unrun::Used) }
    }
}
