//! What the tools' own schemas take can be said under every strict schema, and comes back as the same typed arguments.

// A tool owns its arguments.
#![allow(clippy::needless_pass_by_value)]

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolkit::{Executor, ExportOptions, Provider, Registry, ToolCall, tool};

use crate::express::{express, rekeyed, schema_of};
use crate::replies::reply;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Order {
    /// What it is about.
    title: String,
    amount: Option<u32>,
    #[serde(default)]
    express: bool,
    #[serde(default = "one")]
    count: i64,
    #[serde(default)]
    lines: Vec<Line>,
    place: Option<Place>,
    speed: Option<Speed>,
}

fn one() -> i64 {
    1
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Line {
    name: Option<String>,
    #[serde(default)]
    weight: f64,
    #[serde(default)]
    payment: Payment,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Place {
    Shop {
        number: u8,
        floor: Option<i8>,
    },
    Street {
        #[serde(default)]
        name: String,
    },
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
enum Payment {
    #[default]
    Cash,
    Card {
        number: String,
        holder: Option<String>,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Speed {
    /// In a week.
    Slow,
    /// Tomorrow.
    Fast,
}

/// Gives back what it read.
#[tool(category = Compute)]
fn plain(order: Order, tags: Option<Vec<String>>, #[arg(default = 7)] limit: u8) -> Value {
    json!([order, tags, limit])
}

/// Gives back what it read, maps too.
#[tool(category = Compute)]
fn mapped(
    rates: BTreeMap<String, Vec<u32>>,
    nested: Option<BTreeMap<String, BTreeMap<String, String>>>,
    #[arg(rename = "$key")] key: String,
) -> Value {
    json!([rates, nested, key])
}

/// Takes a value of any kind, which no strict schema can say.
#[tool(category = Compute)]
fn anything(value: Value, more: BTreeMap<String, Value>) -> Value {
    json!([value, more])
}

fn word() -> impl Strategy<Value = String> {
    "[a-z\"\\\\é]{0,4}"
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        (any::<u8>(), option::of(any::<i8>())).prop_map(|(number, floor)| Place::Shop { number, floor }),
        word().prop_map(|name| Place::Street { name }),
    ]
}

fn line() -> impl Strategy<Value = Line> {
    let card = (word(), option::of(word())).prop_map(|(number, holder)| Payment::Card { number, holder });
    let payment = prop_oneof![Just(Payment::Cash), card];
    (option::of(word()), -4_i32..4, payment).prop_map(|(name, weight, payment)| Line {
        name,
        weight: f64::from(weight) / 2.0,
        payment,
    })
}

fn order() -> impl Strategy<Value = Order> {
    let speed = option::of(prop_oneof![Just(Speed::Slow), Just(Speed::Fast)]);
    let numbers = (option::of(any::<u32>()), any::<bool>(), -9_i64..9);
    (word(), numbers, vec(line(), 0..3), option::of(place()), speed).prop_map(
        |(title, (amount, express, count), lines, place, speed)| Order {
            title,
            amount,
            express,
            count,
            lines,
            place,
            speed,
        },
    )
}

/// The same without some of the keys that may be left out.
fn pruned(mut value: Value, mut bits: u64) -> Value {
    fn prune(value: &mut Value, bits: &mut u64) {
        match value {
            Value::Object(fields) => {
                let optional = ["express", "count", "lines", "weight", "payment", "tags", "limit", "nested"];
                fields.retain(|key, value| {
                    let drop = (value.is_null() || optional.contains(&key.as_str())) && *bits & 1 == 1;
                    *bits = bits.rotate_right(1);
                    !drop
                });
                fields.values_mut().for_each(|value| prune(value, bits));
            }
            Value::Array(items) => items.iter_mut().for_each(|value| prune(value, bits)),
            _ => {}
        }
    }
    prune(&mut value, &mut bits);
    value
}

/// Arguments of one of the tools.
fn arguments() -> impl Strategy<Value = (&'static str, Value)> {
    let plain =
        (order(), option::of(vec(word(), 0..3)), any::<u8>(), any::<u64>()).prop_map(|(order, tags, limit, bits)| {
            ("plain", pruned(json!({ "order": order, "tags": tags, "limit": limit }), bits))
        });
    let inner = btree_map(word(), word(), 0..3);
    let maps = (btree_map(word(), vec(any::<u32>(), 0..3), 0..3), option::of(btree_map(word(), inner, 0..3)), word());
    let mapped = maps.prop_map(|(rates, nested, key)| {
        let mut arguments = json!({ "rates": rates, "$key": key });
        if let Some(nested) = nested {
            arguments["nested"] = json!(nested);
        }
        ("mapped", arguments)
    });
    let anything = (word(), any::<i32>())
        .prop_map(|(key, number)| ("anything", json!({ "value": [number, { "a": null }], "more": { key: number } })));
    prop_oneof![2 => plain, 1 => mapped, 1 => anything]
}

fn registry() -> Registry {
    Registry::builder().tool::<plain>().tool::<mapped>().tool::<anything>().build().unwrap()
}

#[test]
fn the_tools_are_strict_where_they_can_be() {
    for provider in Provider::ALL {
        let options = ExportOptions::new().strict(true);
        let export = provider.export(&registry(), &options).unwrap();
        let strict = |options| provider.export(&registry(), &options).unwrap().report().strict().to_vec();
        let (plain, pairs) = (strict(options.clone()), strict(options.maps_as_pairs(true)));
        match provider {
            Provider::Gemini | Provider::Ollama | Provider::Mcp | Provider::Cohere | Provider::Prompt => {
                assert!(pairs.is_empty());
            }
            _ => {
                assert_eq!(plain, ["plain"], "{provider}: {:?}", export.report().not_strict());
                assert_eq!(pairs, ["mapped", "plain"], "{provider}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn arguments_come_back_as_the_same_typed_values((tool, arguments) in arguments()) {
        let registry = registry();
        let executor = Executor::builder(registry.clone()).build().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let run = |call: ToolCall| runtime.block_on(executor.call(call));
        let direct = run(ToolCall::new(tool, arguments.clone()));
        prop_assert!(direct.is_success(), "{}", direct.text());
        let options = ExportOptions::new();
        for provider in Provider::ALL {
            let forms = [options.clone(), options.clone().strict(true), options.clone().strict(true).maps_as_pairs(true)];
            for options in forms {
                let export = provider.export(&registry, &options).unwrap();
                let keyed = rekeyed(&export, tool, arguments.clone());
                let written = express(&schema_of(&export, tool).unwrap(), &keyed);
                prop_assert!(written.is_some(), "{} cannot be said to {}: {}", keyed, provider, export.tools());
                let written = written.unwrap_or_default();
                let call = export.parse_calls(&reply(provider, &[(tool.to_owned(), written.clone())])).unwrap().remove(0);
                let result = run(call);
                prop_assert_eq!(result.value(), direct.value(), "{} {:?} wrote {}: {}", provider, options, written, result.text());
            }
        }
    }
}
