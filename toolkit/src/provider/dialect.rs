//! What a provider is, as data: an envelope, the transforms of its schemas, the rules it is known to keep, and the
//! functions that read its replies and write its messages.
//!
//! A new provider is one module with one constant [`Dialect`]. It holds no code that walks a schema: schemars does.

use schemars::Schema;
use serde_json::Value;

use super::ToolChoice;
use super::error::ParseError;
use super::names::{NameRule, Names};
use super::reply::Reply;
use crate::call::ToolResult;

/// A change of one schema, not of those within it.
pub(super) type Step = fn(&mut Schema);

/// Everything about a provider.
pub(super) struct Dialect {
    /// The name in configuration and messages.
    pub(super) name: &'static str,
    pub(super) names: NameRule,
    /// How many tools one request takes.
    pub(super) most_tools: Limit,
    /// How many characters of a description are taken everywhere. Beyond that it is a warning.
    pub(super) longest_description: Limit,
    /// Applied to every schema within a tool's schema and then, to the root alone, `root`.
    pub(super) nodes: &'static [Step],
    pub(super) root: Step,
    /// What is refused even so.
    pub(super) rules: &'static [SchemaRule],
    /// The envelope of one tool: its name, description and schema in the provider's own shape.
    pub(super) declare: fn(Declaration<'_>) -> Value,
    pub(super) choose: fn(ToolChoice<'_>) -> Value,
    /// The calls of a whole response body.
    pub(super) read: fn(&Value, &Names) -> Result<Reply, ParseError>,
    /// The model's turn for the history; of a body that is no reply, an empty one.
    pub(super) turn: fn(&Value, &Reply, &Names) -> Value,
    pub(super) answer: fn(&[ToolResult]) -> Vec<Value>,
}

/// A tool, ready for its envelope.
pub(super) struct Declaration<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) schema: Schema,
}

/// Something that the provider refuses: what, who has seen it, and when that was last looked up. Providers change their
/// minds, so each rule says where to look again.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) text: &'static str,
    pub(super) source: &'static str,
    pub(super) date: &'static str,
}

/// A number that must not be exceeded.
pub(super) struct Limit {
    pub(super) most: usize,
    pub(super) rule: Rule,
}

/// A rule about schemas.
pub(super) struct SchemaRule {
    pub(super) place: Place,
    pub(super) broken: fn(&Schema) -> bool,
    pub(super) rule: Rule,
}

/// Where a rule holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Root,
    Anywhere,
}
