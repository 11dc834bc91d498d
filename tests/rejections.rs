//! Schemas and names that providers have refused, and what goes out instead.

use serde_json::{Value, json};
use toolkit::{Category, DynamicTool, ExportOptions, McpRevision, Provider, Registry, ToolChoice, ToolError};

use crate::express::schema_of;

pub(crate) fn tool(name: &str, schema: Value) -> DynamicTool {
    let body = async |arguments: Value| -> Result<Value, ToolError> { Ok(arguments) };
    DynamicTool::new(name, "Does it.", schema, body).category(Category::Read)
}

pub(crate) fn registry(schema: &Value) -> Registry {
    Registry::builder().dynamic(tool("it", schema.clone())).build().unwrap()
}

pub(crate) fn exported(provider: Provider, options: &ExportOptions, schema: &Value) -> Value {
    let export = provider.export(&registry(schema), options).unwrap();
    match (provider, options == &ExportOptions::new().gemini_parameters(true)) {
        (Provider::Gemini, true) => export.tools()[0]["functionDeclarations"][0]["parameters"].clone(),
        _ => schema_of(&export, "it").unwrap(),
    }
}

pub(crate) fn loose(provider: Provider, schema: &Value) -> Value {
    exported(provider, &ExportOptions::new(), schema)
}

pub(crate) fn strict(provider: Provider, schema: &Value) -> Value {
    exported(provider, &ExportOptions::new().strict(true), schema)
}

pub(crate) fn parameters(schema: &Value) -> Value {
    exported(Provider::Gemini, &ExportOptions::new().gemini_parameters(true), schema)
}

#[test]
fn an_object_without_properties_gets_them() {
    for provider in Provider::ALL {
        if provider != Provider::Gemini {
            let sent = loose(provider, &json!({ "type": "object" }));
            assert_eq!((&sent["type"], &sent["properties"]), (&json!("object"), &json!({})), "{provider}");
        }
    }
}

#[test]
fn a_function_without_arguments_says_nothing_of_them_to_gemini() {
    let empty = json!({ "type": "object", "properties": {}, "required": [] });
    for options in [ExportOptions::new(), ExportOptions::new().gemini_parameters(true)] {
        let export = Provider::Gemini.export(&registry(&empty), &options).unwrap();
        let expected = json!([{ "functionDeclarations": [{ "name": "it", "description": "Does it." }] }]);
        assert_eq!(export.tools(), &expected);
    }
}

#[test]
fn every_array_has_items_at_every_depth() {
    let schema = json!({ "type": "object", "properties": {
        "tags": { "type": "array", "description": "labels" },
        "rows": { "type": "array", "items": { "type": "array" } }
    } });
    for provider in
        [Provider::OpenAiChat, Provider::OpenAiResponses, Provider::Mistral, Provider::Gemini, Provider::Ollama]
    {
        let sent = loose(provider, &schema);
        assert_eq!(sent["properties"]["tags"]["items"], json!({}), "{provider}");
        assert_eq!(sent["properties"]["rows"]["items"]["items"], json!({}), "{provider}");
    }
    let sent = parameters(&schema);
    assert_eq!(sent["properties"]["tags"]["items"]["type"], "string");
    assert_eq!(sent["properties"]["rows"]["items"]["items"]["type"], "string");
}

#[test]
fn names_are_kept_where_they_are_taken_and_rewritten_where_not() {
    let long = "x".repeat(64);
    let longer = "x".repeat(65);
    let all = [
        "get_user",
        "admin.tools.list",
        "Dockerfile problems scanner",
        "größe",
        "1st_tool",
        "a",
        &long,
        &longer,
        "fs/read",
        "tool:run",
        "-lead",
    ];
    let kept = |provider: Provider| -> Vec<&str> {
        let builder = all.iter().fold(Registry::builder(), |all, name| all.dynamic(tool(name, json!({}))));
        let export = provider.export(&builder.build().unwrap(), &ExportOptions::new()).unwrap();
        let renamed: Vec<&str> = export.report().renamed().iter().map(toolkit::Renamed::tool).collect();
        all.into_iter().filter(|name| !renamed.contains(name)).collect()
    };
    assert_eq!(kept(Provider::OpenAiChat), ["get_user", "1st_tool", "a", &long, "-lead"]);
    assert_eq!(kept(Provider::Anthropic), ["get_user", "1st_tool", "a", &long, &longer, "-lead"]);
    assert_eq!(kept(Provider::Gemini), ["get_user", "admin.tools.list", "a", &long]);
    assert_eq!(kept(Provider::Mcp), ["get_user", "admin.tools.list", "1st_tool", "a", &long, &longer, "-lead"]);
    assert!(Registry::builder().dynamic(tool("", json!({}))).build().is_err());
}

