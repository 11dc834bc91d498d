//! A conversation that is stored: between two processes, or overnight.

use std::time::{Duration, SystemTime};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};

use super::pending::{Answer, PendingCall};
use super::step::Kept;
use super::stored::{self, Fields, Wrong};
use super::turn::Paused;
use super::{Conversation, Limits, Memory};
use crate::call::ToolCall;
use crate::error::BuildError;
use crate::provider::{Export, Usage};
use crate::run::Run;

/// The form of what is stored. It changes where an older reader would misread it.
const VERSION: u64 = 1;

/// Everything that a conversation is, to be stored with serde.
///
/// It holds the whole history, the results and the tokens of pending calls, secrets among them: keep it as safe as the
/// conversation itself. Whoever loads one state twice has two conversations; their calls have the same idempotency keys, and
/// one executor uses each approval once.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationState(Value);

impl ConversationState {
    /// The name of the run, by which the run for [`Conversation::restore`] is made.
    pub fn run_id(&self) -> &str {
        self.0.get("run").and_then(Value::as_str).unwrap_or_default()
    }
}

impl Serialize for ConversationState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ConversationState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = Value::deserialize(deserializer)?;
        match state.get("version").and_then(Value::as_u64) {
            Some(VERSION) => Ok(Self(state)),
            Some(other) => Err(D::Error::custom(format!(
                "the conversation was stored in version {other}, and this is a reader of version {VERSION}"
            ))),
            None => Err(D::Error::custom("this is no stored conversation")),
        }
    }
}

impl Conversation {
    /// Everything that there is to store.
    pub fn state(&self) -> ConversationState {
        let Memory { request, answer, words, results, steps, paused, usage, turns, turns_now, calls_now, cut_off } =
            &self.memory;
        let registry = self.run.executor().registry();
        let failed = self.run.state().guard().entries().into_iter().filter_map(|(tool, arguments, count, in_doubt)| {
            let tool = registry.at(tool)?.name();
            Some(json!({ "tool": tool, "arguments": arguments, "count": count, "in_doubt": in_doubt }))
        });
        let Limits { turns: max_turns, calls: max_calls, retries, answers } = self.limits;
        ConversationState(json!({
            "version": VERSION,
            "provider": self.export.provider().as_str(),
            "run": self.run.id(),
            "turn": self.run.turn(),
            "invented": self.run.state().invented(),
            "failed": failed.collect::<Value>(),
            "limits": {
                "turns": max_turns, "calls": max_calls, "model_retries": retries, "answers_seconds": answers.as_secs(),
            },
            "request": request,
            "answer": answer,
            "words": words,
            "results": results.iter().map(stored::result).collect::<Value>(),
            "steps": steps.iter().map(step).collect::<Value>(),
            "paused": paused.as_ref().map(paused_value),
            "usage": { "input": usage.input, "output": usage.output },
            "turns": turns,
            "turns_now": turns_now,
            "calls_now": calls_now,
            "cut_off": cut_off,
        }))
    }

    /// A stored conversation, to be gone on with. The run is a new one of [the same name](ConversationState::run_id), made
    /// by an executor with the same tools, with the roles, the deadline and the extensions that hold now; the export is one
    /// of the same provider.
    ///
    /// # Errors
    /// The run has another name, the provider is another one, or what was stored cannot be read.
    pub fn restore(run: Run, export: Export, state: &ConversationState) -> Result<Self, BuildError> {
        let fields = Fields(&state.0);
        let mut problems = Vec::new();
        if run.id() != state.run_id() {
            problems.push(format!(
                "the run is called `{}`, and the stored conversation's `{}`",
                run.id(),
                state.run_id()
            ));
        }
        let provider = export.provider().as_str();
        if fields.text("provider") != Ok(provider.to_owned()) {
            problems.push(format!("the export is one of {provider}, and the stored conversation is not"));
        }
        BuildError::check(problems)?;
        let Read { limits, turn, invented, failed, memory } = read(fields)
            .map_err(|Wrong(field)| format!("the stored conversation cannot be read: `{field}` is not right"))?;
        run.set_turn(turn);
        run.state().set_invented(invented);
        for (tool, arguments, count, in_doubt) in failed {
            if let Some((tool, _)) = run.executor().registry().find(&tool) {
                run.state().guard().restore(tool, arguments, count, in_doubt);
            }
        }
        Ok(Self { limits, memory, ..Self::new(run, export) })
    }
}

struct Read {
    limits: Limits,
    turn: u64,
    invented: u32,
    failed: Vec<(String, String, u32, bool)>,
    memory: Memory,
}

