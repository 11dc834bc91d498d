//! What the host lends: the context by its type, a state by its attribute.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use toolkit::{Executor, Registry, ToolCall, ToolContext, tool};

use super::{keys, property, run};

type Context = ToolContext;
use toolkit::ToolContext as Renamed;

/// A tool.
#[tool(category = Read)]
async fn with_ctx(who: String, request: &ToolContext) -> String {
    format!("{who} {}", request.tool())
}

/// A tool.
#[tool(category = Read)]
async fn plain(ctx: String) -> String {
    ctx
}

#[tokio::test]
async fn the_context_is_known_by_its_type() {
    assert_eq!(keys::<with_ctx>(), ["who"]);
    assert_eq!(run::<with_ctx>(json!({"who": "me"})).await, "me with_ctx");
    assert_eq!(property::<plain>("ctx"), json!({"type": "string"}));
    assert_eq!(run::<plain>(json!({"ctx": "a"})).await, "a");
}

/// A tool.
#[tool(category = Read)]
async fn by_any_name<'a>(a: &Context, b: &'a Renamed, n: u8, _: &toolkit::ToolContext) -> String {
    format!("{} {} {n}", a.attempt(), b.tool())
}

/// A tool off the async threads.
#[tool(category = Read)]
fn blocking(ctx: &ToolContext, n: u8) -> String {
    format!("{} {n}", ctx.tool())
}

#[tokio::test]
async fn the_context_is_known_under_any_name() {
    assert_eq!(keys::<by_any_name>(), ["n"]);
    assert_eq!(run::<by_any_name>(json!({"n": 1})).await, "1 by_any_name 1");
    assert_eq!(run::<blocking>(json!({"n": 1})).await, "blocking 1");
}

#[tokio::test]
async fn a_tool_is_tested_as_the_function_it_is() {
    let ctx = ToolContext::detached();
    assert_eq!(with_ctx("me".to_owned(), &ctx).await, "me ");
    assert_eq!(by_any_name(&ctx, &ctx, 2, &ctx).await, "1  2");
    assert_eq!(ctx.attempt(), 1);
    assert!(!ctx.idempotency_key().is_empty());
}

struct Db(AtomicU32);

mod deep {
    pub(super) struct Cache<T>(pub(super) T);
}

trait Mailer: Send + Sync {
    fn send(&self) -> &'static str;
}

struct Post;

impl Mailer for Post {
    fn send(&self) -> &'static str {
        "posted"
    }
}

type Mail = Arc<dyn Mailer>;

/// A tool.
#[tool(category = Write)]
async fn with_state(
    #[state] db: &Db,
    n: u32,
    #[state] cache: &deep::Cache<Vec<u8>>,
    ctx: &ToolContext,
    #[state] mail: &Mail,
) -> String {
    tokio::task::yield_now().await;
    let before = db.0.fetch_add(n, Ordering::Relaxed);
    format!("{before} {} {} {}", cache.0.len(), mail.send(), ctx.tool())
}

/// A tool off the async threads.
#[tool(category = Write)]
fn blocking_with_state(#[state] db: &Db, n: u32) -> u32 {
    db.0.fetch_add(n, Ordering::Relaxed)
}

#[tokio::test]
async fn a_state_is_lent_and_not_in_the_schema() {
    assert_eq!(keys::<with_state>(), ["n"]);
    let registry = Registry::builder().tool::<with_state>().tool::<blocking_with_state>().build().unwrap();
    let db = Arc::new(Db(AtomicU32::new(1)));
    let executor = Executor::builder(registry)
        .state(Arc::clone(&db))
        .state(deep::Cache(vec![1_u8, 2]))
        .state(Arc::new(Post) as Mail)
        .build()
        .unwrap();
    let result = executor.call(ToolCall::new("with_state", json!({"n": 2}))).await;
    assert_eq!(result.text(), "1 2 posted with_state");
    let result = executor.call(ToolCall::new("blocking_with_state", json!({"n": 3}))).await;
    assert_eq!(result.text(), "3");
    assert_eq!(db.0.load(Ordering::Relaxed), 6);
    let result = executor.call(ToolCall::new("with_state", json!({"n": 2, "db": 5}))).await;
    assert!(!result.is_success(), "the model has no say in it: {}", result.text());
}

#[test]
fn every_missing_state_is_found_with_the_tools_that_need_it() {
    let registry = Registry::builder().tool::<with_state>().tool::<blocking_with_state>().build().unwrap();
    let error = Executor::builder(registry).build().unwrap_err().to_string();
    let line = |name: &str| error.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {error}"));
    assert!(line("Db").contains("with_state") && line("Db").contains("blocking_with_state"), "{error}");
    assert!(line("Cache").contains("with_state") && !line("Cache").contains("blocking"), "{error}");
    assert!(line("Mailer").contains("with_state"), "{error}");
}
