//! What a crate forbids cannot be allowed again, so an expansion that allows it does not compile there. Discovery itself
//! allows `non_upper_case_globals`, which is thus the one that cannot be forbidden.

#![forbid(
    dead_code,
    non_camel_case_types,
    unused_imports,
    unused_variables,
    unused_mut,
    unused_braces,
    unused_parens,
    unused_qualifications,
    unreachable_code,
    deprecated,
    missing_docs,
    unsafe_code,
    non_snake_case,
    clippy::unused_async,
    clippy::wildcard_imports,
    clippy::needless_pass_by_value
)]

use toolkit::{ToolContext, tool};

/// A tool.
#[tool(category = Read)]
pub(super) async fn forbidding(
    #[arg(default = 1, range = 0..=9)] number: u8,
    text: Option<String>,
    #[state] state: &u8,
    ctx: &ToolContext,
) -> Result<String, String> {
    Ok(format!("{number}{text:?}{state}{}", ctx.attempt()))
}

/// A tool that nobody mentions.
#[tool(category = Read, name = "lint_nobody")]
async fn nobody() -> u8 {
    1
}

/// A tool that blocks.
#[tool(category = Compute)]
pub(super) fn blocking(number: u8) -> u8 {
    number
}

#[test]
fn a_forbidding_crate_has_tools() {
    let registry = toolkit::Registry::builder().tool::<forbidding>().tool::<blocking>().build();
    assert_eq!(registry.unwrap().len(), 2);
    assert_eq!(crate::tool_macro::submitted("lint_nobody"), ["lint_nobody"]);
}
