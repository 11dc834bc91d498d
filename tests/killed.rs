//! A conversation that outlives its process: paused in one, killed, approved in the next, killed again in the middle of the
//! approved call, and brought to its end in a third.
//!
//! A program of its own, which starts itself for each of them.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use serde_json::{Value, json};
use toolkit::{
    Conversation, ConversationState, EndReason, Executor, ExportOptions, Provider, Registry, ToolContext, tool,
};

type Failed = Box<dyn Error>;

/// Where the process keeps things, and whether it is killed in the middle of the call.
struct Place {
    folder: PathBuf,
    dies: bool,
}

/// Charges a card.
#[tool(category = Dangerous)]
async fn charge(amount: u32, #[state] place: &Place, context: &ToolContext) -> Result<String, std::io::Error> {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(place.folder.join("charges"))?;
    // The service does once what comes under one key.
    writeln!(file, "{amount} {}", context.idempotency_key())?;
    file.sync_all()?;
    if place.dies {
        println!("charged");
        // Until it is killed.
        std::future::pending::<()>().await;
    }
    Ok(format!("charged {amount}"))
}

/// A model that charges once and then answers.
async fn model(body: Value) -> Result<Value, toolkit::ToolError> {
    let answered = body["messages"].as_array().is_some_and(|messages| messages.len() > 1);
    let message = if answered {
        json!({ "role": "assistant", "content": "The card is charged." })
    } else {
        let function = json!({ "name": "charge", "arguments": "{\"amount\": 30}" });
        json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c1", "type": "function", "function": function }] })
    };
    Ok(json!({ "choices": [{ "message": message }] }))
}

fn executor(folder: &Path, dies: bool) -> Result<Executor, Failed> {
    let registry = Registry::builder().tool::<charge>().build()?;
    Ok(Executor::builder(registry).state(Place { folder: folder.to_owned(), dies }).build()?)
}

async fn pause(folder: &Path) -> Result<(), Failed> {
    let executor = executor(folder, false)?;
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new())?;
    let mut conversation = Conversation::new(executor.run("order-7"), export);
    let request = json!({ "model": "m", "messages": [{ "role": "user", "content": "Charge 30." }] });
    let end = conversation.run(&model, request).await;
    assert_eq!(end.reason(), EndReason::NeedsConfirmation);
    fs::write(folder.join("state"), serde_json::to_vec(&conversation.state())?)?;
    println!("paused");
    std::future::pending().await
}

async fn resume(folder: &Path, dies: bool) -> Result<(), Failed> {
    let executor = executor(folder, dies)?;
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new())?;
    let state: ConversationState = serde_json::from_slice(&fs::read(folder.join("state"))?)?;
    let mut conversation = Conversation::restore(executor.run(state.run_id()), export, &state)?;
    let waiting: Vec<_> = conversation.pending().iter().map(|call| (call.tool(), call.arguments().clone())).collect();
    assert_eq!(waiting, [("charge", json!({ "amount": 30 }))]);
    let token = conversation.pending()[0].token().to_owned();
    conversation.approve(&token)?;
    let end = conversation.resume(&model).await;
    assert_eq!((end.reason(), end.text()), (EndReason::Answered, "The card is charged."));
    assert_eq!(conversation.results()[0].text(), "charged 30");
    println!("ended");
    Ok(())
}

/// A process that does this, and has said that it has.
fn process(step: &str, folder: &Path) -> Result<(Child, String), Failed> {
    let mut command = Command::new(env::current_exe()?);
    let mut child = command.env(STEP, step).env(FOLDER, folder).stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    Ok((child, line.trim().to_owned()))
}

fn killed(step: &str, folder: &Path) -> Result<String, Failed> {
    let (mut child, said) = process(step, folder)?;
    child.kill()?;
    assert!(!child.wait()?.success(), "it was killed");
    Ok(said)
}

fn charges(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("charges")).unwrap_or_default().lines().map(str::to_owned).collect()
}

const STEP: &str = "TOOLKIT_TEST_STEP";
const FOLDER: &str = "TOOLKIT_TEST_FOLDER";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failed> {
    if let (Ok(step), Some(folder)) = (env::var(STEP), env::var_os(FOLDER)) {
        let folder = PathBuf::from(folder);
        return match step.as_str() {
            "pause" => pause(&folder).await,
            "die" => resume(&folder, true).await,
            _ => resume(&folder, false).await,
        };
    }
    // Asked for the list of its tests, it has none that others could run one by one.
    if env::args().any(|argument| argument == "--list") {
        return Ok(());
    }
    let folder = env::temp_dir().join(format!("toolkit-killed-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    assert_eq!(killed("pause", &folder)?, "paused");
    assert!(charges(&folder).is_empty(), "nothing runs before the answer");

    // The usual way: the next process brings it to its end, and the call runs once.
    let (mut child, said) = process("finish", &folder)?;
    assert!(child.wait()?.success() && said == "ended", "{said}");
    assert_eq!(charges(&folder), ["30 order-7/0/0/charge"]);

    // One that is killed after the effect: the one after it sends the same key, which is all that can be known.
    assert_eq!(killed("die", &folder)?, "charged");
    let (mut child, said) = process("finish", &folder)?;
    assert!(child.wait()?.success() && said == "ended", "{said}");
    assert_eq!(charges(&folder), ["30 order-7/0/0/charge"; 3]);
    fs::remove_dir_all(&folder)?;
    println!("a conversation outlives its process: ok");
    Ok(())
}