fn read(state: Fields<'_>) -> Result<Read, Wrong> {
    let (limits, usage) = (state.inner("limits")?, state.inner("usage")?);
    let failed = state.list("failed")?.map(|entry| {
        Ok((entry.text("tool")?, entry.text("arguments")?, entry.number("count")?, entry.flag("in_doubt")?))
    });
    Ok(Read {
        limits: Limits {
            turns: limits.number("turns")?,
            calls: limits.number("calls")?,
            retries: limits.number("model_retries")?,
            answers: Duration::from_secs(limits.number("answers_seconds")?),
        },
        turn: state.number("turn")?,
        invented: state.number("invented")?,
        failed: failed.collect::<Result<_, _>>()?,
        memory: Memory {
            request: state.value("request")?.clone(),
            answer: state.list("answer")?.map(|message| message.0.clone()).collect(),
            words: state.text("words")?,
            results: state.list("results")?.map(stored::read_result).collect::<Result<_, _>>()?,
            steps: state.list("steps")?.map(read_step).collect::<Result<_, _>>()?,
            paused: state.optional("paused")?.map(read_paused).transpose()?,
            usage: Usage { input: usage.number("input")?, output: usage.number("output")? },
            turns: state.number("turns")?,
            turns_now: state.number("turns_now")?,
            calls_now: state.number("calls_now")?,
            cut_off: state.number("cut_off")?,
        },
    })
}

fn step(kept: &Kept) -> Value {
    match kept {
        Kept::Said(text) => json!({ "said": text }),
        Kept::Called { id, tool, arguments } => json!({ "called": tool, "id": id, "arguments": arguments }),
        Kept::Waits { tool, why } => json!({ "waits": tool, "why": why }),
        Kept::Ran(place) => json!({ "ran": place }),
        Kept::Failed { class, message } => json!({ "failed": class, "message": message }),
    }
}

fn read_step(step: Fields<'_>) -> Result<Kept, Wrong> {
    if let Ok(text) = step.text("said") {
        return Ok(Kept::Said(text));
    }
    if let Ok(tool) = step.text("called") {
        return Ok(Kept::Called { id: step.text("id")?, tool, arguments: step.text("arguments")? });
    }
    if let Ok(tool) = step.text("waits") {
        return Ok(Kept::Waits { tool, why: step.text("why")? });
    }
    if let Ok(place) = step.number("ran") {
        return Ok(Kept::Ran(place));
    }
    Ok(Kept::Failed { class: step.parsed("failed")?, message: step.text("message")? })
}

fn paused_value(paused: &Paused) -> Value {
    let Paused { turn, history, before, calls, pending } = paused;
    let call = |call: &ToolCall| json!({ "id": call.id, "name": call.name, "arguments": call.arguments.text() });
    json!({
        "turn": turn,
        "history": history,
        "before": before,
        "calls": calls.iter().map(call).collect::<Value>(),
        "pending": pending.iter().map(pending_value).collect::<Value>(),
    })
}

fn read_paused(paused: Fields<'_>) -> Result<Paused, Wrong> {
    let call = |call: Fields<'_>| Ok(ToolCall::new(call.text("name")?, call.text("arguments")?).id(call.text("id")?));
    Ok(Paused {
        turn: paused.number("turn")?,
        history: paused.number("history")?,
        before: paused.number("before")?,
        calls: paused.list("calls")?.map(call).collect::<Result<_, _>>()?,
        pending: paused.list("pending")?.map(read_pending).collect::<Result<_, _>>()?,
    })
}

fn pending_value(pending: &PendingCall) -> Value {
    let PendingCall { index, call_id, tool, token, arguments, why, until, answer } = pending;
    let until = until.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    let answer = answer.as_ref().map(|answer| match answer {
        Answer::Approved => json!({ "approved": true }),
        Answer::Edited(arguments) => json!({ "edited": arguments }),
        Answer::Refused(why) => json!({ "refused": why }),
    });
    json!({
        "index": index, "id": call_id, "tool": tool, "token": token, "arguments": arguments, "why": why,
        "until_unix_seconds": until, "answer": answer,
    })
}

fn read_pending(pending: Fields<'_>) -> Result<PendingCall, Wrong> {
    let until = Duration::from_secs(pending.number("until_unix_seconds")?);
    let answer = pending.optional("answer")?.map(|answer| {
        if let Ok(arguments) = answer.value("edited") {
            return Ok(Answer::Edited(arguments.clone()));
        }
        if let Ok(why) = answer.text("refused") {
            return Ok(Answer::Refused(why));
        }
        answer.flag("approved").map(|_| Answer::Approved)
    });
    Ok(PendingCall {
        index: pending.number("index")?,
        call_id: pending.text("id")?,
        tool: pending.text("tool")?,
        token: pending.text("token")?,
        arguments: pending.value("arguments")?.clone(),
        why: pending.text("why")?,
        until: SystemTime::UNIX_EPOCH.checked_add(until).ok_or(Wrong("until_unix_seconds"))?,
        answer: answer.transpose()?,
    })
}
