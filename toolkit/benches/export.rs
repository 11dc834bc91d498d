//! What it costs to export a hundred tools: the first time, and again, beside a copy of the text. Prints the best of
//! many times, since what the others took more somebody else on the machine did, a line for each provider as it is and a
//! line where it is strict.

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

/// The shortest of several times.
fn best(times: impl Iterator<Item = Duration>) -> Duration {
    times.min().unwrap_or_default()
}

/// The time of one run of what runs often.
fn again(run: impl Fn()) -> Duration {
    const RUNS: u32 = 100;
    let block = |_| {
        let start = Instant::now();
        (0..RUNS).for_each(|_| run());
        start.elapsed() / RUNS
    };
    best((0..41).map(block))
}

fn main() {
    for provider in Provider::ALL {
        for (options, how) in [(ExportOptions::new(), ""), (ExportOptions::new().strict(true), " strict")] {
            let export =
                |registry: &Registry| provider.export(registry, &options).unwrap_or_else(|error| panic!("{error}"));
            let first = best((0..41).map(|_| {
                let registry = registry();
                let start = Instant::now();
                black_box(export(&registry));
                start.elapsed()
            }));
            let registry = registry();
            let text = export(&registry).tools_text().to_owned();
            let later = again(|| {
                black_box(export(&registry).tools_text());
            });
            let copy = again(|| drop(black_box(text.clone())));
            let name = format!("{provider}{how}");
            println!("{name:24} first {first:>10.1?}, later {later:>8.1?}, copy of the text {copy:>8.1?}");
        }
    }
}
