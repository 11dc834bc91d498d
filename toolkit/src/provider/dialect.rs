//! What a provider is, as data: an envelope, the changes of its schemas, the rules it is known to keep, and the
//! functions that read its replies and write its messages.
//!
//! A new provider is one module with two constants, a [`Dialect`] and an [`Exchange`]: what exports tools needs the one,
//! what answers a model the other, and no program holds what it does not use. It holds no code that walks a schema:
//! schemars does.

use schemars::Schema;
use serde_json::{Map, Value};

use super::error::ParseError;
use super::export::Context;
use super::ids::IdRule;
use super::names::{NameRule, Names};
use super::options::ExportOptions;
use super::reply::Reply;
use super::schema::Extent;
use super::talk::Talk;
use super::{Provider, ToolChoice};
use crate::call::ToolResult;
use crate::tool::ToolSpec;

/// A change of one schema, not of those within it.
pub(super) type Step = fn(&mut Schema);

/// A change of a tool's schema.
pub(super) enum Change {
    /// Of every schema within it, the outer before the inner, all steps in one walk.
    Each(&'static [Step]),
    /// Of the whole, by its root.
    Whole(Step),
}

/// How a provider takes tools.
pub(super) struct Dialect {
    pub(super) names: NameRule,
    /// The keys of properties, where not every key is taken.
    pub(super) keys: Option<&'static NameRule>,
    /// How many tools one request takes.
    pub(super) most_tools: Option<Limit>,
    /// How many characters of a description are taken everywhere. Beyond that it is a warning.
    pub(super) longest_description: Option<Limit>,
    pub(super) loose: Profile,
    /// An older form of the schemas, where the provider has one and [`ExportOptions`] asks for it.
    pub(super) older: Option<Profile>,
    pub(super) strict: Option<Strict>,
    /// The envelope of one tool: its name, description and schema in the provider's own shape.
    pub(super) declare: fn(Declaration<'_>) -> Value,
    /// What the request's `tools` takes of the tools in their envelopes.
    pub(super) list: fn(Vec<Value>) -> Value,
}

/// How a provider's replies are read, and how what follows them is written.
pub(super) struct Exchange {
    /// The ids of calls, where not every id is taken back.
    pub(super) ids: Option<IdRule>,
    pub(super) choose: fn(ToolChoice<'_>) -> Value,
    /// The calls of a whole response body.
    pub(super) read: fn(Provider, &Value, &Names) -> Result<Reply, ParseError>,
    /// The model's turn for the history; of a body that is no reply, an empty one.
    pub(super) turn: fn(&Value, &Reply, &Context<'_>) -> Value,
    pub(super) answer: fn(&[ToolResult], &Context<'_>) -> Vec<Value>,
    /// Where a conversation stands in a request; `None` where there are none.
    pub(super) talk: Option<&'static Talk>,
}

/// The form of a provider's schemas: what is changed, and what is refused even so.
pub(super) struct Profile {
    pub(super) changes: &'static [Change],
    pub(super) rules: &'static [SchemaRule],
}

/// The form of schemas that a provider enforces while the model writes.
pub(super) struct Strict {
    /// What breaks one of its rules goes out not strict.
    pub(super) profile: Profile,
    /// What all strict tools of one request share.
    pub(super) budgets: &'static [Budget],
    /// Where a request is strict as a whole or not at all: the rule, and the field of the request that says so.
    pub(super) whole_request: Option<(Rule, &'static str)>,
}

/// Something that the strict tools of a request may have a number of, all together.
pub(super) struct Budget {
    pub(super) count: fn(&Extent) -> usize,
    pub(super) limit: Limit,
}

/// A tool, ready for its envelope.
pub(super) struct Declaration<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) schema: Schema,
    pub(super) strict: bool,
    /// What else is known of it, where it comes from a registry.
    pub(super) spec: Option<&'a ToolSpec>,
    pub(super) options: &'a ExportOptions,
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
    pub(super) broken: Broken,
    pub(super) rule: Rule,
}

/// Where a rule holds, and how it is broken there.
pub(super) enum Broken {
    /// At the root, which is the whole schema too.
    AtRoot(fn(&Schema, &Extent) -> bool),
    /// In every schema.
    Anywhere(fn(&Schema) -> bool),
}

/// An object of these entries. `json!` would copy a value that is put into it.
pub(super) fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into()
}

/// The envelope's own array, as most providers take it.
pub(super) fn plain_list(tools: Vec<Value>) -> Value {
    Value::Array(tools)
}
