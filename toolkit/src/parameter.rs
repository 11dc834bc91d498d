//! One parameter of a tool: its name, what the schema says of it, and how a value of its type is read.

mod absent;
mod decode;
mod guard;
mod limit;
mod pattern;
mod precision;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::decode::{Bad, decode, missing};
use self::guard::{Guard, Notes};
pub use self::limit::{Lengthy, Ranged, Span, Textual, float, int};
pub(crate) use self::pattern::Matcher;
pub use self::pattern::Pattern;
use crate::context::ToolContext;

/// A type that a tool can take as an argument: it is read from JSON and says what it takes.
///
/// Implemented for every type that derives `serde::Deserialize` and `schemars::JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a tool argument",
    label = "a tool argument is read from the model's JSON and described by a JSON Schema",
    note = "add `#[derive(serde::Deserialize, schemars::JsonSchema)]` to `{Self}`; the schemars that counts is `toolkit::schemars`"
)]
pub trait Argument: DeserializeOwned + JsonSchema + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + 'static> Argument for T {}

/// Makes a value that the schema shows.
type Show = fn() -> Result<Value, serde_json::Error>;

/// A parameter without its type.
#[derive(Clone, Copy)]
pub struct Param {
    pub(crate) name: &'static str,
    doc: &'static str,
    schema: fn(&mut SchemaGenerator) -> Schema,
    optional: fn() -> bool,
    pub(crate) default: Option<Show>,
    example: Option<Show>,
    pub(crate) range: Option<Span>,
    pub(crate) length: Option<Span>,
    pub(crate) pattern: Option<fn() -> &'static Pattern>,
    /// The value never appears in a message, a log or a span.
    pub(crate) secret: bool,
}

impl Param {
    /// Whether the model must give it.
    pub(crate) fn is_required(&self) -> bool {
        self.default.is_none() && !(self.optional)()
    }

    /// Whether its type takes its absence: `Option`, under any name.
    pub(crate) fn is_optional(&self) -> bool {
        (self.optional)()
    }

    /// What is wrong with what the attribute says, which only running it can tell.
    pub(crate) fn problem(&self) -> Option<String> {
        let name = self.name;
        if let Some(Err(error)) = self.pattern.map(|pattern| pattern().compiled().map(drop)) {
            return Some(format!("the pattern of `{name}` cannot be used: {error}"));
        }
        if let Some(Err(error)) = self.example.map(|example| example()) {
            return Some(format!("the example of `{name}` cannot be written as JSON: {error}"));
        }
        None
    }

    /// Its schema without what its slot checks.
    pub(crate) fn without_own_limits(&self, schema: &Value) -> Value {
        let mut schema = schema.clone();
        if let Some(object) = schema.as_object_mut() {
            let mut drop_keys = |limit: bool, keys: &[&str]| {
                object.retain(|key, _| !limit || !keys.contains(&key.as_str()));
            };
            drop_keys(self.range.is_some(), &["minimum", "maximum", "exclusiveMaximum"]);
            let lengths = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
            drop_keys(self.length.is_some(), &lengths);
            drop_keys(self.pattern.is_some(), &["pattern"]);
        }
        schema
    }

    /// The parameter's schema with what the attribute says of it.
    pub(crate) fn schema(&self, generator: &mut SchemaGenerator, default: Option<&Value>) -> Schema {
        let mut schema = (self.schema)(generator);
        let mut say = |key: &str, value: Value| schema.insert(key.to_owned(), value);
        let doc = self.doc.trim();
        if !doc.is_empty() {
            say("description", doc.into());
        }
        if let Some(range) = &self.range {
            range.entries("minimum", "maximum", "exclusiveMaximum").for_each(|(key, value)| drop(say(key, value)));
        }
        if let Some(length) = &self.length {
            limit::length_entries(length, &mut schema);
        }
        let mut say = |key: &str, value: Value| schema.insert(key.to_owned(), value);
        if let Some(pattern) = self.pattern {
            say("pattern", pattern().text().into());
        }
        if let Some(value) = default {
            say("default", value.clone());
        }
        if let Some(Ok(value)) = self.example.map(|example| example()) {
            say("examples", Value::Array(vec![value]));
        }
        schema
    }
}

/// A parameter of type `T`: the only thing of the expansion that carries a bound on the user's type.
pub struct Arg<T> {
    #[doc(hidden)]
    pub param: Param,
    read: Read<T>,
    missing: fn() -> Option<T>,
    ranged: Option<fn(&T, &Span) -> bool>,
    measured: Option<fn(&T, &Span) -> bool>,
    matched: Option<fn(&T, &Pattern) -> bool>,
}

/// Reads one value from the beginning of a text.
type Read<T> = fn(&str, &mut Option<T>) -> Result<Found, serde_json::Error>;

/// What is known of a value that was read.
struct Found {
    length: usize,
    /// Something in it can be read in more than one way, so that its schema has to judge.
    unsure: bool,
    /// A key in it was passed over.
    ignored: bool,
}

