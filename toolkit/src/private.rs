//! What the macros' expansions name. Not for use by hand, and not kept stable.

mod classify;

pub use std::error::Error;
pub use std::format;
pub use std::option::Option::{self, None, Some};
pub use std::result::Result::{self, Ok};

#[cfg(feature = "discover")]
pub use inventory;

pub use self::classify::*;
pub use crate::classify::{Classification, Classify, Entry, EntryOfAny, ErrorClass, Known};
pub use crate::context::ToolContext;
pub use crate::output::{
    Probe, Returns, Shape, ToolFuture, finish, fit, run, run_blocking, shapes, split, tags, written,
};
pub use crate::parameter::{
    Arg, Bad, Lengthy, Param, Pattern, Ranged, Span, Textual, arg, context, decode, float, int, json, length, missing,
    pattern, range, state,
};
#[cfg(feature = "discover")]
pub use crate::registry::Registered;
pub use crate::tool::{Category, Definition, Service, StateType, Tool, millis};

/// Hands a tool in for discovery.
#[cfg(feature = "discover")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($handle:ident) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Registered(<$handle as $crate::__private::Tool>::DEFINITION)
        }
    };
}

/// Without discovery a tool is registered by hand alone.
#[cfg(not(feature = "discover"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($handle:ident) => {};
}

#[doc(inline)]
pub use crate::__submit as submit;
