//! All tools beside all dialects, for a test of the user's own.

use std::fmt;

use serde_json::Value;

use super::error::ExportProblem;
use super::ids::hash;
use super::options::ExportOptions;
use super::{Export, Provider};
use crate::registry::Registry;

impl Registry {
    /// Whether a provider takes the tools, and what they cost there.
    pub fn check(&self, provider: Provider) -> Check {
        Check { found: vec![Found::of(self, provider)], fingerprint: self.fingerprint() }
    }

    /// Whether every provider takes the tools, and what they cost there.
    ///
    /// ```
    /// # use toolkit::{Registry, tool};
    /// /// Adds two numbers.
    /// #[tool(category = Compute)]
    /// fn add(a: i64, b: i64) -> i64 { a + b }
    ///
    /// let check = Registry::builder().tool::<add>().build()?.check_all();
    /// assert!(check.is_clean(), "{check}");
    /// assert_eq!(check.fingerprint(), "8c3030414d7ed470", "the tools have changed: is that meant?");
    /// # Ok::<(), toolkit::BuildError>(())
    /// ```
    pub fn check_all(&self) -> Check {
        let found = Provider::ALL.into_iter().map(|provider| Found::of(self, provider)).collect();
        Check { found, fingerprint: self.fingerprint() }
    }

    /// Sixteen digits that stand for everything a model is told of the tools, and for their categories. They change with
    /// any of it and with nothing else, so that a test which holds them shows every change in review.
    pub fn fingerprint(&self) -> String {
        let mut text = String::new();
        for spec in self.iter() {
            let output = spec.output_schema().cloned().unwrap_or_default();
            for part in [spec.name(), spec.description(), spec.category().as_str()] {
                canonical(&part.into(), &mut text);
            }
            canonical(spec.input_schema(), &mut text);
            canonical(&output, &mut text);
        }
        format!("{:016x}", hash(&text))
    }
}

/// What the providers have against tools, from [`Registry::check`] and [`Registry::check_all`].
#[derive(Clone, Debug)]
pub struct Check {
    found: Vec<Found>,
    fingerprint: String,
}

#[derive(Clone, Debug)]
struct Found {
    provider: Provider,
    problems: Vec<ExportProblem>,
    warnings: Vec<ExportProblem>,
    not_strict: Vec<ExportProblem>,
    tokens: Option<usize>,
}

impl Found {
    fn of(registry: &Registry, provider: Provider) -> Self {
        let strict = provider.export(registry, &ExportOptions::new().strict(true));
        let not_strict = strict.map(|export| export.report().not_strict().to_vec()).unwrap_or_default();
        match provider.export(registry, &ExportOptions::new()) {
            Ok(export) => {
                let warnings = export.report().warnings().to_vec();
                Self { provider, problems: Vec::new(), warnings, not_strict, tokens: Some(export.tokens()) }
            }
            Err(error) => {
                let problems = error.problems().to_vec();
                Self { provider, problems, warnings: Vec::new(), not_strict, tokens: None }
            }
        }
    }
}

impl Check {
    /// Whether every provider takes every tool.
    pub fn is_clean(&self) -> bool {
        self.found.iter().all(|found| found.problems.is_empty())
    }

    /// What would be refused: the provider, and the tool, the place in its schema and the rule.
    pub fn problems(&self) -> impl Iterator<Item = (Provider, &ExportProblem)> {
        self.found.iter().flat_map(|found| found.problems.iter().map(|problem| (found.provider, problem)))
    }

    /// What some deployments of a provider refuse.
    pub fn warnings(&self) -> impl Iterator<Item = (Provider, &ExportProblem)> {
        self.found.iter().flat_map(|found| found.warnings.iter().map(|problem| (found.provider, problem)))
    }

    /// Why tools cannot be strict.
    pub fn not_strict(&self) -> impl Iterator<Item = (Provider, &ExportProblem)> {
        self.found.iter().flat_map(|found| found.not_strict.iter().map(|problem| (found.provider, problem)))
    }

    /// About how many tokens of every request the list of tools takes with this provider: [`Export::tokens`]. `None` where
    /// it cannot be sent.
    pub fn tokens(&self, provider: Provider) -> Option<usize> {
        self.found.iter().find(|found| found.provider == provider)?.tokens
    }

    /// [`Registry::fingerprint`].
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_clean() {
            return f.write_str("every tool is taken");
        }
        let mut separator = "";
        for (provider, problem) in self.problems() {
            write!(f, "{separator}{provider}: {problem}")?;
            separator = "\n";
        }
        Ok(())
    }
}

impl Export {
    /// About how many tokens of every request the list of tools takes: a quarter of its bytes, rounded up, which is what
    /// tokenizers make of JSON in English to within a third.
    pub fn tokens(&self) -> usize {
        self.tools_text().len().div_ceil(4)
    }
}

/// JSON with the keys of every object in order.
fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (key, value) in fields {
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for value in list {
                canonical(value, text);
                text.push(',');
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}
