//! Makes an export: every tool into the provider's form, strict where that is asked for and can be had, and everything that
//! is refused all the same, at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::Schema;
use serde_json::{Map, Value};

use super::dialect::{Broken, Budget, Change, Declaration, Dialect, Profile, Rule, SchemaRule};
use super::error::{ExportError, ExportProblem};
use super::export::Inner;
use super::names::Names;
use super::options::ExportOptions;
use super::report::{ExportReport, Renamed, RenamedKey};
use super::schema::Extent;
use super::undo::{self, Undo};
use super::{Provider, keys, lint, mcp, schema};
use crate::registry::Registry;
use crate::schema::Keywords as _;
use crate::tool::ToolSpec;

/// A tool to export.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    pub(super) schema: &'a Value,
    pub(super) spec: Option<&'a ToolSpec>,
}

impl<'a> Source<'a> {
    pub(super) fn of(spec: &'a ToolSpec) -> Self {
        Self { name: spec.name(), description: spec.description(), schema: spec.input_schema(), spec: Some(spec) }
    }
}

/// One tool in the provider's form.
struct Formed {
    schema: Schema,
    undo: Option<Undo>,
    /// Whether keys of its properties were rewritten.
    renames: bool,
    extent: Extent,
    strict: bool,
}

/// The exports that were made of a registry. There are few, so that looking through them is no work.
#[derive(Default)]
struct Kept(Mutex<Vec<Arc<Inner>>>);

/// The export of a registry, made at the first time and kept with it. An error is not kept.
pub(super) fn kept(
    provider: Provider,
    dialect: &'static Dialect,
    registry: &Registry,
    options: &ExportOptions,
) -> Result<Arc<Inner>, ExportError> {
    // Somebody's panic while the list was locked leaves the list as it was.
    let find = |kept: &Kept| {
        let exports = kept.0.lock().unwrap_or_else(PoisonError::into_inner);
        exports.iter().find(|export| export.is_of(provider, options)).cloned()
    };
    let Some(kept) = registry.memo::<Kept>() else {
        return export(provider, dialect, registry.iter().map(Source::of), options);
    };
    if let Some(export) = find(kept) {
        return Ok(export);
    }
    let export = export(provider, dialect, registry.iter().map(Source::of), options)?;
    kept.0.lock().unwrap_or_else(PoisonError::into_inner).push(export.clone());
    Ok(export)
}

/// The tools alone.
pub(super) fn tools(provider: Provider, dialect: &'static Dialect, registry: &Registry) -> Result<Value, ExportError> {
    kept(provider, dialect, registry, &ExportOptions::new()).map(|export| export.tools.clone())
}

pub(super) fn export<'a>(
    provider: Provider,
    dialect: &'static Dialect,
    sources: impl Iterator<Item = Source<'a>>,
    options: &ExportOptions,
) -> Result<Arc<Inner>, ExportError> {
    let sources: Vec<Source<'_>> = sources.collect();
    let names = Names::new(&dialect.names, sources.iter().map(|source| source.name));
    let mut report = ExportReport::default();
    let mut problems = Vec::new();
    let strict = strict_forms(dialect, &sources, options, &mut report.not_strict);
    let whole = dialect.strict.as_ref().and_then(|strict| strict.whole_request.as_ref());
    let mut request = Map::new();
    if let Some((_, field)) = whole.filter(|_| !strict.is_empty() && strict.iter().all(Option::is_some)) {
        request.insert((*field).to_owned(), true.into());
    }

    let mut undo = BTreeMap::new();
    let mut declared = Vec::with_capacity(sources.len());
    for (source, strict) in sources.iter().zip(strict.into_iter().chain(std::iter::repeat_with(|| None))) {
        let formed = strict.unwrap_or_else(|| {
            let (formed, broken) = form(dialect, loose(dialect, options), source.schema);
            problems.extend(broken.into_iter().map(|(path, rule)| problem(source.name, path, rule)));
            formed
        });
        check_description(dialect, source, &mut report.warnings);
        if formed.strict {
            report.strict.push(source.name.to_owned());
        }
        if let Some(way_back) = formed.undo {
            if formed.renames {
                report.renamed_keys.extend(renamed_keys(dialect, source.name, &way_back));
            }
            undo.insert(source.name.to_owned(), way_back);
        }
        let Source { name, description, spec, .. } = *source;
        let name = names.sent(name);
        let Formed { schema, strict, .. } = formed;
        declared.push((dialect.declare)(Declaration { name, description, schema, strict, spec, options }));
    }
    if let Some(limit) = dialect.most_tools.as_ref().filter(|limit| sources.len() > limit.most) {
        let found = format!("there are {} tools", sources.len());
        problems.push(ExportProblem::new(None, String::new(), found, &limit.rule));
    }
    if provider == Provider::Mcp {
        check_prefix(&sources, &options.mcp_prefix, &mut report.warnings);
    }
    if options.require_strict {
        problems.extend(report.not_strict.iter().cloned());
    }
    ExportError::check(provider, problems)?;
    let rule = &dialect.names.rule;
    let renamed = |(own, sent): (&str, &str)| Renamed { tool: own.to_owned(), sent_as: sent.to_owned(), rule };
    report.renamed = names.rewritten().map(renamed).collect();
    let tools = (dialect.list)(declared);
    let text = serde_json::to_string(&tools).unwrap_or_default();
    let wrapped = match provider {
        Provider::Mcp => sources.iter().filter_map(|source| wrapped(*source, options)).collect(),
        _ => BTreeMap::new(),
    };
    let options = options.clone();
    Ok(Arc::new(Inner { provider, options, tools, text, request, names, undo, wrapped, report }))
}

