//! Recorded bodies of real replies: each parses to exactly the calls that are in it.

use std::path::Path;
use std::{env, fs};

use serde_json::{Value, json};
use toolkit::{ExportOptions, Provider, Registry};

use crate::replies::{answer_ids, call_ids};

pub(crate) fn read(file: &str) -> String {
    let folder = env::var("TOOLKIT_CORPORA").expect("TOOLKIT_CORPORA names the folder of the recorded data");
    let path = Path::new(&folder).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Arguments as a value, however they are written; text that is no JSON stays.
fn value_of(arguments: &Value) -> Value {
    match arguments {
        Value::Null => json!({}),
        Value::String(text) if text.is_empty() => json!({}),
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| arguments.clone()),
        other => other.clone(),
    }
}

#[tokio::test]
async fn every_body_parses_to_the_calls_that_are_in_it() {
    let registry = Registry::builder().build().unwrap();
    let run = toolkit::Executor::builder(registry.clone()).build().unwrap().run("bodies");
    let mut bodies = 0;
    for line in read("replies.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["kind"] != "body" {
            continue;
        }
        bodies += 1;
        let provider: Provider = row["provider"].as_str().unwrap().parse().unwrap();
        let export = provider.export(&registry, &ExportOptions::new()).unwrap();
        let calls = export.parse_calls(&row["response"]).unwrap_or_else(|error| panic!("{error}: {line}"));
        let listed = row["calls"].as_array().unwrap();
        assert_eq!(calls.len(), listed.len(), "{line}");
        for (call, listed) in calls.iter().zip(listed) {
            assert_eq!(call.name(), listed["name"], "{line}");
            let arguments = Value::String(call.arguments().text().into_owned());
            assert_eq!(value_of(&arguments), value_of(&listed["arguments"]), "{line}");
            // Those without an id get one.
            assert!(listed["id"].is_null() && !call.call_id().is_empty() || call.call_id() == listed["id"], "{line}");
        }
        // The history: the same calls, each with the id of its answer.
        let answers = export.render_results(&run.call_all(calls).await);
        let turn = export.turn_messages(&row["response"]);
        let ids: Vec<String> = turn.into_iter().flat_map(|message| call_ids(provider, message)).collect();
        assert_eq!(ids.len(), listed.len(), "{line}");
        assert_eq!(answer_ids(provider, &answers), ids, "{line}");
    }
    assert_eq!(bodies, 197);
}

#[test]
fn every_signature_is_handed_back_where_it_stood() {
    let registry = Registry::builder().build().unwrap();
    let export = Provider::Gemini.export(&registry, &ExportOptions::new()).unwrap();
    for line in read("replies.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["kind"] == "body" && row["provider"] == "gemini" {
            let signatures = |parts: &Value| -> Vec<Value> {
                parts.as_array().into_iter().flatten().map(|part| part["thoughtSignature"].clone()).collect()
            };
            let came = &row["response"]["candidates"][0]["content"]["parts"];
            assert_eq!(signatures(&export.assistant_turn(&row["response"])["parts"]), signatures(came), "{line}");
        }
    }
}
