//! A program that depends on a library and does not mention it has none of its tools, and hears of it when it asks.

use serde_json::json;
use toolkit::{ExportOptions, Provider, Registry};

#[test]
fn a_library_that_is_not_mentioned_is_not_there() {
    let registry = Registry::discover().unwrap();
    assert_eq!(registry.names(), [""; 0]);
    let error = registry.expect(["plug_look_up"]).unwrap_err().to_string();
    assert!(error.contains("there is no tool `plug_look_up`"), "{error}");
    assert!(error.contains("`use its_name as _;`"), "{error}");
}

#[test]
fn a_program_without_tools_has_an_empty_list_of_them() {
    let registry = Registry::discover().unwrap();
    let export = Provider::OpenAiChat.export(&registry, &ExportOptions::new()).unwrap();
    assert_eq!(export.tools(), &json!([]));
}
