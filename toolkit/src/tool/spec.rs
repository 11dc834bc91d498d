//! The specification of a tool, as its registry holds it.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::Value;

use super::definition::Start;
use super::{Category, Definition, Location, StateType};
use crate::dynamic::Dynamic;
use crate::feedback;
use crate::parameter::Param;
use crate::schema;

/// A default as a value for the schema and as text for the decoder, or why it cannot be had.
type DefaultValue = Result<(Value, String), String>;

/// The specification of one tool, as its registry holds it.
pub struct ToolSpec {
    definition: Definition,
    /// What the definition cannot hold of a tool that is made at run time.
    dynamic: Option<Arc<Dynamic>>,
    roles: Vec<String>,
    schema: OnceLock<Value>,
    output_schema: OnceLock<Option<Value>>,
    /// The schemas of the parameters as messages show them, each made when it is first shown.
    shown: OnceLock<Vec<OnceLock<Option<String>>>>,
    demands_more: OnceLock<bool>,
    recursive: OnceLock<bool>,
    #[cfg(feature = "validate")]
    validator: OnceLock<Result<Option<jsonschema::Validator>, String>>,
    /// The defaults of the parameters, each evaluated once.
    defaults: OnceLock<Vec<Option<DefaultValue>>>,
}

impl ToolSpec {
    pub(crate) fn new(definition: &Definition) -> Self {
        Self {
            definition: *definition,
            dynamic: None,
            roles: definition.roles.iter().map(|role| (*role).to_owned()).collect(),
            schema: OnceLock::new(),
            output_schema: OnceLock::new(),
            shown: OnceLock::new(),
            demands_more: OnceLock::new(),
            recursive: OnceLock::new(),
            #[cfg(feature = "validate")]
            validator: OnceLock::new(),
            defaults: OnceLock::new(),
        }
    }

    pub(crate) fn of_dynamic(
        definition: &Definition,
        dynamic: Arc<Dynamic>,
        roles: Vec<String>,
        schema: Value,
        output_schema: Option<Value>,
    ) -> Self {
        Self {
            dynamic: Some(dynamic),
            roles,
            schema: OnceLock::from(schema),
            output_schema: OnceLock::from(output_schema),
            demands_more: OnceLock::from(true),
            ..Self::new(definition)
        }
    }

    /// The tool's body, where it is made at run time.
    pub(crate) fn dynamic(&self) -> Option<&Dynamic> {
        self.dynamic.as_deref()
    }

    /// The name that the model calls.
    pub fn name(&self) -> &str {
        self.dynamic.as_ref().map_or(self.definition.name, |dynamic| &dynamic.name)
    }

    /// What the model reads to decide when to call the tool.
    pub fn description(&self) -> &str {
        self.dynamic.as_ref().map_or(self.definition.description, |dynamic| &dynamic.description).trim()
    }

    /// What the tool may do to the world.
    pub fn category(&self) -> Category {
        self.definition.category
    }

    /// Whether running the tool twice has the effect of running it once.
    pub fn idempotent(&self) -> bool {
        self.definition.idempotent.unwrap_or(self.definition.category.is_idempotent())
    }

    /// How often a failed call is tried again at most.
    pub fn max_retries(&self) -> u32 {
        self.definition.max_retries
    }

    /// The time limit of one attempt, where the tool sets one.
    pub fn timeout(&self) -> Option<Duration> {
        self.definition.timeout
    }

    /// How many characters of the output the model sees at most, where the tool says so.
    pub fn max_output(&self) -> Option<usize> {
        self.definition.max_output
    }

    /// The roles that see the tool. One of them is enough; where there are none, everybody sees it.
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The retry budget that the tool shares with others of its upstream, where it has none of its own.
    pub fn budget(&self) -> Option<&str> {
        self.dynamic.as_ref().map_or(self.definition.budget, |dynamic| dynamic.budget.as_deref())
    }

    /// Whether the tool runs beside no other call of its turn.
    pub fn sequential(&self) -> bool {
        self.definition.sequential
    }

    /// Whether a caller with these roles sees the tool.
    pub(crate) fn is_for(&self, roles: &[String]) -> bool {
        self.roles.is_empty() || self.roles.iter().any(|role| roles.contains(role))
    }