#[test]
fn a_client_s_prefix_takes_its_part_of_a_name() {
    let name = "x".repeat(62);
    let registry =
        Registry::builder().dynamic(tool(&name, json!({}))).dynamic(tool("short", json!({}))).build().unwrap();
    let export = Provider::Mcp.export(&registry, &ExportOptions::new().mcp_prefix("mcp__orders__")).unwrap();
    let warnings = export.report().warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().contains("75 > 64"), "{}", warnings[0]);
    assert_eq!(export.tools()[1]["name"], name);
}

#[test]
fn gemini_s_parameters_have_one_type_and_say_null_apart() {
    let schema = json!({ "type": "object", "properties": {
        "note": { "type": ["string", "null"] },
        "lim": { "type": ["integer", "null"], "minimum": 0 },
        "ids": { "type": ["null", "array"], "items": { "type": "integer" } },
        "mixed": { "type": ["string", "array"], "items": { "type": "string" } }
    } });
    let expected = json!({
        "note": { "type": "string", "nullable": true },
        "lim": { "type": "integer", "minimum": 0, "nullable": true },
        "ids": { "type": "array", "items": { "type": "integer" }, "nullable": true },
        "mixed": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] }
    });
    assert_eq!(parameters(&schema)["properties"], expected);
}

#[test]
fn a_map_for_gemini_s_parameters_is_json_in_a_text_and_comes_back_as_a_map() {
    let schema = json!({ "type": "object", "properties": {
        "rates": { "type": "object", "additionalProperties": { "type": "integer" } }, "any": {}
    } });
    let options = ExportOptions::new().gemini_parameters(true);
    let export = Provider::Gemini.export(&registry(&schema), &options).unwrap();
    let sent = parameters(&schema);
    assert_eq!(sent["properties"]["rates"]["type"], "string");
    assert_eq!(sent["properties"]["any"]["type"], "string");
    let args = json!({ "rates": "{\"a\": 1}", "any": "[1]" });
    let reply =
        json!({ "candidates": [{ "content": { "parts": [{ "functionCall": { "name": "it", "args": args } }] } }] });
    let call = export.parse_calls(&reply).unwrap().remove(0);
    assert_eq!(call.arguments().text(), r#"{"rates":{"a":1},"any":[1]}"#);
}

#[test]
fn a_root_that_is_no_object_is_made_one_or_refused_when_it_is_registered() {
    for (schema, properties) in [
        (json!({ "properties": { "q": { "type": "string" } } }), json!({ "q": { "type": "string" } })),
        (json!({ "type": "object", "properties": [] }), json!({})),
        (json!({}), json!({})),
        (json!(true), json!({})),
        (json!(null), json!({})),
    ] {
        let sent = loose(Provider::OpenAiChat, &schema);
        assert_eq!((&sent["type"], &sent["properties"]), (&json!("object"), &properties), "{schema}");
    }
    let error = Registry::builder().dynamic(tool("it", json!({ "type": "string" }))).build().unwrap_err();
    assert!(error.to_string().contains("object"), "{error}");
    let lost = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/Missing" } } });
    let error = Registry::builder().dynamic(tool("it", lost)).build().unwrap_err();
    assert!(error.to_string().contains("`#/$defs/Missing`"), "{error}");
}

#[test]
fn references_are_inlined_where_a_provider_has_none() {
    let schema = json!({
        "type": "object",
        "properties": {
            "urls": { "type": "array", "items": { "type": "string" } },
            "headers": { "type": "object", "properties": { "k": { "type": "string" } } },
            "actions": { "type": "array", "items": { "$ref": "#/properties/headers" } },
            "lim": { "$ref": "#/$defs/int", "minimum": 1, "description": "page size" },
            "esc": { "$ref": "#/$defs/a~1b c" }
        },
        "$defs": {
            "int": { "type": "integer", "maximum": 10, "description": "generic int" },
            "a/b c": { "type": "boolean" }
        }
    });
    let sent = parameters(&schema);
    assert_eq!(
        sent["properties"]["actions"]["items"],
        json!({ "type": "object", "properties": { "k": { "type": "string" } } })
    );
    let lim = json!({ "type": "integer", "maximum": 10, "description": "page size", "minimum": 1 });
    assert_eq!(sent["properties"]["lim"], lim);
    assert_eq!(sent["properties"]["esc"], json!({ "type": "boolean" }));
    for text in [sent.to_string(), loose(Provider::Ollama, &schema).to_string()] {
        assert!(!text.contains("$ref") && !text.contains("$defs"), "{text}");
    }
}

#[test]
fn recursion_ends_and_wide_types_stay_small() {
    let recursive = json!({
        "type": "object",
        "properties": { "root": { "$ref": "#/$defs/Node" } },
        "$defs": {
            "Node": {
                "type": "object",
                "properties": { "v": { "type": "integer" }, "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] } },
                "required": ["v"]
            },
            "Alias": { "$ref": "#/$defs/Alias" }
        }
    });
    for provider in Provider::ALL {
        let text = loose(provider, &recursive).to_string();
        assert!(text.len() < 4_000, "{provider}: {text}");
        assert_eq!(text.contains("$ref"), provider != Provider::Ollama, "{provider}: {text}");
    }
    assert!(loose(Provider::Ollama, &recursive).to_string().contains("of the same kind"));
    assert!(parameters(&recursive).to_string().contains("of the same kind"));
    // Eight levels of eight fields: sixteen million where every one is written out.
    let mut definitions = json!({ "L8": { "type": "object", "properties": { "v": { "type": "integer" } } } });
    for level in 0..8 {
        let fields: serde_json::Map<String, Value> =
            (0..8).map(|field| (format!("f{field}"), json!({ "$ref": format!("#/$defs/L{}", level + 1) }))).collect();
        definitions[format!("L{level}")] = json!({ "type": "object", "properties": fields });
    }
    let wide = json!({ "type": "object", "properties": { "it": { "$ref": "#/$defs/L0" } }, "$defs": definitions });
    for sent in [loose(Provider::Ollama, &wide), parameters(&wide), strict(Provider::DeepSeek, &wide)] {
        assert!(sent.to_string().len() < 400_000);
    }
}

#[test]
fn parameters_called_like_keywords_survive_every_export() {
    let names = [
        "file_id",
        "properties",
        "required",
        "type",
        "$ref",
        "items",
        "default",
        "enum",
        "const",
        "anyOf",
        "title",
        "description",
        "format",
    ];
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": ["type"] });
    for provider in Provider::ALL {
        for options in [ExportOptions::new(), ExportOptions::new().strict(true)] {
            let export = provider.export(&registry(&schema), &options).unwrap();
            let sent = schema_of(&export, "it").unwrap();
            let keys: Vec<&str> = sent["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            let own = |key: &str| {
                let renamed = export.report().renamed_keys().iter();
                let mut renamed = renamed.filter(|one| one.path().ends_with(&format!("/{key}")));
                renamed.next().map_or(key.to_owned(), |one| one.key().to_owned())
            };
            assert_eq!(keys.into_iter().map(own).collect::<Vec<_>>(), names, "{provider}");
        }
        assert_eq!(loose(provider, &schema)["required"], json!(["type"]), "{provider}");
    }
}

#[test]
fn what_speaks_of_the_schema_itself_is_left_out() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "GetMsgRequest", "type": "object",
        "properties": { "message": { "type": "string" } }, "required": ["message"]
    });
    for provider in Provider::ALL {
        let sent = loose(provider, &schema);
        assert_eq!((sent.get("$schema"), sent.get("title")), (None, None), "{provider}");
        assert_eq!(sent["properties"], schema["properties"], "{provider}");
    }
}

