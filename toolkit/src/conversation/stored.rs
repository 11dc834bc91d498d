//! Results as they are stored, and read again.

use std::str::FromStr;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::call::{Attempt, Attempts, Outcome, Parts, Repair, RepairKind, ToolResult};
use crate::confirmation::Confirmation;
use crate::error::ToolError;
use crate::output::ToolOutput;
use crate::provider::{base64, unbase64};
use crate::retry::StopReason;

/// A field that is not there, or not what it should be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong(pub(super) &'static str);

/// An object that was stored.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Value);

impl<'a> Fields<'a> {
    pub(super) fn value(self, key: &'static str) -> Result<&'a Value, Wrong> {
        self.0.get(key).ok_or(Wrong(key))
    }

    pub(super) fn inner(self, key: &'static str) -> Result<Fields<'a>, Wrong> {
        self.value(key).map(Fields)
    }

    /// `None` where `null` stands.
    pub(super) fn optional(self, key: &'static str) -> Result<Option<Fields<'a>>, Wrong> {
        self.value(key).map(|value| (!value.is_null()).then_some(Fields(value)))
    }

    pub(super) fn text(self, key: &'static str) -> Result<String, Wrong> {
        self.value(key)?.as_str().map(str::to_owned).ok_or(Wrong(key))
    }

    pub(super) fn flag(self, key: &'static str) -> Result<bool, Wrong> {
        self.value(key)?.as_bool().ok_or(Wrong(key))
    }

    pub(super) fn number<T: TryFrom<u64>>(self, key: &'static str) -> Result<T, Wrong> {
        self.value(key)?.as_u64().and_then(|number| T::try_from(number).ok()).ok_or(Wrong(key))
    }

    pub(super) fn parsed<T: FromStr>(self, key: &'static str) -> Result<T, Wrong> {
        self.text(key)?.parse().map_err(|_| Wrong(key))
    }

    fn seconds(self, key: &'static str) -> Result<Duration, Wrong> {
        self.value(key)?.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).ok_or(Wrong(key))
    }

    pub(super) fn list(self, key: &'static str) -> Result<impl Iterator<Item = Fields<'a>>, Wrong> {
        self.value(key)?.as_array().map(|list| list.iter().map(Fields)).ok_or(Wrong(key))
    }
}

pub(super) fn result(result: &ToolResult) -> Value {
    let output = result.output().map(|output| {
        let attachment = |one: &crate::output::Attachment| {
            json!({ "name": one.name(), "media_type": one.media_type(), "data": base64(one.data()) })
        };
        json!({
            "text": output.as_text(),
            "json": output.is_json(),
            "attachments": output.attachments().iter().map(attachment).collect::<Value>(),
        })
    });
    let question = result.confirmation().map(|question| {
        let Confirmation { token, tool, arguments, why } = question;
        json!({ "token": token, "tool": tool, "arguments": arguments, "why": why })
    });
    let repair =
        |one: &Repair| json!({ "path": one.path(), "from": one.from(), "to": one.to(), "kind": kind_name(one.kind()) });
    json!({
        "call_id": result.call_id(),
        "name": result.name(),
        "outcome": result.outcome().as_str(),
        "stop": result.stop(),
        "shown": result.shown(),
        "output": output,
        "refusal": result.refusal().map(error),
        "attempts": result.attempts().iter().map(attempt).collect::<Value>(),
        "repairs": result.repairs().iter().map(repair).collect::<Value>(),
        "seconds": result.duration().as_secs_f64(),
        "question": question,
    })
}

pub(super) fn read_result(stored: Fields<'_>) -> Result<ToolResult, Wrong> {
    let mut attempts = Attempts::none();
    for attempt in stored.list("attempts")? {
        attempts.push(read_attempt(attempt)?);
    }
    let parts = Parts {
        call_id: stored.text("call_id")?,
        name: stored.text("name")?,
        attempts,
        repairs: stored.list("repairs")?.map(read_repair).collect::<Result<_, _>>()?,
        duration: stored.seconds("seconds")?,
    };
    let shown = stored.optional("shown")?.map(|_| stored.text("shown")).transpose()?;
    if let Some(output) = stored.optional("output")? {
        return Ok(ToolResult::succeeded(parts, read_output(output)?, shown));
    }
    let outcome = stored.text("outcome")?;
    let outcome = [Outcome::Failed, Outcome::NotExecuted, Outcome::Unknown]
        .into_iter()
        .find(|one| one.as_str() == outcome)
        .ok_or(Wrong("outcome"))?;
    let stop = stored.text("stop")?;
    let stop = StopReason::ALL.into_iter().find(|one| one.as_str() == stop).ok_or(Wrong("stop"))?;
    let refusal = stored.optional("refusal")?.map(read_error).transpose()?;
    let question = stored.optional("question")?.map(|question| {
        Ok(Confirmation {
            token: question.text("token")?,
            tool: question.text("tool")?,
            arguments: question.value("arguments")?.clone(),
            why: question.text("why")?,
        })
    });
    let text = shown.unwrap_or_default();
    Ok(ToolResult::failed(parts, outcome, stop, refusal, text).asking(question.transpose()?))
}

fn read_output(stored: Fields<'_>) -> Result<ToolOutput, Wrong> {
    let text = stored.text("text")?;
    let mut output = if stored.flag("json")? { ToolOutput::json_text(text) } else { ToolOutput::text(text) };
    for attachment in stored.list("attachments")? {
        let data = unbase64(&attachment.text("data")?).ok_or(Wrong("data"))?;
        let media_type = attachment.text("media_type")?;
        output = output.with(match attachment.optional("name")? {
            Some(_) => ToolOutput::file(attachment.text("name")?, media_type, data),
            None => ToolOutput::image(media_type, data),
        });
    }
    Ok(output)
}

fn attempt(attempt: &Attempt) -> Value {
    json!({
        "number": attempt.number(),
        "started": attempt.started().as_secs_f64(),
        "seconds": attempt.duration().as_secs_f64(),
        "error": attempt.error().map(error),
        "delay": attempt.delay().map(|delay| delay.as_secs_f64()),
    })
}

fn read_attempt(stored: Fields<'_>) -> Result<Attempt, Wrong> {
    Ok(Attempt {
        number: stored.number("number")?,
        started: stored.seconds("started")?,
        duration: stored.seconds("seconds")?,
        error: stored.optional("error")?.map(read_error).transpose()?,
        delay: stored.optional("delay")?.map(|_| stored.seconds("delay")).transpose()?,
    })
}

fn error(error: &ToolError) -> Value {
    json!({
        "class": error.class().as_str(),
        "message": error.message(),
        "retry_after": error.retry_after_hint().map(|wait| wait.as_secs_f64()),
        "no_effect": error.has_no_effect(),
        "hidden": error.is_hidden(),
        "details": error.details().map(|(key, value)| (key.to_owned(), value.clone())).collect::<Map<_, _>>(),
    })
}

fn read_error(stored: Fields<'_>) -> Result<ToolError, Wrong> {
    let wait = stored.optional("retry_after")?.map(|_| stored.seconds("retry_after")).transpose()?;
    let mut error = ToolError::new(stored.parsed("class")?, stored.text("message")?).retry_after(wait);
    if stored.flag("no_effect")? {
        error = error.no_effect();
    }
    if stored.flag("hidden")? {
        error = error.hidden();
    }
    let details = stored.value("details")?.as_object().ok_or(Wrong("details"))?;
    Ok(details.iter().fold(error, |error, (key, value)| error.detail(key.clone(), value.clone())))
}

fn kind_name(kind: RepairKind) -> &'static str {
    match kind {
        RepairKind::Text => "text",
        RepairKind::Name => "name",
        RepairKind::Key => "key",
        RepairKind::Value => "value",
    }
}

fn read_repair(stored: Fields<'_>) -> Result<Repair, Wrong> {
    let kind = stored.text("kind")?;
    let kind = [RepairKind::Text, RepairKind::Name, RepairKind::Key, RepairKind::Value]
        .into_iter()
        .find(|one| kind_name(*one) == kind)
        .ok_or(Wrong("kind"))?;
    Ok(Repair { path: stored.text("path")?, from: stored.text("from")?, to: stored.text("to")?, kind })
}
