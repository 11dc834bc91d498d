//! Schemas that a provider holds its models to, and what cannot be one.

use serde_json::{Value, json};
use toolkit::{ExportOptions, Provider, Registry};

use crate::express::schema_of;
use crate::rejections::{loose, registry, strict, tool};

#[test]
fn strict_objects_are_closed_and_have_every_key() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": { "type": "string" },
            "b": { "type": "object", "properties": { "c": { "type": "integer" }, "d": { "type": ["string", "null"] } }, "required": ["c"] },
            "l": { "type": "array", "items": { "type": "object", "properties": { "e": { "type": "boolean" } } } }
        },
        "required": ["a"]
    });
    let sent = strict(Provider::OpenAiChat, &schema);
    let b = json!({
        "type": "object",
        "properties": { "c": { "type": "integer" }, "d": { "type": ["string", "null"] } },
        "required": ["c", "d"],
        "additionalProperties": false
    });
    assert_eq!(sent["required"], json!(["a", "b", "l"]));
    assert_eq!(sent["additionalProperties"], false);
    assert_eq!(sent["properties"]["b"], json!({ "anyOf": [b, { "type": "null" }] }));
    assert_eq!(sent["properties"]["l"]["type"], json!(["array", "null"]));
    let items = &sent["properties"]["l"]["items"];
    assert_eq!(items["properties"]["e"]["type"], json!(["boolean", "null"]));
    assert_eq!((&items["required"], &items["additionalProperties"]), (&json!(["e"]), &json!(false)));
    // And `null` means that it was left out.
    let export = Provider::OpenAiChat.export(&registry(&schema), &ExportOptions::new().strict(true)).unwrap();
    let written = json!({ "a": "x", "b": { "c": 1, "d": null }, "l": [{ "e": null }] });
    let call = json!({ "id": "c", "function": { "name": "it", "arguments": written.to_string() } });
    let reply = json!({ "choices": [{ "message": { "tool_calls": [call] } }] });
    let call = export.parse_calls(&reply).unwrap().remove(0);
    assert_eq!(call.arguments().text(), r#"{"a":"x","b":{"c":1,"d":null},"l":[{}]}"#);
}

#[test]
fn a_default_is_said_in_words_where_the_keyword_is_refused() {
    let schema = json!({
        "type": "object",
        "properties": {
            "lim": { "type": "integer", "default": 10, "minimum": 1 },
            "name": { "type": "string", "minLength": 1, "pattern": "^[a-z]+$", "format": "hostname" }
        },
        "required": ["name"]
    });
    let sent = strict(Provider::OpenAiChat, &schema);
    let lim = json!({ "type": ["integer", "null"], "minimum": 1, "description": "default 10" });
    assert_eq!(sent["properties"]["lim"], lim);
    assert_eq!(sent["properties"]["name"]["pattern"], "^[a-z]+$");
    assert_eq!(sent["properties"]["name"]["description"], "at least 1 characters");
    assert_eq!(loose(Provider::OpenAiChat, &schema)["properties"], schema["properties"]);
    // Nothing is strict that was not to be.
    let export = Provider::OpenAiChat.export(&registry(&schema), &ExportOptions::new()).unwrap();
    assert_eq!(export.tools()[0]["function"]["strict"], false);
}

#[test]
fn a_map_cannot_be_strict_and_is_never_made_empty() {
    let fields = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let schema = json!({
        "type": "object", "properties": { "model": { "type": "string" }, "fields": fields }, "required": ["model", "fields"]
    });
    let options = ExportOptions::new().strict(true);
    for provider in Provider::ALL {
        let Ok(export) = provider.export(&registry(&schema), &options) else { panic!("{provider}") };
        if matches!(provider, Provider::Gemini | Provider::Ollama | Provider::Mcp | Provider::Prompt) {
            continue;
        }
        let reasons = export.report().not_strict();
        assert_eq!((reasons[0].tool(), reasons[0].path()), (Some("it"), "#/properties/fields"), "{provider}");
        let sent = schema_of(&export, "it").unwrap();
        assert_eq!(sent["properties"]["fields"]["additionalProperties"], json!({ "type": "string" }), "{provider}");
        let error = provider.export(&registry(&schema), &options.clone().require_strict(true)).unwrap_err();
        assert!(error.to_string().contains("`it` at #/properties/fields"), "{error}");
        let export = provider.export(&registry(&schema), &options.clone().maps_as_pairs(true)).unwrap();
        assert_eq!(export.report().strict(), ["it"], "{provider}");
    }
    let export = Provider::Cohere.export(&registry(&schema), &options.maps_as_pairs(true)).unwrap();
    assert_eq!(Value::Object(export.request_fields().clone()), json!({ "strict_tools": true }));
}

#[test]
fn anthropic_s_budgets_are_those_of_the_whole_request() {
    let optional = json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "string" } } });
    let closed = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
    let many = |schema: &Value, count: usize| {
        let builder = (0..count)
            .fold(Registry::builder(), |all, number| all.dynamic(tool(&format!("t{number:02}"), schema.clone())));
        builder.build().unwrap()
    };
    let options = ExportOptions::new().strict(true);
    let export = Provider::Anthropic.export(&many(&optional, 13), &options).unwrap();
    assert_eq!(export.report().strict().len(), 12);
    assert!(export.report().not_strict()[0].to_string().contains("26 with the tools before it"));
    let export = Provider::Anthropic.export(&many(&closed, 21), &options).unwrap();
    assert_eq!(export.report().strict().len(), 20);
    assert_eq!(export.tools()[20].get("strict"), None);
    assert_eq!(export.tools()[19]["strict"], true);
}
