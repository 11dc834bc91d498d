//! A conversation with any server that speaks Chat Completions, in as few lines as it takes.
//!
//! `OPENAI_BASE_URL=… OPENAI_API_KEY=… OPENAI_MODEL=… cargo run --example ask -- "What time is it?"`

use std::time::SystemTime;

// What the README shows begins here.
use serde_json::{Value, json};
use std::{error::Error, time::Duration};
use toolkit::{Conversation, EndReason, ErrorClass, Executor, ExportOptions, Provider, ResultExt, ToolError};

async fn ask(executor: &Executor, [url, key, name]: [&str; 3], question: &str) -> Result<String, Box<dyn Error>> {
    let http = reqwest::Client::new();
    let model = |body: Value| {
        let request = http.post(format!("{url}/chat/completions")).bearer_auth(key).json(&body);
        async move {
            let reply = request.send().await.class(ErrorClass::Network)?;
            let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
            let body = reply.bytes().await.class(ErrorClass::Network)?;
            if status != 200 {
                let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
                return Err(ToolError::from_http(status, headers, Some(&body)));
            }
            serde_json::from_slice(&body).class(ErrorClass::Internal)
        }
    };
    let export = Provider::OpenAiChat.export(executor.registry(), &ExportOptions::new())?;
    let run = executor.run("conversation-42").deadline(Duration::from_secs(90));
    let mut conversation = Conversation::new(run, export).max_turns(8).max_calls(40);
    let request = json!({"model": name, "messages": [{"role": "user", "content": question}]});
    let end = conversation.run(&model, request).await;
    match end.reason() {
        EndReason::Answered => Ok(end.text().to_owned()),
        reason => Err(format!("{reason}\n{}", conversation.timeline()).into()),
    }
}
// And ends here.

/// Tells the time, in seconds since 1970.
#[toolkit::tool(category = Read)]
async fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // Err: it is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let read = |name: &str| std::env::var(name).map_err(|_| format!("{name} is not set"));
    let (url, key, model) = (read("OPENAI_BASE_URL")?, read("OPENAI_API_KEY")?, read("OPENAI_MODEL")?);
    let question = std::env::args().nth(1).unwrap_or_else(|| "What time is it?".to_owned());
    let executor = Executor::builder(toolkit::Registry::builder().tool::<now>().build()?).build()?;
    println!("{}", ask(&executor, [&url, &key, &model], &question).await?);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_readme_shows_this_very_code_in_under_thirty_lines() {
        let source = include_str!("ask.rs");
        let shown = source.split("begins here.\n").nth(1).and_then(|rest| rest.split("// And ends here.").next());
        let shown = shown.expect("both marks");
        assert!(include_str!("../README.md").contains(shown), "the README shows something else");
        assert!(shown.lines().count() < 30, "{} lines", shown.lines().count());
    }
}
