//! The providers of models: the tools as each one takes them, its calls read, the results as it wants them back.
//!
//! The schema of a tool is made once and belongs to no provider. A provider is an envelope around it, a list of changes
//! to it and a list of what is refused nevertheless, all of it data in a module of the provider's own. Nothing else in
//! the library knows what a provider's JSON looks like.

mod anthropic;
mod bedrock;
mod build;
mod chat;
mod check;
mod cohere;
mod content;
mod deepseek;
mod dialect;
mod error;
mod export;
mod gemini;
mod ids;
mod keys;
mod lint;
mod mcp;
mod mistral;
mod names;
mod ollama;
mod openai_chat;
mod openai_responses;
mod openai_strict;
mod options;
mod prompt;
mod reply;
mod report;
mod schema;
#[cfg(test)]
mod table;
mod stream;
mod talk;
mod undo;
mod xai;

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

pub use self::check::Check;
pub(crate) use self::content::{base64, unbase64};
use self::dialect::{Dialect, Exchange};
pub use self::error::{ExportError, ExportProblem, ParseError};
pub use self::export::{Export, ToolChoice};
pub use self::options::{ExportOptions, McpRevision};
pub use self::report::{ExportReport, Renamed, RenamedKey};
pub use self::stream::ReplyStream;
pub use self::talk::Usage;
pub(crate) use self::talk::{Said, failure};
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
///
#[doc = include_str!("provider/TABLE.md")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI's Chat Completions, and servers that speak it.
    OpenAiChat,
    /// OpenAI's Responses.
    OpenAiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's Gemini, `generateContent`.
    Gemini,
    /// Amazon Bedrock's Converse.
    Bedrock,
    /// Mistral's chat completions.
    Mistral,
    /// Cohere's chat, version 2.
    Cohere,
    /// Ollama's `/api/chat`.
    Ollama,
    /// xAI's chat completions.
    Xai,
    /// `DeepSeek`'s chat completions.
    DeepSeek,
    /// The Model Context Protocol, as its server: the tools are those of `tools/list`, a response is a request to call one.
    Mcp,
    /// A model without tool calls of its own, over the body of Chat Completions: the tools go into the system message, and
    /// calls come back as text. See [`Export::instructions`].
    Prompt,
}

/// What stands under a name in the provider's own module. There is no table of all that a provider is, since a program
/// that asks for tools alone would then hold the readers of replies too. Where the provider is a constant, all the others
/// vanish with the choice, wherever it is inlined.
macro_rules! own {
    ($provider:expr, $name:ident) => {
        match $provider {
            Provider::OpenAiChat => &openai_chat::$name,
            Provider::OpenAiResponses => &openai_responses::$name,
            Provider::Anthropic => &anthropic::$name,
            Provider::Gemini => &gemini::$name,
            Provider::Bedrock => &bedrock::$name,
            Provider::Mistral => &mistral::$name,
            Provider::Cohere => &cohere::$name,
            Provider::Ollama => &ollama::$name,
            Provider::Xai => &xai::$name,
            Provider::DeepSeek => &deepseek::$name,
            Provider::Mcp => &mcp::$name,
            Provider::Prompt => &prompt::$name,
        }
    };
}

impl Provider {
    /// Every provider.
    pub const ALL: [Provider; 12] = [
        Provider::OpenAiChat,
        Provider::OpenAiResponses,
        Provider::Anthropic,
        Provider::Gemini,
        Provider::Bedrock,
        Provider::Mistral,
        Provider::Cohere,
        Provider::Ollama,
        Provider::Xai,
        Provider::DeepSeek,
        Provider::Mcp,
        Provider::Prompt,
    ];

    /// The name, as it stands in configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Provider::OpenAiChat => "openai-chat",
            Provider::OpenAiResponses => "openai-responses",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
            Provider::Bedrock => "bedrock",
            Provider::Mistral => "mistral",
            Provider::Cohere => "cohere",
            Provider::Ollama => "ollama",
            Provider::Xai => "xai",
            Provider::DeepSeek => "deepseek",
            Provider::Mcp => "mcp",
            Provider::Prompt => "prompt",
        }
    }

    /// How tools are written.
    #[inline]
    fn dialect(self) -> &'static Dialect {
        own!(self, DIALECT)
    }

    /// How replies are read.
    #[inline]
    fn exchange(self) -> &'static Exchange {
        own!(self, EXCHANGE)
    }

    /// The tools as this provider takes them, and the way back from its replies. Made once for a registry and its clones:
    /// later ones are the same export again.
    ///
    /// # Errors
    /// Everything that the provider is known to refuse, of all tools at once.
    #[inline]
    pub fn export(self, registry: &Registry, options: &ExportOptions) -> Result<Export, ExportError> {
        build::kept(self, self.dialect(), registry, options).map(|made| Export::new(made, self.exchange()))
    }

    /// What a request's `tools` takes: [`Provider::export`] with the default options.
    ///
    /// Enough where the names of all tools suit the provider and the replies are read elsewhere.
    ///
    /// # Errors
    /// As for [`Provider::export`].
    #[inline]
    pub fn tools(self, registry: &Registry) -> Result<Value, ExportError> {
        build::tools(self, self.dialect(), registry)
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

#[cfg(test)]
mod tests;
