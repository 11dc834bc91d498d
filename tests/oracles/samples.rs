//! Writes what the library makes for each provider into a folder, for `run.sh` to check with the providers' own models.
//!
//! The files are called `CHECKER.FORM.KIND.json`: the checker's name of the provider, the form of the export, and `tools`,
//! `calls` or `results`. Beside the tools of a form, `instances/` holds arguments that their schemas must take or refuse.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};
use toolkit::{Executor, Export, ExportOptions, McpRevision, Provider, Registry, ToolSpec};

#[path = "../every_type.rs"]
mod every_type;
#[path = "../express.rs"]
mod express;
#[allow(dead_code, reason = "what the tests need of it too")]
#[path = "../replies.rs"]
mod replies;
#[path = "../shown.rs"]
mod shown;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: oracle_samples FOLDER")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder.join("instances"))?;
    let registry = every_type::registry();
    // No API takes the tools of `prompt`: they are words in a message, and so are calls and results.
    for provider in Provider::ALL.into_iter().filter(|provider| *provider != Provider::Prompt) {
        for (form, options) in forms(provider) {
            let mut registry = registry.clone();
            let mut export = provider.export(&registry, &options)?;
            // What can be strict goes out alone too, for the checker to take every tool of it for strict.
            if form == "only" {
                registry = registry.filter(|spec| can_be_strict(provider, spec, &options));
                export = provider.export(&registry, &options)?;
            }
            let name = format!("{}.{provider}-{form}", checker(provider));
            let write =
                |kind: &str, value: &Value| fs::write(folder.join(format!("{name}.{kind}.json")), value.to_string());
            write("tools", export.tools())?;
            let instances = instances(&export, form);
            fs::write(folder.join(format!("instances/{name}.json")), Value::from(instances).to_string())?;
            if form == "only" {
                continue;
            }
            let (calls, results) = answered(&export, &registry).await?;
            write("calls", &calls.into())?;
            // The checker knows the results of the newest revision alone.
            if form != "2025" {
                write("results", &results.into())?;
            }
        }
    }
    Ok(())
}

/// The forms of one provider's export.
fn forms(provider: Provider) -> Vec<(&'static str, ExportOptions)> {
    let loose = ExportOptions::new();
    let mut forms = vec![("loose", loose.clone())];
    match provider {
        Provider::Gemini => forms.push(("parameters", loose.gemini_parameters(true))),
        Provider::Mcp => forms.push(("2025", loose.mcp_revision(McpRevision::V2025_11_25))),
        Provider::Ollama => {}
        _ => {
            forms.push(("strict", loose.clone().strict(true)));
            forms.push(("pairs", loose.clone().strict(true).maps_as_pairs(true)));
            forms.push(("only", loose.strict(true).maps_as_pairs(true)));
        }
    }
    forms
}

/// Whether a tool is strict where it is alone.
fn can_be_strict(provider: Provider, spec: &ToolSpec, options: &ExportOptions) -> bool {
    let alone = every_type::registry().filter(|other| other.name() == spec.name());
    provider.export(&alone, options).is_ok_and(|export| export.report().not_strict().is_empty())
}

/// The checker knows the providers whose API is OpenAI's by that name.
fn checker(provider: Provider) -> &'static str {
    match provider {
        Provider::Xai | Provider::DeepSeek => "openai-chat",
        other => other.as_str(),
    }
}

/// What the tools' own schemas take, as this export says it; and what they refuse, where the export is as exact as they.
fn instances(export: &Export, form: &str) -> Vec<Value> {
    let exact = form == "loose" && export.provider() != Provider::Ollama;
    let uses = every_type::uses().into_iter().filter(|(_, _, valid)| *valid || exact);
    uses.filter_map(|(tool, args, valid)| {
        let schema = express::schema_of(export, tool)?;
        let args = express::rekeyed(export, tool, args);
        let args = if exact { args } else { express::express(&schema, &args)? };
        Some(json!({ "tool": tool, "args": args, "valid": valid }))
    })
    .collect()
}

/// The calls of replies as the export hands them back, and the answers to them.
async fn answered(export: &Export, registry: &Registry) -> Result<(Vec<Value>, Vec<Value>), Box<dyn Error>> {
    let provider = export.provider();
    let run = Executor::builder(registry.clone()).build()?.run(format!("{provider} samples"));
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    for reply in replies::samples(provider) {
        let turn = export.turn_messages(&reply);
        let answers = run.call_all(export.parse_calls(&reply)?).await;
        calls.extend(turn.into_iter().flat_map(|turn| replies::calls_of(provider, turn)));
        results.extend(export.render_results(&answers));
    }
    // Images and files, words and numbers, and what fails.
    let registry = shown::registry();
    let export = provider.export(&registry, &ExportOptions::new())?;
    let run = Executor::builder(registry.clone()).build()?.run("what is shown");
    let all: Vec<_> = registry.names().into_iter().map(|name| (name.to_owned(), json!({}))).collect();
    let answers = run.call_all(export.parse_calls(&replies::reply(provider, &all))?).await;
    results.extend(export.render_results(&answers));
    Ok((calls, results))
}