#[test]
fn a_tuple_says_what_may_stand_in_it() {
    let schema = json!({ "type": "object", "properties": { "loc": {
        "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }], "minItems": 2, "maxItems": 2
    } }, "required": ["loc"] });
    let items = json!({ "anyOf": [{ "type": "integer" }, { "type": "string" }] });
    for sent in [strict(Provider::OpenAiChat, &schema), parameters(&schema)] {
        let loc = json!({
            "type": "array", "minItems": 2, "maxItems": 2, "description": "item 1: integer, item 2: string", "items": items
        });
        assert_eq!(sent["properties"]["loc"], loc);
    }
    assert_eq!(loose(Provider::OpenAiChat, &schema)["properties"]["loc"]["items"], items);
    assert_eq!(loose(Provider::Mcp, &schema), {
        let mut kept = schema.clone();
        kept["properties"]["loc"] = schema["properties"]["loc"].clone();
        kept
    });
}

#[test]
fn one_bad_tool_is_named_and_the_rest_go_out_without_it() {
    let union = json!({ "type": "object", "properties": {}, "oneOf": [{ "required": ["a"] }] });
    let builder = (0..20).fold(Registry::builder(), |all, number| {
        all.dynamic(tool(&format!("good_{number:02}"), json!({ "properties": { "a": { "type": "string" } } })))
    });
    let registry = builder.dynamic(tool("bad", union)).build().unwrap();
    for provider in [Provider::OpenAiChat, Provider::Anthropic, Provider::Bedrock] {
        let error = provider.export(&registry, &ExportOptions::new()).unwrap_err();
        let bad: Vec<_> = error.problems().iter().map(|problem| (problem.tool(), problem.path())).collect();
        assert_eq!(bad, [(Some("bad"), "#")], "{provider}");
        let rest = registry.filter(|spec| error.problems().iter().all(|problem| problem.tool() != Some(spec.name())));
        assert_eq!(provider.export(&rest, &ExportOptions::new()).unwrap().tools().as_array().map(Vec::len), Some(20));
    }
    let check = registry.check_all();
    assert!(!check.is_clean() && check.tokens(Provider::OpenAiChat).is_none() && check.tokens(Provider::Mcp).is_some());
}

