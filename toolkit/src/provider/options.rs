//! How tools are exported.

/// How tools are exported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
#[non_exhaustive]
pub struct ExportOptions {
    pub(super) strict: bool,
    pub(super) require_strict: bool,
    pub(super) maps_as_pairs: bool,
    pub(super) gemini_parameters: bool,
    pub(super) fill_thought_signatures: bool,
    pub(super) mcp_revision: McpRevision,
    pub(super) mcp_prefix: String,
}

impl ExportOptions {
    /// The default: nothing is strict.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the provider is to hold the model to the schemas while it writes, where it can.
    ///
    /// A tool whose schema the provider cannot enforce goes out as one that is not strict, and
    /// [`ExportReport::not_strict`](crate::ExportReport::not_strict) says why. What a strict schema demands beyond the tool's
    /// own, such as a `null` for an argument left out, is undone when the call is read.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether a tool that cannot be strict is an error. Implies [`strict`](Self::strict).
    #[must_use]
    pub fn require_strict(mut self, required: bool) -> Self {
        self.require_strict = required;
        self.strict |= required;
        self
    }

    /// Whether a strict schema shows a map as an array of objects with a `key` and a `value`, which the call's reading
    /// turns back into the map. Without it a tool that takes a map cannot be strict.
    #[must_use]
    pub fn maps_as_pairs(mut self, pairs: bool) -> Self {
        self.maps_as_pairs = pairs;
        self
    }

    /// Whether Gemini gets `parameters`, its own subset of a schema, and not `parametersJsonSchema`: for the Live API and
    /// old gateways. What the subset cannot say the model writes as JSON in a text, which the call's reading takes out again.
    #[must_use]
    pub fn gemini_parameters(mut self, parameters: bool) -> Self {
        self.gemini_parameters = parameters;
        self
    }

    /// Whether a turn for Gemini whose first call has no thought signature gets the value that passes Gemini's check.
    ///
    /// Signatures that came are handed back untouched in any case. This is for a history that another model or provider
    /// wrote, which Gemini 3 refuses otherwise.
    #[must_use]
    pub fn fill_thought_signatures(mut self, fill: bool) -> Self {
        self.fill_thought_signatures = fill;
        self
    }

    /// The revision of the Model Context Protocol that the client speaks.
    #[must_use]
    pub fn mcp_revision(mut self, revision: McpRevision) -> Self {
        self.mcp_revision = revision;
        self
    }

    /// What a client of the Model Context Protocol is known to put before the names, such as `mcp__orders__`. The names
    /// are not changed; those that grow beyond the 64 characters that models' providers take are reported.
    #[must_use]
    pub fn mcp_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.mcp_prefix = prefix.into();
        self
    }
}

/// A revision of the Model Context Protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum McpRevision {
    /// 2025-11-25 and earlier: a structured result is an object. One that is not stands under the key `result` of one.
    V2025_11_25,
    /// 2026-07-28: a structured result is any JSON, and every result says that it is complete.
    #[default]
    V2026_07_28,
}
