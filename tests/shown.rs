//! Tools that give back all that a tool can: words, values, images and files, and failures.

use serde_json::{Value, json};
use toolkit::{Registry, ToolOutput, tool};

const PIXEL: [u8; 67] = [
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 31, 21, 196,
    137, 0, 0, 0, 10, 73, 68, 65, 84, 120, 156, 99, 0, 1, 0, 0, 5, 0, 1, 13, 10, 45, 180, 0, 0, 0, 0, 73, 69, 78, 68,
    174, 66, 96, 130,
];

/// Gives back a picture.
#[tool(category = Read)]
fn picture() -> ToolOutput {
    ToolOutput::image("image/png", PIXEL)
}

/// Gives back a picture and says what it is.
#[tool(category = Read)]
fn picture_with_words() -> ToolOutput {
    ToolOutput::text("One pixel.")
        .with(ToolOutput::image("image/png", PIXEL))
        .with(ToolOutput::image("image/tiff", *b"II"))
}

/// Gives back files.
#[tool(category = Read)]
fn files() -> ToolOutput {
    ToolOutput::json(json!({ "files": 3 }))
        .with(ToolOutput::file("report of May.pdf", "application/pdf", *b"%PDF-1.4"))
        .with(ToolOutput::file("orders.csv", "text/csv", *b"a,b"))
        .with(ToolOutput::file("sound.wav", "audio/wav", *b"RIFF"))
}

/// Gives back words.
#[tool(category = Read)]
fn words() -> &'static str {
    "noon"
}

/// Gives back nothing.
#[tool(category = Compute)]
fn nothing() {}

/// Gives back a number.
#[tool(category = Compute)]
fn number() -> u64 {
    u64::MAX
}

/// Gives back an object.
#[tool(category = Write)]
fn object() -> Value {
    json!({ "a": [1, null, { "b": "c" }] })
}

/// Gives back a list.
#[tool(category = Communicate)]
fn list() -> Vec<u8> {
    vec![1, 2]
}

/// Fails.
#[tool(category = Dangerous)]
fn failure() -> Result<(), String> {
    Err("there is no such order".to_owned())
}

pub(crate) fn registry() -> Registry {
    Registry::builder()
        .tool::<picture>()
        .tool::<picture_with_words>()
        .tool::<files>()
        .tool::<words>()
        .tool::<nothing>()
        .tool::<number>()
        .tool::<object>()
        .tool::<list>()
        .tool::<failure>()
        .build()
        .unwrap_or_else(|error| panic!("{error}"))
}
