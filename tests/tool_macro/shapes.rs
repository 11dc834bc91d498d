//! Lists, maps, tuples, texts and what else std and serde offer.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::rc::Rc;

use serde_json::{Map, Value, json};
use toolkit::tool;

use super::{call, keys, refused, run, schema};

#[tool(category = Read, description = "current server time")]
async fn now() -> Result<String, std::io::Error> {
    Ok("t".into())
}

#[tokio::test]
async fn a_tool_without_arguments() {
    assert_eq!(schema::<now>(), json!({"type": "object", "properties": {}, "additionalProperties": false}));
    for arguments in ["{}", "null", "", "  ", "[]", " { } "] {
        assert_eq!(call::<now>(toolkit::Arguments::raw(arguments)).await.text(), "t", "{arguments:?}");
    }
    for arguments in [json!({}), json!(null)] {
        assert_eq!(call::<now>(arguments).await.text(), "t");
    }
}

/// A tool.
#[tool(category = Read)]
async fn keyed(m: HashMap<u64, String>) -> usize {
    m.len()
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Flat {
    #[serde(flatten)]
    m: HashMap<u64, String>,
}

/// A tool.
#[tool(category = Read)]
async fn keyed_flat(args: Flat) -> usize {
    args.m.len()
}

#[tokio::test]
async fn a_map_may_have_numbers_for_keys() {
    assert_eq!(
        super::property::<keyed>("m"),
        json!({"type": "object", "additionalProperties": false, "patternProperties": {"^\\d+$": {"type": "string"}}})
    );
    assert_eq!(run::<keyed>(json!({"m": {"1": "x"}})).await, "1");
    // serde buffers what it flattens, and the buffer takes keys as texts.
    let text = refused::<keyed_flat>(json!({"args": {"1": "x"}})).await;
    assert!(text.contains("`args` does not have the form that the tool takes"), "{text}");
}

/// A tool.
#[tool(category = Read)]
#[expect(clippy::too_many_arguments, reason = "one argument a type")]
async fn collections(
    list: Vec<Vec<u8>>,
    queue: VecDeque<u8>,
    set: HashSet<String>,
    ordered: BTreeSet<u8>,
    map: BTreeMap<String, Vec<u8>>,
    object: Map<String, Value>,
    array: [u8; 3],
    pair: (u8, String),
    one: (u8,),
) -> String {
    format!("{list:?} {queue:?} {} {ordered:?} {map:?} {} {array:?} {pair:?} {one:?}", set.len(), Value::Object(object))
}

#[tokio::test]
async fn every_collection() {
    let all = json!({
        "list": [[1], []], "queue": [1, 2], "set": ["a"], "ordered": [2, 1], "map": {"k": [1]},
        "object": {"deep": {"x": [null]}}, "array": [1, 2, 3], "pair": [1, "b"], "one": [9],
    });
    let expected = "[[1], []] [1, 2] 1 {1, 2} {\"k\": [1]} {\"deep\":{\"x\":[null]}} [1, 2, 3] (1, \"b\") (9,)";
    assert_eq!(run::<collections>(all).await, expected);
}

/// A tool.
#[tool(category = Read)]
async fn pointers(
    boxed: Box<str>,
    shared: Box<u8>,
    cow: Cow<'_, str>,
    owned: Cow<'static, str>,
    path: PathBuf,
) -> String {
    format!("{boxed} {shared} {cow} {owned} {}", path.display())
}

#[tokio::test]
async fn texts_in_every_box() {
    let all = json!({"boxed": "a\"b\n", "shared": 2, "cow": "c\\d", "owned": "e", "path": "/srv/x"});
    assert_eq!(run::<pointers>(all).await, "a\"b\n 2 c\\d e /srv/x");
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Marked<T> {
    n: u8,
    #[serde(skip)]
    _marker: PhantomData<T>,
}

type Alias = Marked<fn(Rc<u8>)>;

/// Types that only an alias can name, and generic ones with arguments of their own.
#[tool(category = Read)]
async fn generic(a: Alias, b: Marked<Vec<Option<u8>>>, c: <u8 as std::ops::Add>::Output, d: Vec<(u8, Alias)>) -> u8 {
    a.n + b.n + c + d.iter().map(|(n, marked)| n + marked.n).sum::<u8>()
}

#[tokio::test]
async fn generic_types_and_aliases() {
    assert_eq!(keys::<generic>(), ["a", "b", "c", "d"]);
    assert_eq!(run::<generic>(json!({"a": {"n": 1}, "b": {"n": 2}, "c": 3, "d": [[4, {"n": 5}]]})).await, "15");
}

/// A tool.
#[tool(category = Read)]
async fn any(value: Value) -> String {
    value.to_string()
}

#[tokio::test]
async fn a_value_may_be_anything() {
    assert_eq!(super::required::<any>(), ["value"]);
    for value in [json!(null), json!(1), json!("x"), json!([1, {"a": null}]), json!({})] {
        assert_eq!(run::<any>(json!({"value": value})).await, value.to_string());
    }
    let text = refused::<any>(json!({})).await;
    assert!(text.contains("`value` is missing"), "{text}");
}
