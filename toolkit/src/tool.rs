//! What a tool is: data, written by `#[tool]` as one constant, and the specification that a registry holds.

use std::any::TypeId;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use crate::context::ToolContext;
use crate::dynamic::Dynamic;
use crate::output::ToolFuture;
use crate::parameter::{Bad, Param};
use crate::schema;

/// What a tool may do to the world. It decides who may call it and whether a failure may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Looks something up; changes nothing.
    Read,
    /// Computes from its arguments alone.
    Compute,
    /// Changes something that can be changed back.
    Write,
    /// Tells somebody something: a mail, a message, a post.
    Communicate,
    /// Cannot be taken back: deletes, pays, cancels. Asks a person first unless the host says otherwise.
    Dangerous,
}

impl Category {
    /// Every category, the harmless ones first.
    pub const ALL: [Category; 5] =
        [Category::Read, Category::Compute, Category::Write, Category::Communicate, Category::Dangerous];

    /// The name in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::Read => "read",
            Category::Compute => "compute",
            Category::Write => "write",
            Category::Communicate => "communicate",
            Category::Dangerous => "dangerous",
        }
    }

    /// Whether a tool of this category may be run twice with one effect, where it does not say so itself.
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Category::Read | Category::Compute)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Category {
    type Err = crate::BuildError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Category::ALL.into_iter().find(|category| category.as_str() == text).ok_or_else(|| {
            format!(
                "`{text}` is not a category; the categories are `read`, `compute`, `write`, `communicate`, `dangerous`"
            )
            .into()
        })
    }
}

/// Where a tool is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    module: &'static str,
    file: &'static str,
    line: u32,
    /// Tells the tools apart that a macro makes in one line.
    column: u32,
}

impl Location {
    /// The path of the module.
    pub const fn module(&self) -> &'static str {
        self.module
    }

    /// The file, as the compiler was given it.
    pub const fn file(&self) -> &'static str {
        self.file
    }

    /// The line of the file, from 1.
    pub const fn line(&self) -> u32 {
        self.line
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}:{})", self.module, self.file, self.line)
    }
}

/// Reads the arguments and makes the attempt, which runs nothing before it is polled.
pub(crate) type Start = for<'a> fn(&'a ToolContext, &str) -> Result<ToolFuture<'a>, Bad>;

/// A value of the host that a tool borrows: its type, for look-up and for messages.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct StateType {
    pub(crate) id: fn() -> TypeId,
    /// The type of the value behind an `Arc`, which serves as well.
    pub(crate) shared: fn() -> TypeId,
    pub(crate) name: fn() -> &'static str,
}

impl StateType {
    pub const fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>, shared: TypeId::of::<Arc<T>>, name: std::any::type_name::<T> }
    }
}

/// Everything about a tool that is known when it is compiled. `#[tool]` writes one as a constant.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Definition {
    pub name: &'static str,
    pub description: &'static str,
    pub category: Category,
    pub max_retries: u32,
    pub idempotent: Option<bool>,
    pub timeout: Option<Duration>,
    pub max_output: Option<usize>,
    pub location: Location,
    /// Whether the body runs on the blocking pool, where giving it up does not end it.
    pub blocking: bool,
    pub params: &'static [Param],
    pub states: &'static [StateType],
    pub start: Start,
    pub output_schema: fn() -> Option<OutputSchema>,
}

/// Makes the schema of a tool's result.
pub(crate) type OutputSchema = fn(&mut SchemaGenerator) -> Schema;

impl Definition {
    /// What holds where the attribute says nothing; the macro names only the fields that differ.
    ///
    /// The place is a module, a file, a line and a column. Names of std are kept out of expansions: where the crate has
    /// another name, the compiler would offer each of them for import, in an error of its own.
    pub const fn new(
        name: &'static str,
        description: &'static str,
        category: Category,
        (module, file, line, column): (&'static str, &'static str, u32, u32),
    ) -> Self {
        let location = Location { module, file, line, column };
        Self {
            name,
            description,
            category,
            max_retries: 2,
            idempotent: None,
            timeout: None,
            max_output: None,
            location,
            blocking: false,
            params: &[],
            states: &[],
            start: |_, _| Err(Bad::Syntax),
            output_schema: || None,
        }
    }
}

/// The time limit of a tool.
pub const fn millis(millis: u64) -> Option<Duration> {
    Some(Duration::from_millis(millis))
}

/// A type that names a tool. `#[tool]` makes one of the function's name, in the type namespace.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "write `#[tool(category = …)]` on the function and give its name here"
)]
pub trait Tool {
    #[doc(hidden)]
    const DEFINITION: &'static Definition;
}

/// A type with tools among its functions. `#[tools]` on its impl block makes it one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    note = "write `#[tools]` on its impl block and `#[tool(category = …)]` on the functions in it"
)]
pub trait Service: 'static {
    #[doc(hidden)]
    const TOOLS: &'static [&'static Definition];
}

impl<T: Service> Service for Arc<T> {
    const TOOLS: &'static [&'static Definition] = T::TOOLS;
}

/// A default as a value for the schema and as text for the decoder, or why it cannot be had.
type DefaultValue = Result<(Value, String), String>;

/// The specification of one tool, as its registry holds it.
pub struct ToolSpec {
    definition: Definition,
    /// What the definition cannot hold of a tool that is made at run time.
    dynamic: Option<Arc<Dynamic>>,
    schema: OnceLock<Value>,
    output_schema: OnceLock<Option<Value>>,
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
            schema: OnceLock::new(),
            output_schema: OnceLock::new(),
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
        schema: Value,
        output_schema: Option<Value>,
    ) -> Self {
        Self {
            dynamic: Some(dynamic),
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
