//! The providers of models: the tools as each one takes them, its calls read, the results as it wants them back.
//!
//! The schema of a tool is made once and belongs to no provider. A provider is an envelope around it, a list of changes
//! to it and a list of what is refused nevertheless, all of it data in a module of the provider's own. Nothing else in
//! the library knows what a provider's JSON looks like.

mod dialect;
mod error;
mod export;
mod lint;
mod names;
mod openai_chat;
mod reply;
mod schema;

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use self::dialect::{Declaration, Dialect};
pub use self::error::{ExportError, ExportProblem, ParseError};
pub use self::export::{Export, ExportReport, Renamed, ToolChoice};
use self::names::Names;
use crate::error::BuildError;
use crate::registry::Registry;

/// A provider's way to write tools, calls and results.
///
/// ```
/// # use toolkit::serde_json::json;
/// # use toolkit::{Executor, ExportOptions, Provider, Registry, tool};
/// /// Adds two numbers.
/// #[tool(category = Compute)]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = Registry::builder().tool::<add>().build()?;
/// let export = Provider::OpenAiChat.export(&registry, &ExportOptions::new())?;
/// let run = Executor::builder(registry).build()?.run("conversation-42");
///
/// // The request takes `export.tools()`, and this came back:
/// let response = json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [
///     {"id": "call_9", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 2, \"b\": 40}"}}
/// ]}}]});
/// let messages = run.answer(&export, &response).await?.unwrap_or_default();
/// assert_eq!(messages[1], json!({"role": "tool", "tool_call_id": "call_9", "content": "42"}));
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI's Chat Completions, and servers that speak it.
    OpenAiChat,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Provider; 1] = [Provider::OpenAiChat];

    /// The name, as it stands in configuration.
    pub fn as_str(self) -> &'static str {
        self.dialect().name
    }

    fn dialect(self) -> &'static Dialect {
        match self {
            Provider::OpenAiChat => &openai_chat::DIALECT,
        }
    }

    /// The tools as this provider takes them, and the way back from its replies.
    ///
    /// # Errors
    /// Everything that the provider is known to refuse, of all tools at once.
    pub fn export(self, registry: &Registry, _options: &ExportOptions) -> Result<Export, ExportError> {
        let tools: Vec<_> =
            registry.iter().map(|spec| (spec.name(), spec.description(), spec.input_schema())).collect();
        self.export_tools(&tools)
    }

    /// What a request's `tools` takes: [`Provider::export`] with the default options.
    ///
    /// Enough where the names of all tools suit the provider and the replies are read elsewhere.
    ///
    /// # Errors
    /// As for [`Provider::export`].
    pub fn tools(self, registry: &Registry) -> Result<Value, ExportError> {
        self.export(registry, &ExportOptions::new()).map(|export| export.tools().clone())
    }

    /// Exports tools, each with its name, its description and the schema of its arguments.
    fn export_tools(self, tools: &[(&str, &str, &Value)]) -> Result<Export, ExportError> {
        let dialect = self.dialect();
        let names = Names::new(&dialect.names, tools.iter().map(|(name, ..)| *name));
        let (mut problems, mut warnings) = (Vec::new(), Vec::new());
        let mut declared = Vec::with_capacity(tools.len());
        for &(name, description, schema) in tools {
            let schema = schema::transformed(schema, dialect.nodes, dialect.root);
            let broken = lint::broken(&schema, dialect.rules).into_iter();
            problems.extend(broken.map(|(path, rule)| ExportProblem::new(Some(name), path, String::new(), rule)));
            let length = description.chars().count();
            if length > dialect.longest_description.most {
                let found = format!("the description has {length} characters");
                let rule = &dialect.longest_description.rule;
                warnings.push(ExportProblem::new(Some(name), String::new(), found, rule));
            }
            declared.push((dialect.declare)(Declaration { name: names.sent(name), description, schema }));
        }
        if tools.len() > dialect.most_tools.most {
            let found = format!("there are {} tools", tools.len());
            problems.push(ExportProblem::new(None, String::new(), found, &dialect.most_tools.rule));
        }
        ExportError::check(dialect.name, problems)?;
        Ok(Export::new(self, Value::Array(declared), names, warnings))
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = BuildError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Provider::ALL.into_iter().find(|provider| provider.as_str() == text).ok_or_else(|| {
            let all: Vec<String> = Provider::ALL.iter().map(|provider| format!("`{provider}`")).collect();
            format!("`{text}` is not a provider; the providers are {}", all.join(", ")).into()
        })
    }
}

/// How tools are exported.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ExportOptions {}

impl ExportOptions {
    /// The default: nothing is strict.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests;
