//! What a tool is: data, written by `#[tool]` as one constant, and the specification that a registry holds.

mod category;
mod definition;
mod spec;

pub use self::category::Category;
pub(crate) use self::definition::OutputSchema;
pub use self::definition::{Definition, Location, Service, StateType, Tool, millis};
pub use self::spec::ToolSpec;
