//! Descriptions: what stands in the doc comments, and nothing else.

use serde_json::json;
use toolkit::{Registry, Tool, tool};

use super::property;

fn description<T: Tool>() -> String {
    Registry::builder().tool::<T>().build().unwrap().iter().next().unwrap().description().to_owned()
}

/// Line one.
#[doc = concat!("Line ", "two.")]
#[doc = include_str!("tool_doc.md")]
#[tool(category = Read)]
async fn documented(
    /// Read
    #[doc = concat!("by ", "the compiler.")]
    n: u8,
) -> u8 {
    n
}

#[test]
fn a_doc_may_be_an_expression() {
    assert_eq!(description::<documented>(), "Line one.\nLine two.\nFrom file.");
    assert_eq!(property::<documented>("n")["description"], "Read\nby the compiler.");
}

#[doc = include_str!("tool_doc.md")]
#[tool(category = Read)]
async fn only_a_file() {}

#[test]
fn a_file_alone_is_a_description() {
    assert_eq!(description::<only_a_file>(), "From file.");
}

/// First line
/// second "quoted" line
///
/// - item with \n backslash
///   continued, indented
///
/// ```text
/// let x = 1;
///     deep();
/// ```
#[tool(category = Read)]
async fn markdown() {}

#[test]
fn markdown_stays_as_it_is() {
    let expected = "First line\nsecond \"quoted\" line\n\n- item with \\n backslash\n  continued, indented\n\n```text\nlet x = 1;\n    deep();\n```";
    assert_eq!(description::<markdown>(), expected);
}

/**
 * In a block
 *   with stars.
 *
 * * a list
 */
#[tool(category = Read)]
async fn stars(
    /** One line. */
    a: u8,
    /**
        Two lines,
          the second indented.
    */
    b: u8,
) -> u8 {
    a + b
}

#[test]
fn block_comments_lose_their_frame() {
    assert_eq!(description::<stars>(), "In a block\n  with stars.\n\n* a list");
    assert_eq!(property::<stars>("a")["description"], "One line.");
    assert_eq!(property::<stars>("b")["description"], "Two lines,\n  the second indented.");
}

/// Fetch a page.
#[tool(category = Read)]
async fn fetch(
    /// Absolute http(s) address.
    url: String,
    /// Give up after this many seconds.
    #[arg(default)]
    secs: u32,
    nothing: bool,
) -> String {
    format!("{url}{secs}{nothing}")
}

#[test]
fn arguments_are_described_too() {
    assert_eq!(property::<fetch>("url")["description"], "Absolute http(s) address.");
    assert_eq!(property::<fetch>("secs")["description"], "Give up after this many seconds.");
    assert_eq!(property::<fetch>("secs")["default"], 0);
    assert_eq!(property::<fetch>("nothing"), json!({"type": "boolean"}));
}

/// For readers of the code.
#[tool(category = Read, description = "For the model.")]
async fn said(
    /// For readers of the code.
    #[arg(description = "For the model.")]
    a: u8,
) -> u8 {
    a
}

#[test]
fn a_key_goes_before_the_comment() {
    assert_eq!(description::<said>(), "For the model.");
    assert_eq!(property::<said>("a")["description"], "For the model.");
}

/// Tells the weather: 天气, "☀", `C:\temp`, {braces} and a\ttab.
#[tool(category = Read)]
async fn characters() {}

#[test]
fn characters_are_kept() {
    assert_eq!(description::<characters>(), "Tells the weather: 天气, \"☀\", `C:\\temp`, {braces} and a\\ttab.");
}

/// A type with a description.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    /// Its name.
    name: String,
}

/// A tool.
#[tool(category = Read)]
async fn of_city(
    city: City,
    /// Where to go.
    to: City,
) -> String {
    city.name + &to.name
}

#[test]
fn what_is_said_of_a_type_stays_with_the_type() {
    let schema = super::schema::<of_city>();
    assert_eq!(schema["$defs"]["City"]["description"], "A type with a description.");
    assert_eq!(schema["$defs"]["City"]["properties"]["name"]["description"], "Its name.");
    assert_eq!(schema["properties"]["city"], json!({"$ref": "#/$defs/City"}));
    assert_eq!(schema["properties"]["to"], json!({"$ref": "#/$defs/City", "description": "Where to go."}));
}