    /// The names of the arguments whose values must not be shown.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        let of_dynamic = self.dynamic.iter().flat_map(|dynamic| dynamic.secrets.iter().map(String::as_str));
        self.params().iter().filter(|param| param.secret).map(|param| param.name).chain(of_dynamic)
    }

    /// Where the tool is written.
    pub fn location(&self) -> Location {
        self.definition.location
    }

    /// The JSON Schema of the arguments: an object, with its own `$defs`, made at the first use.
    pub fn input_schema(&self) -> &Value {
        self.schema.get_or_init(|| {
            schema::of_parameters(self.definition.params, |index| self.default_at(index).map(|(value, _)| value))
        })
    }

    /// The schema of an argument as it stands two levels deep in a message, where there is an argument of this name.
    pub(crate) fn shown_schema(&self, name: &str) -> Option<Cow<'_, str>> {
        let make = || {
            let schema = self.input_schema();
            let own = schema.get("properties")?.get(name)?;
            Some(feedback::indented(&schema::alone(schema, own), 2))
        };
        let params = self.definition.params;
        match params.iter().position(|param| param.name == name) {
            Some(index) => {
                let all = self.shown.get_or_init(|| params.iter().map(|_| OnceLock::new()).collect());
                all.get(index)?.get_or_init(make).as_deref().map(Cow::Borrowed)
            }
            None => make().map(Cow::Owned),
        }
    }

    /// The JSON Schema of the result, with its own `$defs`, where the tool's return type has one.
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.get_or_init(|| (self.definition.output_schema)().map(schema::of_output)).as_ref()
    }

    /// Whether the arguments are to be held beside their schema always, because it demands what no type checks.
    pub(crate) fn demands_more(&self) -> bool {
        *self.demands_more.get_or_init(|| {
            let schema = self.input_schema();
            let inside = schema.get("$defs").into_iter().flat_map(|all| all.as_object().into_iter().flatten());
            let own = self.definition.params.iter().filter_map(|param| {
                let schema = schema.get("properties")?.get(param.name)?;
                Some((param, schema))
            });
            !schema::unknown_keywords(schema).is_empty()
                || self.is_recursive()
                || inside.into_iter().any(|(_, schema)| schema::demands_more(schema))
                || own.into_iter().any(|(param, schema)| schema::demands_more(&param.without_own_limits(schema)))
        })
    }

    /// Whether alternatives that nothing names stand in one another without an end, so that reading them can take longer
    /// than anybody waits.
    pub(crate) fn is_recursive(&self) -> bool {
        *self.recursive.get_or_init(|| schema::is_recursive_choice(self.input_schema()))
    }

    pub(crate) fn params(&self) -> &'static [Param] {
        self.definition.params
    }

    pub(crate) fn states(&self) -> &'static [StateType] {
        self.definition.states
    }

    pub(crate) fn start(&self) -> Start {
        self.definition.start
    }

    /// The JSON text that stands for the parameter at this place when the model leaves it out.
    pub(crate) fn default_of(&self, index: usize) -> Option<&str> {
        self.default_at(index).map(|(_, text)| text.as_str())
    }

    fn default_at(&self, index: usize) -> Option<&(Value, String)> {
        self.defaults().get(index)?.as_ref()?.as_ref().ok()
    }

    fn defaults(&self) -> &[Option<DefaultValue>] {
        self.defaults.get_or_init(|| {
            let evaluate = |param: &Param| {
                let value = param.default?();
                Some(value.map(|value| (value.clone(), value.to_string())).map_err(|error| error.to_string()))
            };
            self.definition.params.iter().map(evaluate).collect()
        })
    }

    /// What the schema demands and nobody checks.
    fn unchecked(&self) -> Option<String> {
        let keywords = schema::unknown_keywords(self.input_schema());
        if keywords.is_empty() {
            return None;
        }
        let all = keywords.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        #[cfg(feature = "validate")]
        return self.validator().err().map(|error| format!("the schema with {all} cannot be used: {error}"));
        #[cfg(not(feature = "validate"))]
        Some(format!("the schema has {all}, which only the feature `validate` of `toolkit` checks"))
    }

    /// The validator of a schema that has keywords beyond our own; `None` where it has none.
    #[cfg(feature = "validate")]
    fn validator(&self) -> Result<Option<&jsonschema::Validator>, &str> {
        let compiled = self.validator.get_or_init(|| {
            let schema = self.input_schema();
            if schema::unknown_keywords(schema).is_empty() {
                return Ok(None);
            }
            jsonschema::validator_for(schema).map(Some).map_err(|error| error.to_string())
        });
        compiled.as_ref().map(Option::as_ref).map_err(String::as_str)
    }

    /// What a validator has against arguments that our own walk accepted. Nothing, where the schema has no keyword that
    /// the walk does not know.
    #[cfg_attr(
        not(feature = "validate"),
        expect(clippy::unused_self, reason = "without the feature no schema needs it")
    )]
    pub(crate) fn invalid(&self, arguments: &str) -> Vec<(String, String)> {
        #[cfg(feature = "validate")]
        if let Ok(Some(validator)) = self.validator()
            && let Ok(value) = serde_json::from_str::<Value>(arguments)
        {
            let problem = |error: jsonschema::ValidationError<'_>| {
                (error.instance_path().to_string(), error.masked().to_string())
            };
            return validator.iter_errors(&value).map(problem).collect();
        }
        let _ = arguments;
        Vec::new()
    }

    /// What is wrong with the tool that only running it can tell.
    pub(crate) fn problems(&self) -> Vec<String> {
        let params = self.definition.params;
        let mut problems: Vec<String> = params.iter().filter_map(Param::problem).collect();
        for (param, default) in params.iter().zip(self.defaults()) {
            if let Some(Err(error)) = default {
                problems.push(format!("the default of `{}` cannot be written as JSON: {error}", param.name));
            }
        }
        problems.extend(self.dynamic.iter().flat_map(|dynamic| dynamic.problems.iter().cloned()));
        problems.extend(self.unchecked());
        problems.iter().map(|problem| format!("tool `{}`: {problem}, {}", self.name(), self.location())).collect()
    }

    pub(crate) fn is_same_tool(&self, other: &ToolSpec) -> bool {
        let made = self.dynamic.is_some() || other.dynamic.is_some();
        !made && self.definition.location == other.definition.location && self.definition.name == other.definition.name
    }
}

impl fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSpec")
            .field("name", &self.name())
            .field("category", &self.category())
            .field("location", &self.location())
            .finish_non_exhaustive()
    }
}
