//! The agent: the tools made runnable, and the conversation between the model and them.

use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use toolkit::{Conversation, EndReason, Executor, ExportOptions, Language, Outcome, Provider, Registry, ToolResult};

use crate::mail::Outbox;
use crate::model::ChatClient;
use crate::shop::Shop;
use crate::tools::ShippingClient;
use crate::transcript::{AttemptLine, CallEnd, ErrorLine, Ran, RepairLine, Step, Transcript, Who};
use crate::words::Lang;

const MAX_TURNS: u64 = 20;
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

/// Serves one request: the model is asked, its calls are run and it is told what came of them, until it answers. A call
/// that asks for a person's word is left to a colleague.
pub(crate) async fn serve<W: Write + Send + 'static>(
    executor: &Executor,
    client: &ChatClient,
    lang: Lang,
    ask: &str,
    transcript: Arc<Mutex<Transcript<W>>>,
) -> Result<(), Box<dyn Error>> {
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new())?;
    let mut conversation = Conversation::new(executor.run("order-desk").deadline(LIMIT), export)
        .max_turns(MAX_TURNS)
        .on_step(move |step| show(step, &mut transcript.lock().unwrap_or_else(PoisonError::into_inner)));
    let words = lang.words();
    let messages = json!([{"role": "system", "content": words.system}, {"role": "user", "content": ask}]);
    let mut end = conversation.run(client, json!({"model": client.model(), "messages": messages})).await;
    while end.reason() == EndReason::NeedsConfirmation {
        let tokens: Vec<String> = conversation.pending().iter().map(|call| call.token().to_owned()).collect();
        for token in tokens {
            conversation.refuse(&token, words.colleague)?;
        }
        end = conversation.resume(client).await;
    }
    match (end.reason(), end.error()) {
        (EndReason::Answered, _) => Ok(()),
        (_, Some(error)) => Err(error.message().into()),
        (EndReason::MaxTurns, None) => Err(format!("the model gave no answer within {MAX_TURNS} turns").into()),
        (reason, None) => Err(format!("the model gave no answer: {reason}").into()),
    }
}

fn show<W: Write>(step: &toolkit::Step<'_>, transcript: &mut Transcript<W>) {
    match step {
        toolkit::Step::Said { text } => transcript.step(Step::Said { who: Who::Model, text: (*text).to_owned() }),
        toolkit::Step::Called { call_id, tool, arguments } => transcript.step(Step::Called {
            id: (*call_id).to_owned(),
            tool: (*tool).to_owned(),
            arguments: (*arguments).to_owned(),
        }),
        toolkit::Step::Ran { result } => transcript.step(Step::Ran(line_of(result))),
        _ => {}
    }
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
