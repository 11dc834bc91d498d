//! What was exported: the tools in the request, and the way back from the reply.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Provider;
use super::dialect::Exchange;
use super::error::ParseError;
use super::names::Names;
use super::options::ExportOptions;
use super::report::ExportReport;
use super::undo::Undo;
use crate::call::{Arguments, ToolCall, ToolResult};

/// Whether the model may, must or must not call a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ToolChoice<'a> {
    /// As it likes.
    #[default]
    Auto,
    /// No tool.
    None,
    /// Some tool.
    Required,
    /// The tool of this name, as the registry has it.
    Tool(&'a str),
}

/// The tools of a registry as one provider takes them, and the way back from its replies. Cheap to clone.
///
/// The names belong together: replies to a request are read by the export whose tools the request held.
#[derive(Clone)]
pub struct Export {
    inner: Arc<Inner>,
    pub(super) exchange: &'static Exchange,
}

/// What is made of the tools. The readers of replies stand beside it, so that who asks for the tools alone has none.
pub(super) struct Inner {
    pub(super) provider: Provider,
    pub(super) options: ExportOptions,
    pub(super) tools: Value,
    pub(super) text: String,
    pub(super) request: Map<String, Value>,
    pub(super) names: Names,
    /// The ways back of the tools that have one, by the tool's own name.
    pub(super) undo: BTreeMap<String, Undo>,
    /// The tools whose results have a schema, and whether the provider sees them in an object of ours.
    pub(super) wrapped: BTreeMap<String, bool>,
    pub(super) report: ExportReport,
}

/// What the functions of a dialect may know of the export that they write for.
pub(super) struct Context<'a> {
    pub(super) names: &'a Names,
    pub(super) options: &'a ExportOptions,
    pub(super) wrapped: &'a BTreeMap<String, bool>,
    pub(super) exchange: &'static Exchange,
}

impl Context<'_> {
    /// The id of a call as the provider takes it.
    pub(super) fn id<'i>(&self, id: &'i str) -> Cow<'i, str> {
        self.exchange.ids.as_ref().map_or(Cow::Borrowed(id), |rule| rule.sent(id))
    }
}

impl Inner {
    /// Whether it is what these options make for this provider.
    pub(super) fn is_of(&self, provider: Provider, options: &ExportOptions) -> bool {
        self.provider == provider && self.options == *options
    }
}

impl Export {
    #[inline]
    pub(super) fn new(inner: Arc<Inner>, exchange: &'static Exchange) -> Self {
        Self { inner, exchange }
    }

    /// The provider.
    pub fn provider(&self) -> Provider {
        self.inner.provider
    }

    /// What the request's `tools` takes, in the order of the tools' names. An empty array where there are no tools: leave
    /// `tools` out of the request then, since some servers refuse an empty one.
    pub fn tools(&self) -> &Value {
        &self.inner.tools
    }

    /// The same as text. It is always the same text for the same tools, so that a provider's cache recognises it.
    pub fn tools_text(&self) -> &str {
        &self.inner.text
    }

    /// What belongs into the request beside the tools, such as Cohere's `strict_tools`. Mostly nothing.
    pub fn request_fields(&self) -> &Map<String, Value> {
        &self.inner.request
    }

    /// What the request's `tool_choice` takes (Gemini: `toolConfig`, Bedrock: `toolConfig.toolChoice`). `null` where the
    /// provider has no word for it: leave the field out then, and for [`ToolChoice::None`] the tools too. A name that is not in the export is passed on, and the provider says so.
    pub fn tool_choice(&self, choice: ToolChoice<'_>) -> Value {
        (self.exchange.choose)(match choice {
            ToolChoice::Tool(name) => ToolChoice::Tool(self.inner.names.sent(name)),
            other => other,
        })
    }

    /// What was done to the tools to make them fit.
    pub fn report(&self) -> &ExportReport {
        &self.inner.report
    }

    /// The calls of a whole response body, in their order; none where the model called no tool. Of several choices the
    /// first counts.
    ///
    /// Names are the tools' own again, and every call has an id of its own. A call that cannot be read comes too, to fail
    /// when it is run: a provider wants an answer to each. So do the calls of a reply that broke off, and none of them is
    /// run.
    ///
    /// # Errors
    /// The body is no reply: the provider reports an error, or the body is something else.
    pub fn parse_calls(&self, response: &Value) -> Result<Vec<ToolCall>, ParseError> {
        self.read(response).map(|(calls, _)| calls)
    }

    /// The calls, and whether the reply reached the limit of its length.
    pub(super) fn read(&self, response: &Value) -> Result<(Vec<ToolCall>, bool), ParseError> {
        let reply = (self.exchange.read)(self.inner.provider, response, &self.inner.names)?;
        let cut_off = reply.cut_off;
        let calls = reply.calls.into_iter().map(|call| {
            let name = self.inner.names.own(&call.name);
            let arguments = self.turned_back(name, call.arguments);
            let call = ToolCall::new(name, arguments).id(call.id);
            if cut_off { call.cut_off() } else { call }
        });
        Ok((calls.collect(), cut_off))
    }

    /// The arguments as the tool's own schema has them. What cannot be read as JSON stays, to be mended or refused later.
    fn turned_back(&self, tool: &str, arguments: Arguments) -> Arguments {
        let Some(undo) = self.inner.undo.get(tool) else { return arguments };
        let Ok(mut value) = serde_json::from_str::<Value>(&arguments.text()) else { return arguments };
        if let Value::String(text) = &value
            && let Ok(inner @ Value::Object(_)) = serde_json::from_str(text)
        {
            value = inner;
        }
        if undo.apply(&mut value) { value.into() } else { arguments }
    }

    /// The model's turn as it must stand in the history, before the results. One message, except that it is an array of
    /// items for OpenAI's Responses, all of which go into the history, and for several requests of MCP.
    ///
    /// The ids are those of [`parse_calls`](Self::parse_calls). What the provider would refuse to take back is mended: a
    /// name that it does not take; arguments that are no JSON object, which then stand as text under the key `invalid`. Of
    /// a body that is no reply, which `parse_calls` reports, an empty turn.
    pub fn assistant_turn(&self, response: &Value) -> Value {
        let names = &self.inner.names;
        let reply = (self.exchange.read)(self.inner.provider, response, names).unwrap_or_default();
        (self.exchange.turn)(response, &reply, &self.context())
    }

    /// The same as it is appended to the history: one message, or several items.
    pub fn turn_messages(&self, response: &Value) -> Vec<Value> {
        match self.assistant_turn(response) {
            Value::Array(items) => items,
            message => vec![message],
        }
    }

    /// What follows the model's turn in the conversation: the answers to its calls.
    pub fn render_results(&self, results: &[ToolResult]) -> Vec<Value> {
        (self.exchange.answer)(results, &self.context())
    }

    pub(super) fn names(&self) -> &Names {
        &self.inner.names
    }

    fn context(&self) -> Context<'_> {
        let Inner { names, options, wrapped, .. } = &*self.inner;
        Context { names, options, wrapped, exchange: self.exchange }
    }
}

#[expect(clippy::missing_fields_in_debug, reason = "functions have nothing to show")]
impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { provider, tools, report, .. } = &*self.inner;
        let count = tools.as_array().map_or(0, Vec::len);
        f.debug_struct("Export").field("provider", provider).field("tools", &count).field("report", report).finish()
    }
}
