//! Properties of the careful way, with `jsonschema` as a second judge.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroI16;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{Reading, Refusal, Repaired};
use crate::context::{Place, ToolContext};
use crate::feedback::Language;
use crate::parameter::Bad;
use crate::tool::ToolSpec;
use crate::{Executor, Registry, RepairMode, tool};

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    DarkBlue,
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind")]
enum Payment {
    Card { number: String, months: Option<u8> },
    Cash { amount: f64 },
    Later,
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
enum Shape {
    Circle { radius: f64 },
    Square(i32),
    Pair(u8, bool),
    Point,
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Tree {
    label: String,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Address {
    #[schemars(length(min = 1, max = 8))]
    street: String,
    #[schemars(range(min = 1, max = 99))]
    number: Option<u16>,
    #[schemars(regex(pattern = "^[A-Z]{2}$"))]
    country: String,
}

/// Scalars.
#[allow(clippy::many_single_char_names, clippy::too_many_arguments)]
#[tool(category = Compute, crate = crate)]
async fn scalars(a: i64, b: u8, c: f64, d: bool, e: String, f: Option<i32>, g: NonZeroI16, h: char) -> String {
    json!([a, b, c, d, e, f, g, h]).to_string()
}

/// Enums.
#[tool(category = Compute, crate = crate)]
async fn enums(colour: Colour, payment: Payment, shape: Option<Shape>) -> String {
    json!([colour, payment, shape]).to_string()
}

/// Lists and maps.
#[tool(category = Compute, crate = crate)]
async fn many(
    words: Vec<String>,
    pair: (u8, String),
    set: BTreeSet<u8>,
    map: BTreeMap<String, Vec<i64>>,
    tree: Option<Tree>,
) -> String {
    json!([words, pair, set, map, tree]).to_string()
}

/// Limits.
#[tool(category = Compute, crate = crate)]
async fn limits(
    #[arg(range = -3..=3)] n: i32,
    #[arg(length = 1..=4)] text: String,
    #[arg(pattern = r"^\d{2}-\w+$", default = "12-a")] code: String,
    address: Address,
) -> String {
    json!([n, text, code, address]).to_string()
}

static EXECUTOR: LazyLock<Executor> = LazyLock::new(|| {
    let registry = Registry::builder().tool::<scalars>().tool::<enums>().tool::<many>().tool::<limits>().build();
    Executor::builder(registry.expect("four names")).build().expect("no states")
});

fn spec(which: usize) -> &'static ToolSpec {
    EXECUTOR.registry().at(which).expect("one of four tools")
}

const READING: Reading = Reading { mode: RepairMode::Lossless, language: Language::En, secret: false };

/// A value of a schema, chosen by the bytes.
fn instance(root: &Value, schema: &Value, bytes: &mut impl Iterator<Item = u8>, depth: u8) -> Value {
    let mut next = || bytes.next().unwrap_or_default();
    let schema = crate::schema::resolve(root, schema);
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    let pick = |all: &[Value], at: u8| all[usize::from(at) % all.len()].clone();
    if let Some(all) = schema.get("enum").and_then(Value::as_array) {
        return pick(all, next());
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(all) = schema.get(key).and_then(Value::as_array) {
            let branch = pick(all, next());
            return instance(root, &branch, bytes, depth);
        }
    }
    let types: Vec<Value> = match &schema["type"] {
        Value::Array(all) => all.clone(),
        one => vec![one.clone()],
    };
    let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
    match pick(&types, next()).as_str().unwrap_or_default() {
        "null" => Value::Null,
        "boolean" => json!(next() % 2 == 0),
        "integer" => {
            let (least, most) = (bound("minimum").unwrap_or(-100), bound("maximum").unwrap_or(100));
            let number = least + i64::from(next()) % (most - least + 1);
            // What is excluded is the zero of a number that is never zero.
            json!(if number == 0 && schema.get("not").is_some() { 7 } else { number })
        }
        "number" => json!((f64::from(next()) - 128.0) / 4.0),
        "string" => match schema.get("pattern").and_then(Value::as_str) {
            Some("^[A-Z]{2}$") => json!(format!("{}X", char::from(b'A' + next() % 26))),
            Some(_) => json!(format!("{:02}-w{}", next() % 100, next() % 10)),
            None => {
                let (least, most) = (bound("minLength").unwrap_or(0), bound("maxLength").unwrap_or(6));
                let length = least + i64::from(next()) % (most - least + 1);
                let letters = ['a', '"', '\\', '\n', '7', 'é', '日', '😀', ' ', '{', '\u{7f}'];
                json!((0..length).map(|_| letters[usize::from(next()) % letters.len()]).collect::<String>())
            }
        },
        "array" => {
            if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
                return places.iter().map(|place| instance(root, place, bytes, depth)).collect();
            }
            let length = if depth == 0 { 0 } else { bytes.next().unwrap_or_default() % 3 };
            let mut items: Vec<Value> = Vec::new();
            for _ in 0..length {
                let item = instance(root, &schema["items"], bytes, depth - 1);
                if schema.get("uniqueItems").is_none() || !items.contains(&item) {
                    items.push(item);
                }
            }
            Value::Array(items)
        }
        _ => {
            let mut object = Map::new();
            for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let required = schema["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
                if required || bytes.next().unwrap_or_default().is_multiple_of(2) {
                    object.insert(name.clone(), instance(root, property, bytes, depth.saturating_sub(1)));
                }
            }
            if let Some(values @ Value::Object(_)) = schema.get("additionalProperties") {
                for _ in 0..bytes.next().unwrap_or_default() % 3 {
                    let key = format!("k{}", bytes.next().unwrap_or_default());
                    object.insert(key, instance(root, values, bytes, depth.saturating_sub(1)));
                }
            }
            Value::Object(object)
        }
    }
}

fn mend(spec: &ToolSpec, text: &str, reading: Reading) -> Result<Repaired, Refusal> {
    let (place, _) = EXECUTOR.registry().find(spec.name()).expect("one of four tools");
    let cx = ToolContext::new(EXECUTOR.clone(), place, None, Place::default(), String::new(), None);
    cx.set_arguments_checked();
    let decode = |text: &str| (spec.start())(&cx, text).err();
    super::mend(spec, text, &decode(text).unwrap_or(Bad::Unsure), reading, decode)
}

fn run(spec: &ToolSpec, text: &str, checked: bool) -> Result<String, String> {
    let (place, _) = EXECUTOR.registry().find(spec.name()).ok_or("no such tool")?;
    let cx = ToolContext::new(EXECUTOR.clone(), place, None, Place::default(), String::new(), None);
    if checked {
        cx.set_arguments_checked();
    }
    let attempt = (spec.start())(&cx, text).map_err(|bad| format!("{bad:?}"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| error.to_string())?;
    let output = runtime.block_on(attempt).map_err(|error| error.to_string())?;
    Ok(output.as_text().to_owned())
}

/// Puts `text` in the place of one byte, or takes some away.
fn damaged(text: &str, at: usize, with: &str) -> String {
    let mut at = at % (text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let after: String = text[at..].chars().skip(1).collect();
    format!("{}{with}{after}", &text[..at])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_value_runs_unchanged_on_both_ways(which in 0..4_usize, bytes: [u8; 48]) {
        let spec = spec(which);
        let schema = spec.input_schema();
        let value = instance(schema, schema, &mut bytes.into_iter(), 3);
        prop_assert!(jsonschema::is_valid(schema, &value), "the test makes a wrong value: {value}");
        let text = value.to_string();

        let mended = mend(spec, &text, READING);
        prop_assert!(mended.is_ok(), "{text}: {:?}", mended.err());
        let mended = mended.unwrap_or_else(|_| unreachable!());
        prop_assert!(mended.repairs.is_empty(), "{text}: {:?}", mended.repairs);
        prop_assert_eq!(serde_json::from_str::<Value>(&mended.text).ok(), Some(value));

        let careful = run(spec, &mended.text, true);
        prop_assert!(careful.is_ok(), "{text}: {careful:?}");
        // Whatever the exact way takes, it takes as the careful one does.
        if let Ok(exact) = run(spec, &text, false) {
            prop_assert_eq!(Ok(exact), careful);
        }
    }

    #[test]
    fn what_is_accepted_matches_the_schema_and_needs_no_second_repair(
        which in 0..4_usize,
        bytes: [u8; 48],
        damage in prop::collection::vec((any::<usize>(), "[a-z\"{}\\[\\],:0-9 .'\\\\nN_-]{0,3}"), 0..4),
    ) {
        let spec = spec(which);
        let schema = spec.input_schema();
        let mut text = instance(schema, schema, &mut bytes.into_iter(), 3).to_string();
        for (at, with) in &damage {
            text = damaged(&text, *at, with);
        }
        if let Ok(mended) = mend(spec, &text, READING)
            && mended.unlisted.is_empty()
        {
            let value: Value = serde_json::from_str(&mended.text).expect("a repaired text is JSON");
            prop_assert!(jsonschema::is_valid(schema, &value), "{text} became {value}");
            let again = mend(spec, &mended.text, READING);
            prop_assert!(again.is_ok_and(|again| again.repairs.is_empty() && again.text == mended.text), "{text}");
        }
        // And without repairs, what runs is exact JSON.
        let strict = Reading { mode: RepairMode::Off, ..READING };
        if let Ok(exact) = mend(spec, &text, strict) {
            prop_assert!(exact.repairs.is_empty());
            prop_assert!(text.trim().is_empty() || serde_json::from_str::<Value>(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn no_text_panics(which in 0..4_usize, text in any::<String>(), json in "[\\[\\]{}\",:0-9a-z\\\\'/* .eE+-]{0,40}") {
        let spec = spec(which);
        for text in [text, json] {
            for mode in [RepairMode::Lossless, RepairMode::Off] {
                for language in [Language::En, Language::Zh] {
                    let _ = mend(spec, &text, Reading { mode, language, secret: false });
                }
            }
            let _ = run(spec, &text, false);
        }
    }
}
