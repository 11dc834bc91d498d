//! The agent: the tools made runnable, and the conversation between the model and them.

use std::error::Error;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use toolkit::{Executor, ExportOptions, Language, Outcome, Provider, Registry, ToolResult};

use crate::mail::Outbox;
use crate::model::ChatClient;
use crate::shop::Shop;
use crate::tools::ShippingClient;
use crate::transcript::{AttemptLine, CallEnd, ErrorLine, Ran, RepairLine, Step, Transcript, Who};
use crate::words::Lang;

const MAX_TURNS: usize = 20;
/// The whole conversation; a model that thinks longer is cut off between two calls.
const LIMIT: Duration = Duration::from_mins(2);

/// The tools of this program, with what they work on.
pub(crate) fn executor(
    lang: Lang,
    shop: Arc<Shop>,
    shipping: ShippingClient,
    outbox: Arc<Outbox>,
) -> Result<Executor, Box<dyn Error>> {
    let language = match lang {
        Lang::En => Language::En,
        Lang::Zh => Language::Zh,
    };
    let registry = Registry::discover()?;
    Ok(Executor::builder(registry).state(shop).state(shipping).state(outbox).language(language).build()?)
}

/// Serves one request: asks the model, runs the calls that it makes, tells it what came of them, until it answers.
pub(crate) async fn serve<W: Write>(
    executor: &Executor,
    client: &ChatClient,
    lang: Lang,
    ask: &str,
    transcript: &mut Transcript<W>,
) -> Result<(), Box<dyn Error>> {
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new())?;
    let run = executor.run("order-desk").deadline(LIMIT);
    let mut messages =
        vec![json!({"role": "system", "content": lang.words().system}), json!({"role": "user", "content": ask})];
    for _ in 0..MAX_TURNS {
        let body = json!({"model": client.model(), "messages": messages, "tools": export.tools()});
        let response = client.send(&body).await?;
        show_turn(&response, transcript)?;
        let calls = export.parse_calls(&response)?;
        if calls.is_empty() {
            return Ok(());
        }
        let results = run.call_all(calls).await;
        for result in &results {
            transcript.step(Step::Ran(line_of(result)))?;
        }
        messages.push(export.assistant_turn(&response));
        messages.extend(export.render_results(&results));
    }
    Err(format!("the model gave no answer within {MAX_TURNS} turns").into())
}

/// The model's words and its calls as it wrote them, before anything is repaired.
fn show_turn<W: Write>(response: &Value, transcript: &mut Transcript<W>) -> std::io::Result<()> {
    let message = &response["choices"][0]["message"];
    if let Some(text) = message["content"].as_str().filter(|text| !text.trim().is_empty()) {
        transcript.step(Step::Said { who: Who::Model, text: text.to_owned() })?;
    }
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let (tool, arguments) = (text(&call["function"]["name"]), text(&call["function"]["arguments"]));
        transcript.step(Step::Called { id: text(&call["id"]), tool, arguments })?;
    }
    Ok(())
}

fn line_of(result: &ToolResult) -> Ran {
    let attempts = result.attempts().iter().map(|attempt| AttemptLine {
        number: attempt.number(),
        duration: attempt.duration(),
        error: attempt
            .error()
            .map(|error| ErrorLine { class: error.class().to_string(), message: error.message().to_owned() }),
        delay: attempt.delay(),
    });
    let repairs = result.repairs().iter().map(|repair| RepairLine {
        path: repair.path().to_owned(),
        from: repair.from().to_owned(),
        to: repair.to().to_owned(),
    });
    Ran {
        id: result.call_id().to_owned(),
        tool: result.name().to_owned(),
        end: match result.outcome() {
            Outcome::Succeeded => CallEnd::Succeeded,
            Outcome::Failed => CallEnd::Failed,
            Outcome::NotExecuted => CallEnd::NotExecuted,
            Outcome::Unknown => CallEnd::Unknown,
        },
        stop: result.stop().map(|stop| stop.to_string()),
        duration: result.duration(),
        attempts: attempts.collect(),
        repairs: repairs.collect(),
        told: result.text().to_owned(),
    }
}
