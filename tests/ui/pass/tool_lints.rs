// Nothing of the expansion is warned about.
#![deny(warnings, missing_docs, unused_qualifications, unused_results, unreachable_pub, let_underscore_drop)]
#![deny(trivial_casts, trivial_numeric_casts, variant_size_differences, single_use_lifetimes, unused_lifetimes)]
#![deny(rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility, non_local_definitions, keyword_idents)]
#![deny(missing_debug_implementations, missing_copy_implementations, redundant_imports, unit_bindings)]
#![forbid(unsafe_code, unused_import_braces, elided_lifetimes_in_paths, unreachable_patterns, unused_variables)]
#![forbid(dead_code, non_camel_case_types, unused_imports, unused_mut, unused_braces, unused_parens, deprecated)]

//! A crate with everything denied, and what can be forbidden.

use std::io;

use toolkit::{Registry, Service, Tool, ToolContext, tool, tools};

/// A state.
#[derive(Clone, Copy, Debug)]
pub struct State(pub u8);

/// Says nothing for itself.
#[tool(category = Read, description = "A tool with everything.", handle = Everything, timeout = "1s", check = is_fit)]
pub async fn everything(
    /// A text.
    #[arg(default = "x", length = 1..=9, pattern = "^x")]
    text: String,
    #[arg(default, range = 0..=9, example = 2)] number: u8,
    #[arg(secret)] token: Option<Option<String>>,
    #[state] state: &State,
    context: &ToolContext,
) -> Result<String, io::Error> {
    Ok(format!("{text}{number}{token:?}{}{}", state.0, context.attempt()))
}

fn is_fit(text: &str) -> Result<(), String> {
    if text.is_empty() { Err("empty".to_owned()) } else { Ok(()) }
}

/// A tool that blocks.
#[tool(category = Compute)]
pub fn blocking(number: u8) -> u8 {
    number
}

/// A tool that nothing mentions.
#[tool(category = Compute)]
async fn private() -> u8 {
    1
}

mod inner {
    /// A tool that is seen from outside of its module.
    #[toolkit::tool(category = Compute)]
    pub(crate) fn seen() {}
}

/// A service.
#[derive(Clone, Copy, Debug)]
pub struct Methods;

#[tools]
impl Methods {
    /// A method.
    #[tool(category = Read)]
    pub async fn method(&self, number: u8) -> Result<u8, io::Error> {
        Ok(number)
    }

    /// A function.
    #[tool(category = Read)]
    fn function(number: u8) -> u8 {
        number
    }
}

fn is_tool<T: Tool>() {}
fn is_service<S: Service>(_: S) {}

fn main() {
    is_tool::<Everything>();
    is_tool::<blocking>();
    is_service(Methods);
    inner::seen();
    assert!(Registry::discover().is_ok());
}
