//! What it costs to export a hundred tools: the first time, and again. Prints a line a provider; compare by eye.

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolkit::{Category, DynamicTool, ExportOptions, Provider, Registry, ToolError};

fn registry() -> Registry {
    let schema = json!({
        "type": "object",
        "properties": {
            "order_id": { "type": "string", "description": "The number of the order.", "pattern": "^ORD[0-9]{8}$" },
            "limit": { "type": "integer", "minimum": 0, "maximum": 255, "default": 20 },
            "tags": { "type": "array", "items": { "type": "string" } },
            "unit": { "type": "string", "enum": ["metric", "imperial"] }
        },
        "required": ["order_id", "unit"],
        "additionalProperties": false
    });
    let builder = (0..100).fold(Registry::builder(), |builder, number| {
        let body = async |arguments: Value| -> Result<Value, ToolError> { Ok(arguments) };
        let tool = DynamicTool::new(format!("tool_{number}"), "Looks something up.", schema.clone(), body);
        builder.dynamic(tool.category(Category::Read))
    });
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// The middle one of several times.
fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    for provider in Provider::ALL {
        for options in [ExportOptions::new(), ExportOptions::new().strict(true)] {
            let export =
                |registry: &Registry| provider.export(registry, &options).unwrap_or_else(|error| panic!("{error}"));
            let first = middle(
                (0..25)
                    .map(|_| {
                        let registry = registry();
                        let start = Instant::now();
                        black_box(export(&registry));
                        start.elapsed()
                    })
                    .collect(),
            );
            let registry = registry();
            let text = export(&registry).tools_text().to_owned();
            let rounds = 2_000;
            let start = Instant::now();
            (0..rounds).for_each(|_| drop(black_box(export(&registry).tools_text().to_owned())));
            let later = start.elapsed() / rounds;
            let start = Instant::now();
            (0..rounds).for_each(|_| drop(black_box(text.clone())));
            let copy = start.elapsed() / rounds;
            println!("{provider:18} first {first:>10.1?}, later {later:>8.1?}, copy of the text {copy:>8.1?}");
        }
    }
}
