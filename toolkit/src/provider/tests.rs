use serde_json::json;

use super::build::Source;
use super::*;

impl Provider {
    /// Exports tools, each with its name, its description and the schema of its arguments.
    fn export_tools(self, tools: &[(&str, &str, &Value)]) -> Result<Export, ExportError> {
        let source = |&(name, description, schema): &_| Source { name, description, schema, spec: None };
        let made = build::export(self, self.dialect(), tools.iter().map(source), &ExportOptions::new());
        made.map(|made| Export::new(made, self.exchange()))
    }
}

fn object() -> Value {
    json!({ "type": "object", "properties": {} })
}

#[test]
fn names_and_texts_of_providers_agree() {
    for provider in Provider::ALL {
        assert_eq!(provider.to_string().parse::<Provider>().unwrap(), provider);
    }
    let error = "openai".parse::<Provider>().unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`openai` is not a provider; the providers are `openai-chat`, `openai-responses`")
    );
}

#[test]
fn an_error_names_every_problem_of_every_tool() {
    let (text, union) = (json!({ "type": "string" }), json!({ "type": "object", "properties": {}, "oneOf": [] }));
    let good = object();
    let error =
        Provider::OpenAiChat.export_tools(&[("a", "", &text), ("b", "", &good), ("c", "", &union)]).unwrap_err();
    let found: Vec<_> = error.problems().iter().map(|problem| (problem.tool(), problem.path())).collect();
    assert_eq!(found, [(Some("a"), "#"), (Some("a"), "#"), (Some("c"), "#")]);
    assert_eq!(
        error.problems()[2].to_string(),
        "tool `c` at #: the schema of the arguments must not have `oneOf`, `anyOf`, `allOf`, `enum` or `not` at its root \
         (langchain-ai/langchainjs#9804, as of 2026-11-30)"
    );
    assert!(error.to_string().starts_with("openai-chat would refuse the tools\n- tool `a` at #: "));
}

#[test]
fn one_tool_too_many_is_an_error_and_none_is_dropped() {
    let schema = object();
    let names: Vec<String> = (0..129).map(|number| format!("tool_{number}")).collect();
    let tools: Vec<_> = names.iter().map(|name| (name.as_str(), "", &schema)).collect();
    let error = Provider::OpenAiChat.export_tools(&tools).unwrap_err();
    assert_eq!(error.problems().len(), 1);
    assert_eq!(error.problems()[0].tool(), None);
    assert_eq!(
        error.to_string(),
        "openai-chat would refuse the tools: there are 129 tools: a request takes at most 128 tools; leave some out with \
         `Registry::filter`, for example by category (zed-industries/zed#32946, as of 2026-11-30)"
    );
    let export = Provider::OpenAiChat.export_tools(&tools[..128]).unwrap();
    assert_eq!(export.tools().as_array().map(Vec::len), Some(128));
}

#[test]
fn a_long_description_is_sent_whole_and_reported() {
    let schema = object();
    let (long, longest) = ("é".repeat(1025), "é".repeat(1024));
    let export =
        Provider::OpenAiChat.export_tools(&[("long", &long, &schema), ("longest", &longest, &schema)]).unwrap();
    assert_eq!(export.tools()[0]["function"]["description"], long);
    let tools: Vec<_> = export.report().warnings().iter().map(ExportProblem::tool).collect();
    assert_eq!(tools, [Some("long")]);
    assert!(export.report().warnings()[0].to_string().contains("the description has 1025 characters"));
}

#[test]
fn a_name_that_is_refused_is_rewritten_and_reported() {
    let schema = object();
    let export = Provider::OpenAiChat
        .export_tools(&[("read.file", "", &schema), ("read/file", "", &schema), ("stop", "", &schema)])
        .unwrap();
    let sent: Vec<_> = export.tools().as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(sent[0], "read_file");
    assert_ne!(sent[1], "read_file");
    assert_eq!(sent[2], "stop");
    let renamed: Vec<_> = export.report().renamed().iter().map(|one| (one.tool(), one.sent_as())).collect();
    assert_eq!(renamed, [("read.file", "read_file"), ("read/file", sent[1].as_str().unwrap())]);
    assert_eq!(
        export.tool_choice(ToolChoice::Tool("read.file")),
        json!({ "type": "function", "function": { "name": "read_file" } })
    );
}

#[test]
fn an_export_is_cheap_to_clone_and_its_text_is_its_value() {
    let schema = object();
    let export = Provider::OpenAiChat.export_tools(&[("stop", "Stops.", &schema)]).unwrap();
    let text = r#"[{"type":"function","function":{"name":"stop","description":"Stops.","parameters":{"type":"object","properties":{}},"strict":false}}]"#;
    assert_eq!(export.tools_text(), text);
    assert_eq!(export.tools().to_string(), text);
    assert!(std::ptr::eq(export.clone().tools_text(), export.tools_text()));
}