/// The parameter of this name. A function of its own, and not `Arg::new`, so that a type which cannot be an argument is
/// one error, about that.
pub const fn arg<T: Argument>(name: &'static str, doc: &'static str) -> Arg<T> {
    let param = Param {
        name,
        doc,
        schema: |generator| generator.subschema_for::<T>(),
        optional: || absent::value::<T>().is_some(),
        default: None,
        example: None,
        range: None,
        length: None,
        pattern: None,
        secret: false,
    };
    let missing = absent::value::<T>;
    Arg { param, read: read::<T>, missing, ranged: None, measured: None, matched: None }
}

impl<T> Arg<T> {
    /// The value that stands for an absent one.
    #[must_use]
    pub const fn default(mut self, default: Show) -> Self {
        self.param.default = Some(default);
        self
    }

    /// A value that the schema shows.
    #[must_use]
    pub const fn example(mut self, example: Show) -> Self {
        self.param.example = Some(example);
        self
    }

    /// The value stays out of messages, logs and spans.
    #[must_use]
    pub const fn secret(mut self) -> Self {
        self.param.secret = true;
        self
    }

    fn is_allowed(&self, value: &T) -> bool {
        let within = |check: Option<fn(&T, &Span) -> bool>, span: &Option<Span>| match (check, span) {
            (Some(check), Some(span)) => check(value, span),
            _ => true,
        };
        within(self.ranged, &self.param.range)
            && within(self.measured, &self.param.length)
            && match (self.matched, self.param.pattern) {
                (Some(check), Some(pattern)) => check(value, pattern()),
                _ => true,
            }
    }
}

/// Limits the numbers that the argument takes. Functions of their own, like [`arg`], for the sake of their errors.
#[must_use]
pub const fn range<T: Ranged>(mut arg: Arg<T>, range: Span) -> Arg<T> {
    arg.param.range = Some(range);
    arg.ranged = Some(T::is_within);
    arg
}

/// Limits how many characters, items or entries the argument has.
#[must_use]
pub const fn length<T: Lengthy>(mut arg: Arg<T>, length: Span) -> Arg<T> {
    arg.param.length = Some(length);
    arg.measured = Some(T::has_length_within);
    arg
}

/// Limits the texts that the argument takes.
#[must_use]
pub const fn pattern<T: Textual>(mut arg: Arg<T>, pattern: fn() -> &'static Pattern) -> Arg<T> {
    arg.param.pattern = Some(pattern);
    arg.matched = Some(T::matches);
    arg
}

/// A value that the schema shows: the default of an argument, or an example of it.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be shown in the schema, because it cannot be written as JSON",
    label = "has a default or an example",
    note = "add `#[derive(serde::Serialize)]` to `{Self}`"
)]
pub trait Shown: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Shown for T {}

/// The JSON of a default or an example.
///
/// # Errors
/// What the serializer says.
pub fn json<T: Shown>(value: &T) -> Result<Value, serde_json::Error> {
    serde_json::to_value(value)
}

fn read<T: DeserializeOwned>(text: &str, place: &mut Option<T>) -> Result<Found, serde_json::Error> {
    if text.starts_with("null")
        && let Some(value) = absent::null::<T>()
    {
        *place = Some(value);
        return Ok(Found { length: "null".len(), unsure: false, ignored: false });
    }
    let notes = Notes::default();
    let mut reader = serde_json::Deserializer::from_str(text);
    *place = Some(T::deserialize(Guard::new(&mut reader, &notes))?);
    // What is left of the text begins where the reader of a stream would go on.
    let rest = reader.into_iter::<serde::de::IgnoredAny>();
    Ok(Found { length: rest.byte_offset(), unsure: notes.is_unsure(), ignored: notes.has_ignored() })
}

/// Borrows the host's value of this type.
///
/// # Errors
/// None was given to the executor. Its `build()` refuses that, so a call meets it only in a context made by hand.
pub fn state<T: 'static>(cx: &ToolContext) -> Result<&T, Bad> {
    cx.state::<T>().ok_or_else(|| Bad::State(std::any::type_name::<T>()))
}

/// A reference that a tool may take without an attribute: the context of the call, known by its type.
#[diagnostic::on_unimplemented(
    message = "a tool argument must own its data, because it is decoded from the model's JSON",
    label = "a reference to `{Self}`",
    note = "help: take the owned type, such as `String` instead of `&str`, or mark a value of the host's with `#[state]`"
)]
pub trait Context {
    fn of(cx: &ToolContext) -> &Self;
}

impl Context for ToolContext {
    fn of(cx: &ToolContext) -> &Self {
        cx
    }
}

/// The context of the call, for a parameter whose type asks for it.
pub fn context<C: Context + ?Sized>(cx: &ToolContext) -> &C {
    C::of(cx)
}
