//! What was done to tools for the sake of a provider.

use std::fmt;

use super::dialect::Rule;
use super::error::ExportProblem;

/// What was done to the tools to make them fit a provider, and what it may refuse in places.
#[derive(Clone, Debug, Default)]
pub struct ExportReport {
    pub(super) renamed: Vec<Renamed>,
    pub(super) renamed_keys: Vec<RenamedKey>,
    pub(super) not_strict: Vec<ExportProblem>,
    pub(super) strict: Vec<String>,
    pub(super) warnings: Vec<ExportProblem>,
}

impl ExportReport {
    /// The tools whose names the provider does not take.
    pub fn renamed(&self) -> &[Renamed] {
        &self.renamed
    }

    /// The properties whose keys the provider does not take.
    pub fn renamed_keys(&self) -> &[RenamedKey] {
        &self.renamed_keys
    }

    /// Why tools are not strict that were to be: the tool, the place in its schema and the rule.
    pub fn not_strict(&self) -> &[ExportProblem] {
        &self.not_strict
    }

    /// The tools that the provider holds the model to, by their names in the registry.
    pub fn strict(&self) -> &[String] {
        &self.strict
    }

    /// What some deployments of the provider refuse and others take.
    pub fn warnings(&self) -> &[ExportProblem] {
        &self.warnings
    }
}

/// A tool that a provider sees under another name. Calls are mapped back.
#[derive(Clone, Debug)]
pub struct Renamed {
    pub(super) tool: String,
    pub(super) sent_as: String,
    pub(super) rule: &'static Rule,
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

/// A property that a provider sees under another key. The arguments of calls are mapped back.
#[derive(Clone, Debug)]
pub struct RenamedKey {
    pub(super) tool: String,
    pub(super) path: String,
    pub(super) key: String,
    pub(super) rule: &'static Rule,
}

impl RenamedKey {
    /// The tool, by its name in the registry.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// The place of the property in the schema that is sent, as a JSON Pointer that ends in the key that the model sees.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The property's own key.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl fmt::Display for RenamedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tool, path, key, rule: Rule { text, source, .. } } = self;
        write!(f, "`{key}` of tool `{tool}` is sent as {path}: {text} ({source})")
    }
}
