//! What is known of a tool when it is compiled: `#[tool]` writes it as one constant.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use schemars::{Schema, SchemaGenerator};

use super::Category;
use crate::context::ToolContext;
use crate::output::ToolFuture;
use crate::parameter::{Bad, Param};

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
    /// What its retries are paid from together with other tools.
    pub budget: Option<&'static str>,
    /// Who sees it; everybody where there are none.
    pub roles: &'static [&'static str],
    /// Whether it runs beside no other call of its turn.
    pub sequential: bool,
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
            budget: None,
            roles: &[],
            sequential: false,
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
