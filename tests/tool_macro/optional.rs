//! Optional arguments, known by their type under any name.

use serde_json::{Value, json};
use toolkit::tool;

use super::{property, required, run};

type Opt<T> = Option<T>;
use std::option::Option as Maybe;

/// A tool.
#[tool(category = Read)]
async fn opts(
    a: Option<u8>,
    b: std::option::Option<u8>,
    c: ::core::option::Option<u8>,
    d: Opt<u8>,
    e: Maybe<u8>,
    f: <Vec<Option<u8>> as IntoIterator>::Item,
) -> u8 {
    [a, b, c, d, e, f].iter().flatten().sum()
}

#[tokio::test]
async fn an_option_is_one_under_any_name() {
    let number = json!({"type": ["integer", "null"], "format": "uint8", "minimum": 0, "maximum": 255});
    for name in ["a", "b", "c", "d", "e", "f"] {
        assert_eq!(property::<opts>(name), number, "{name}");
    }
    assert_eq!(required::<opts>(), [""; 0]);
    assert_eq!(run::<opts>(json!({})).await, "0");
    assert_eq!(run::<opts>(json!({"a": null, "b": 1, "c": 2, "d": 3, "e": 4, "f": 5})).await, "15");
}

/// A tool.
#[tool(category = Read)]
async fn patch(note: Option<Option<String>>, size: Opt<Maybe<u8>>) -> String {
    let note = match note {
        None => "keep",
        Some(None) => "clear",
        Some(Some(_)) => "set",
    };
    format!("{note} {size:?}")
}

#[tokio::test]
async fn absent_and_null_are_told_apart() {
    assert_eq!(required::<patch>(), [""; 0]);
    assert_eq!(run::<patch>(json!({})).await, "keep None");
    assert_eq!(run::<patch>(json!({"note": null})).await, "clear None");
    assert_eq!(run::<patch>(json!({"note": "x"})).await, "set None");
    assert_eq!(run::<patch>(json!({"size": null, "note": "x"})).await, "set Some(None)");
    assert_eq!(run::<patch>(json!({"size": 3, "note": null})).await, "clear Some(Some(3))");
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
struct Limit(Option<u8>);

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Options {
    size: Option<u8>,
    #[serde(default)]
    exact: bool,
}

/// A tool.
#[tool(category = Read)]
async fn wrapped(limit: Limit, options: Option<Options>, all: Options, nothing: (), any: Value) -> String {
    let options = options.map(|options| (options.size, options.exact));
    format!("{:?} {options:?} {:?} {} {nothing:?} {any}", limit.0, all.size, all.exact)
}

#[tokio::test]
async fn what_only_looks_like_an_option_is_required() {
    // A struct of options is a struct, a unit has a value, and any JSON value is one.
    assert_eq!(required::<wrapped>(), ["all", "nothing", "any"]);
    assert_eq!(run::<wrapped>(json!({"all": {}, "nothing": null, "any": null})).await, "None None None false () null");
    let full = json!({"limit": 1, "options": {"size": 2}, "all": {"exact": true}, "nothing": null, "any": [1]});
    assert_eq!(run::<wrapped>(full).await, "Some(1) Some((Some(2), false)) None true () [1]");
}

/// A tool.
#[tool(category = Read)]
async fn values(any: Option<Value>, list: Option<Vec<Option<u8>>>) -> String {
    format!("{any:?} {list:?}")
}

#[tokio::test]
async fn an_optional_value_of_any_kind() {
    assert_eq!(run::<values>(json!({})).await, "None None");
    assert_eq!(run::<values>(json!({"any": null})).await, "None None");
    assert_eq!(run::<values>(json!({"any": 1, "list": [null, 2]})).await, "Some(Number(1)) Some([None, Some(2)])");
}
