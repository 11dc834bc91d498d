//! What was exported: the tools in the request, and the way back from the reply.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::Provider;
use super::dialect::{Dialect, Rule};
use super::error::{ExportProblem, ParseError};
use super::names::Names;
use crate::call::{ToolCall, ToolResult};

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
pub struct Export(Arc<Inner>);

struct Inner {
    provider: Provider,
    tools: Value,
    text: String,
    names: Names,
    report: ExportReport,
}

impl Export {
    pub(super) fn new(provider: Provider, tools: Value, names: Names, warnings: Vec<ExportProblem>) -> Self {
        let text = tools.to_string();
        let rule = &provider.dialect().names.rule;
        let renamed = names
            .rewritten()
            .map(|(own, sent)| Renamed { tool: own.to_owned(), sent_as: sent.to_owned(), rule })
            .collect();
        Self(Arc::new(Inner { provider, tools, text, names, report: ExportReport { renamed, warnings } }))
    }

    /// The provider.
    pub fn provider(&self) -> Provider {
        self.0.provider
    }

    /// What the request's `tools` takes, in the order of the tools' names. An empty array where there are no tools: leave
    /// `tools` out of the request then, since some servers refuse an empty one.
    pub fn tools(&self) -> &Value {
        &self.0.tools
    }

    /// The same as text. It is always the same text for the same tools, so that a provider's cache recognises it.
    pub fn tools_text(&self) -> &str {
        &self.0.text
    }

    /// What the request's `tool_choice` takes. A name that is not in the export is passed on, and the provider says so.
    pub fn tool_choice(&self, choice: ToolChoice<'_>) -> Value {
        (self.dialect().choose)(match choice {
            ToolChoice::Tool(name) => ToolChoice::Tool(self.0.names.sent(name)),
            other => other,
        })
    }

    /// What was done to the tools to make them fit.
    pub fn report(&self) -> &ExportReport {
        &self.0.report
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
        let reply = (self.dialect().read)(response, &self.0.names)?;
        let cut_off = reply.cut_off;
        let calls = reply.calls.into_iter().map(|call| {
            let call = ToolCall::new(self.0.names.own(&call.name), call.arguments).id(call.id);
            if cut_off { call.cut_off() } else { call }
        });
        Ok(calls.collect())
    }

    /// The model's turn as it must stand in the history, before the results.
    ///
    /// The ids are those of [`parse_calls`](Self::parse_calls). What the provider would refuse to take back is mended: a
    /// name that it does not take; arguments that are no JSON object, which then stand as text under the key `invalid`. Of
    /// a body that is no reply, which `parse_calls` reports, an empty turn.
    pub fn assistant_turn(&self, response: &Value) -> Value {
        let names = &self.0.names;
        let reply = (self.dialect().read)(response, names).unwrap_or_default();
        (self.dialect().turn)(response, &reply, names)
    }

    /// What follows the model's turn in the conversation: the answers to its calls.
    pub fn render_results(&self, results: &[ToolResult]) -> Vec<Value> {
        (self.dialect().answer)(results)
    }

    fn dialect(&self) -> &'static Dialect {
        self.0.provider.dialect()
    }
}

impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { provider, tools, report, .. } = &*self.0;
        let count = tools.as_array().map_or(0, Vec::len);
        f.debug_struct("Export").field("provider", provider).field("tools", &count).field("report", report).finish()
    }
}

/// What was done to the tools to make them fit a provider, and what it may refuse in places.
#[derive(Clone, Debug, Default)]
pub struct ExportReport {
    renamed: Vec<Renamed>,
    warnings: Vec<ExportProblem>,
}

impl ExportReport {
    /// The tools whose names the provider does not take.
    pub fn renamed(&self) -> &[Renamed] {
        &self.renamed
    }

    /// What some deployments of the provider refuse and others take.
    pub fn warnings(&self) -> &[ExportProblem] {
        &self.warnings
    }
}

/// A tool that a provider sees under another name. Calls are mapped back.
#[derive(Clone, Debug)]
pub struct Renamed {
    tool: String,
    sent_as: String,
    rule: &'static Rule,
}

impl Renamed {
    /// The tool, by its name in the registry.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The name that the provider and the model see.
    pub fn sent_as(&self) -> &str {
        &self.sent_as
    }
}

impl fmt::Display for Renamed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, sent_as, rule: Rule { text, source, .. } } = self;
        write!(f, "`{tool}` is sent as `{sent_as}`: {text} ({source})")
    }
}
