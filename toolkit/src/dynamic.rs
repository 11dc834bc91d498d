//! Tools that are known only when the program runs: those of another server, a plug-in, a configuration.

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Map, Value, json};

use crate::context::ToolContext;
use crate::error::ToolError;
use crate::output::{ToolFuture, ToolOutput};
use crate::parameter::Bad;
use crate::tool::{Category, Definition, ToolSpec};

type Body = dyn Fn(Value) -> Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>> + Send + Sync;

/// A tool made of a name, a description, a JSON Schema of its arguments and an async function of them.
///
/// The arguments are held beside the schema, mended and refused as those of any tool. The body gets them as JSON.
///
/// ```
/// # use toolkit::serde_json::{Value, json};
/// # use toolkit::{Category, DynamicTool, Executor, Registry, ToolCall, ToolError};
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let schema = json!({ "type": "object", "properties": { "path": { "type": "string" } }, "required": ["path"] });
/// let read = DynamicTool::new("fs.read", "Reads a file.", schema, async |arguments: Value| -> Result<Value, ToolError> {
///     Ok(json!({ "read": arguments["path"] }))
/// });
/// let registry = Registry::builder().dynamic(read.category(Category::Read)).build()?;
/// let executor = Executor::builder(registry).build()?;
/// let result = executor.call(ToolCall::new("fs.read", json!({ "path": "a.txt" }))).await;
/// assert_eq!(result.text(), r#"{"read":"a.txt"}"#);
/// # Ok(()) }
/// ```
///
/// A body that owns something hands each call its own: `move |arguments| { let client = client.clone(); async move { … } }`.
pub struct DynamicTool {
    name: String,
    description: String,
    schema: Value,
    output_schema: Option<Value>,
    category: Option<Category>,
    idempotent: Option<bool>,
    max_retries: u32,
    timeout: Option<Duration>,
    max_output: Option<usize>,
    budget: Option<String>,
    roles: Vec<String>,
    secrets: Vec<String>,
    sequential: bool,
    place: (&'static str, &'static str, u32, u32),
    body: Box<Body>,
}

impl DynamicTool {
    /// A tool of this name. It needs a [`category`](Self::category) too.
    #[track_caller]
    pub fn new<F, R>(name: impl Into<String>, description: impl Into<String>, schema: Value, body: F) -> Self
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        let caller = std::panic::Location::caller();
        Self {
            name: name.into(),
            description: description.into(),
            schema,
            output_schema: None,
            category: None,
            idempotent: None,
            max_retries: 2,
            timeout: None,
            max_output: None,
            budget: None,
            roles: Vec::new(),
            secrets: Vec::new(),
            sequential: false,
            place: ("a dynamic tool", caller.file(), caller.line(), caller.column()),
            body: Box::new(move |arguments| Box::pin(body(arguments))),
        }
    }

    /// What the tool may do to the world. Nothing can be assumed here, so it has to be said.
    #[must_use]
    pub fn category(mut self, category: Category) -> Self {
        self.category = Some(category);
        self
    }

    /// Whether running the tool twice has the effect of running it once. The default is true for `Read` and `Compute`.
    #[must_use]
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = Some(idempotent);
        self
    }

    /// How often a failed call is tried again at most. The default is 2, and at most 10.
    #[must_use]
    pub fn max_retries(mut self, max_retries: u32) -> Self {
        self.max_retries = max_retries.min(10);
        self
    }

    /// The time limit of one attempt.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How many characters of the output the model sees at most.
    #[must_use]
    pub fn max_output(mut self, characters: usize) -> Self {
        self.max_output = Some(characters);
        self
    }

    /// The roles that see the tool: one of them is enough, and for every other caller it is not there.
    #[must_use]
    pub fn roles<S: Into<String>>(mut self, roles: impl IntoIterator<Item = S>) -> Self {
        self.roles.extend(roles.into_iter().map(Into::into));
        self
    }

    /// The name of the retry budget that it shares with the other tools of its upstream. Its own name is that of its own.
    #[must_use]
    pub fn budget(mut self, name: impl Into<String>) -> Self {
        self.budget = Some(name.into());
        self
    }

    /// Whether it runs beside no other call of its turn.
    #[must_use]
    pub fn sequential(mut self, sequential: bool) -> Self {
        self.sequential = sequential;
        self
    }

    /// An argument whose value is in no message, no log and no span.
    #[must_use]
    pub fn secret(mut self, argument: impl Into<String>) -> Self {
        self.secrets.push(argument.into());
        self
    }

    /// The JSON Schema of the result.
    #[must_use]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    pub(crate) fn into_spec(self) -> ToolSpec {
        let (schema, mut problems) = checked(self.schema);
        if self.name.is_empty() {
            problems.push("a tool needs a name".to_owned());
        }
        if self.category.is_none() {
            problems.push(
                "it does not say what it may do: add `.category(Category::Read)`, `Compute`, `Write`, `Communicate` or \
                 `Dangerous`"
                    .to_owned(),
            );
        }
        if self.roles.iter().chain(&self.budget).any(|name| name.trim().is_empty()) {
            problems.push("a role and a budget need a name".to_owned());
        }
        if self.timeout.is_some_and(|limit| limit.is_zero()) {
            problems.push("a time limit of zero lets no attempt begin".to_owned());
        }
        for secret in &self.secrets {
            if schema["properties"].get(secret).is_none() {
                problems.push(format!("there is no argument `{secret}` in the schema that could be secret"));
            }
        }
        let definition = Definition {
            idempotent: self.idempotent,
            max_retries: self.max_retries,
            timeout: self.timeout,
            max_output: self.max_output,
            sequential: self.sequential,
            start,
            ..Definition::new("", "", self.category.unwrap_or(Category::Dangerous), self.place)
        };
        let Self { name, description, budget, secrets, body, .. } = self;
        let dynamic = Dynamic { name, description, budget, secrets, problems, body };
        ToolSpec::of_dynamic(&definition, Arc::new(dynamic), self.roles, schema, self.output_schema)
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool")
            .field("name", &self.name)
            .field("category", &self.category)
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// What a dynamic tool has and its definition, which is a constant elsewhere, cannot hold.
pub(crate) struct Dynamic {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) budget: Option<String>,
    /// The arguments whose values must not be shown.
    pub(crate) secrets: Vec<String>,
    /// What is wrong with its schema.
    pub(crate) problems: Vec<String>,
    body: Box<Body>,
}

