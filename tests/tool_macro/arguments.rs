//! How arguments are bound and passed on.

use serde_json::json;
use toolkit::tool;

use super::run;

/// Arguments need not be `Clone`, and may be changed.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Once(String);

/// A tool.
#[tool(category = Read)]
async fn changed(mut list: Vec<u8>, once: Once, mut n: u8) -> String {
    list.push(n);
    n += 1;
    format!("{list:?} {n} {}", once.0)
}

#[tokio::test]
async fn an_argument_may_be_mutable_and_need_not_be_clone() {
    assert_eq!(run::<changed>(json!({"list": [1], "once": "x", "n": 2})).await, "[1, 2] 3 x");
}

/// A tool.
#[tool(category = Read)]
async fn total(xs: Vec<u32>) -> usize {
    use futures_util::StreamExt as _;
    // Borrowing in a closure that gives back a future is more general than the compiler can prove to be `Send`; moving is not.
    futures_util::stream::iter(xs)
        .map(|x| async move { x as usize })
        .buffered(4)
        .fold(0, |a, b| async move { a + b })
        .await
}

#[tokio::test]
async fn a_stream_may_be_awaited() {
    assert_eq!(run::<total>(json!({"xs": [1, 2, 3]})).await, "6");
}

/// A future that holds borrows of arguments across awaits.
#[tool(category = Read)]
async fn borrows(text: String, list: Vec<String>) -> String {
    let first = &text;
    let mut all = String::new();
    for item in &list {
        tokio::task::yield_now().await;
        all = all + first + item;
    }
    all
}

#[tokio::test]
async fn an_argument_may_be_borrowed_across_an_await() {
    assert_eq!(run::<borrows>(json!({"text": "a", "list": ["b", "c"]})).await, "abac");
}

/// Sixteen of them.
#[tool(category = Read)]
#[expect(clippy::too_many_arguments, reason = "that is what is tested")]
async fn many(
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
    h: u8,
    i: u8,
    j: u8,
    k: u8,
    l: u8,
    m: u8,
    n: u8,
    o: u8,
    p: u8,
) -> u8 {
    a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p
}

#[tokio::test]
async fn arguments_may_be_many_and_in_any_order() {
    let all: serde_json::Map<_, _> = ('a'..='p').rev().map(|name| (name.to_string(), json!(1))).collect();
    assert_eq!(run::<many>(all.into()).await, "16");
}