fn loose<'d>(dialect: &'d Dialect, options: &ExportOptions) -> &'d Profile {
    dialect.older.as_ref().filter(|_| options.gemini_parameters).unwrap_or(&dialect.loose)
}

fn problem(tool: &str, path: String, rule: &'static Rule) -> ExportProblem {
    ExportProblem::new(Some(tool), path, String::new(), rule)
}

/// The schema in a form, and what the form's rules have against it.
fn form(
    dialect: &'static Dialect,
    profile: &'static Profile,
    source: &Value,
) -> (Formed, Vec<(String, &'static Rule)>) {
    let mut schema = schema::transformed(source, profile.changes);
    let renames = dialect.keys.is_some_and(|rule| keys::rewrite(&mut schema, rule));
    let undo = Undo::of(&mut schema);
    let (broken, extent) = lint::broken(&mut schema, profile.rules);
    (Formed { schema, undo, renames, extent, strict: false }, broken)
}

/// The strict forms of the tools that can have one; nothing where none is asked for or to be had.
fn strict_forms(
    dialect: &'static Dialect,
    sources: &[Source<'_>],
    options: &ExportOptions,
    reasons: &mut Vec<ExportProblem>,
) -> Vec<Option<Formed>> {
    const PAIRS: [Change; 1] = [Change::Each(&[schema::map_as_pairs])];
    let Some(strict) = dialect.strict.as_ref().filter(|_| options.strict) else { return Vec::new() };
    let mut forms: Vec<Option<Formed>> = Vec::with_capacity(sources.len());
    for source in sources {
        let paired = options.maps_as_pairs.then(|| schema::transformed(source.schema, &PAIRS).to_value());
        let (formed, broken) = form(dialect, &strict.profile, paired.as_ref().unwrap_or(source.schema));
        let fits = broken.is_empty();
        reasons.extend(broken.into_iter().map(|(path, rule)| problem(source.name, path, rule)));
        forms.push(fits.then_some(Formed { strict: true, ..formed }));
    }
    for budget in strict.budgets {
        spend(budget, sources, &mut forms, reasons);
    }
    if let Some((rule, _)) = strict.whole_request.as_ref().filter(|_| forms.iter().any(Option::is_none)) {
        for (source, form) in sources.iter().zip(&mut forms) {
            if form.take().is_some() {
                reasons.push(problem(source.name, String::new(), rule));
            }
        }
    }
    forms
}

/// Takes the strict form from the tools with which there would be too much of something, the later ones first.
fn spend(
    budget: &'static Budget,
    sources: &[Source<'_>],
    forms: &mut [Option<Formed>],
    reasons: &mut Vec<ExportProblem>,
) {
    let mut spent = 0;
    for (source, form) in sources.iter().zip(forms) {
        let Some(formed) = form else { continue };
        let count = (budget.count)(&formed.extent);
        if spent + count > budget.limit.most {
            let found = format!("{} with the tools before it", spent + count);
            reasons.push(ExportProblem::new(Some(source.name), String::new(), found, &budget.limit.rule));
            *form = None;
        } else {
            spent += count;
        }
    }
}

fn check_description(dialect: &'static Dialect, source: &Source<'_>, warnings: &mut Vec<ExportProblem>) {
    let Some(limit) = &dialect.longest_description else { return };
    if source.description.len() <= limit.most {
        return;
    }
    let length = source.description.chars().count();
    if length > limit.most {
        let found = format!("the description has {length} characters");
        warnings.push(ExportProblem::new(Some(source.name), String::new(), found, &limit.rule));
    }
}

fn check_prefix(sources: &[Source<'_>], prefix: &str, warnings: &mut Vec<ExportProblem>) {
    if prefix.is_empty() {
        return;
    }
    let limit = &mcp::PREFIXED;
    for source in sources {
        let length = prefix.chars().count() + source.name.chars().count();
        if length > limit.most {
            let found = format!("`{prefix}{}` has {length} characters, {length} > {}", source.name, limit.most);
            warnings.push(ExportProblem::new(Some(source.name), String::new(), found, &limit.rule));
        }
    }
}

fn wrapped(source: Source<'_>, options: &ExportOptions) -> Option<(String, bool)> {
    Some((source.name.to_owned(), mcp::wrapped(source.spec?, options.mcp_revision)?))
}

/// The keys that were rewritten. The look-through for rules that are broken knows where it is, so it finds them.
fn renamed_keys(dialect: &'static Dialect, tool: &str, undo: &Undo) -> Vec<RenamedKey> {
    static RULES: [SchemaRule; 1] = [SchemaRule {
        broken: Broken::Anywhere(|node| node.keyword(undo::KEY).is_some()),
        rule: Rule { text: "", source: "", date: "" },
    }];
    let (Some(rule), Ok(mut marked)) = (dialect.keys, Schema::try_from(undo.marked().clone())) else {
        return Vec::new();
    };
    let key_at =
        |path: &str| undo.marked().pointer(path.strip_prefix('#')?)?.get(undo::KEY)?.as_str().map(str::to_owned);
    let (found, _) = lint::broken(&mut marked, &RULES);
    found
        .into_iter()
        .filter_map(|(path, _)| {
            let key = key_at(&path)?;
            Some(RenamedKey { tool: tool.to_owned(), path, key, rule: &rule.rule })
        })
        .collect()
}