#[test]
fn a_choice_is_said_in_each_provider_s_words() {
    let registry = registry(&json!({}));
    let choice = |provider: Provider, choice: ToolChoice<'_>| {
        provider.export(&registry, &ExportOptions::new()).unwrap().tool_choice(choice)
    };
    assert_eq!(choice(Provider::OpenAiResponses, ToolChoice::Tool("it")), json!({ "type": "function", "name": "it" }));
    assert_eq!(choice(Provider::Anthropic, ToolChoice::Required), json!({ "type": "any" }));
    assert_eq!(choice(Provider::Mistral, ToolChoice::Required), "any");
    assert_eq!(choice(Provider::Cohere, ToolChoice::None), "NONE");
    assert_eq!(choice(Provider::Bedrock, ToolChoice::Tool("it")), json!({ "tool": { "name": "it" } }));
    let one = json!({ "functionCallingConfig": { "mode": "ANY", "allowedFunctionNames": ["it"] } });
    assert_eq!(choice(Provider::Gemini, ToolChoice::Tool("it")), one);
}

#[test]
fn older_clients_of_mcp_get_objects_alone() {
    let list = tool("it", json!({})).output_schema(json!({ "type": "array", "items": { "type": "integer" } }));
    let registry = Registry::builder().dynamic(list).build().unwrap();
    let new = Provider::Mcp.export(&registry, &ExportOptions::new()).unwrap();
    assert_eq!(new.tools()[0]["outputSchema"]["type"], "array");
    let options = ExportOptions::new().mcp_revision(McpRevision::V2025_11_25);
    let old = Provider::Mcp.export(&registry, &options).unwrap();
    let wrapped = &old.tools()[0]["outputSchema"];
    assert_eq!((&wrapped["type"], &wrapped["properties"]["result"]["type"]), (&json!("object"), &json!("array")));
    assert_eq!(old.tools()[0]["annotations"], json!({ "readOnlyHint": true }));
}