/// The schema as one of an object, and what is wrong with it.
fn checked(schema: Value) -> (Value, Vec<String>) {
    let mut root = match schema {
        Value::Object(root) => root,
        Value::Null | Value::Bool(true) => Map::new(),
        other => return (other, vec!["the schema of the arguments must be an object".to_owned()]),
    };
    let others = ["$ref", "oneOf", "anyOf", "allOf", "enum", "const", "not"];
    if !others.iter().any(|key| root.contains_key(*key)) {
        root.entry("type").or_insert_with(|| "object".into());
    }
    // Some languages write an empty map as an empty list.
    if root.get("properties").is_none_or(|properties| !properties.is_object()) {
        root.insert("properties".to_owned(), json!({}));
    }
    let mut problems = Vec::new();
    if root.get("type").is_none_or(|kind| kind != "object") {
        problems.push("the schema of the arguments must have `\"type\": \"object\"`".to_owned());
    }
    let schema = Value::Object(root);
    for path in references(&schema) {
        if path.strip_prefix('#').is_none_or(|pointer| schema.pointer(pointer).is_none()) {
            problems.push(format!("the schema has a reference that leads nowhere within it: `{path}`"));
        }
    }
    (schema, problems)
}

fn references(schema: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if let Ok(mut schema) = Schema::try_from(schema.clone()) {
        RecursiveTransform(|node: &mut Schema| {
            found.extend(node.get("$ref").and_then(Value::as_str).map(str::to_owned));
        })
        .transform(&mut schema);
    }
    found
}

/// Runs the tool that the context serves. The arguments were held beside the schema before.
fn start<'a>(cx: &'a ToolContext, text: &str) -> Result<ToolFuture<'a>, Bad> {
    let dynamic = cx.spec().and_then(ToolSpec::dynamic).ok_or(Bad::Syntax)?;
    let arguments = serde_json::from_str(text).map_err(|_| Bad::Syntax)?;
    Ok(Box::pin(async move {
        let value = (dynamic.body)(arguments).await?;
        Ok(match value {
            Value::String(text) => ToolOutput::text(text),
            value => ToolOutput::json(value),
        })
    }))
}
