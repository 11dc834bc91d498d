//! Everything denied, clippy's restrictions included.

#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    single_use_lifetimes,
    let_underscore_drop,
    trivial_casts,
    trivial_numeric_casts,
    unused_import_braces,
    variant_size_differences,
    non_local_definitions,
    keyword_idents,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    redundant_imports,
    redundant_lifetimes,
    unit_bindings,
    unused_extern_crates
)]
#![deny(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo,
    clippy::used_underscore_binding,
    clippy::unreachable,
    clippy::let_with_type_underscore,
    clippy::let_underscore_untyped,
    clippy::implicit_return,
    clippy::let_unit_value,
    clippy::suspicious_else_formatting,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::expect_used,
    clippy::absolute_paths,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    clippy::question_mark_used,
    clippy::min_ident_chars,
    clippy::missing_docs_in_private_items,
    clippy::missing_inline_in_public_items,
    clippy::missing_trait_methods,
    clippy::pattern_type_mismatch,
    clippy::ref_patterns,
    clippy::default_numeric_fallback,
    clippy::else_if_without_else,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::clone_on_ref_ptr,
    clippy::create_dir,
    clippy::dbg_macro,
    clippy::empty_structs_with_brackets,
    clippy::field_scoped_visibility_modifiers,
    clippy::float_arithmetic,
    clippy::if_then_some_else_none,
    clippy::impl_trait_in_params,
    clippy::infinite_loop,
    clippy::integer_division,
    clippy::large_include_file,
    clippy::map_err_ignore,
    clippy::mod_module_files,
    clippy::module_name_repetitions,
    clippy::multiple_inherent_impl,
    clippy::partial_pub_fields,
    clippy::print_stdout,
    clippy::pub_use,
    clippy::renamed_function_params,
    clippy::same_name_method,
    clippy::semicolon_inside_block,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::str_to_string,
    clippy::unseparated_literal_suffix,
    clippy::verbose_file_reads,
    clippy::wildcard_enum_match_arm
)]
#![allow(clippy::missing_errors_doc, clippy::missing_inline_in_public_items, clippy::exhaustive_structs)]
#![allow(clippy::cargo_common_metadata, clippy::multiple_crate_versions, clippy::std_instead_of_alloc)]
#![allow(clippy::needless_return, reason = "asked for by another lint")]
#![allow(unreachable_pub, reason = "that of a test module's parent; a crate of its own is checked elsewhere")]

use core::sync::atomic::{AtomicU8, Ordering};
use std::io;

use tokio::task::yield_now;
use toolkit::{ToolContext, tool, tools};

/// A tool.
#[tool(category = Read)]
pub async fn probe(_verbose: bool, host: String) -> Result<String, io::Error> {
    return Ok(host);
}

/// A tool.
#[tool(category = Read)]
pub async fn label(on: bool) -> Result<String, io::Error> {
    return Ok(if on { "true".to_owned() } else { "false".to_owned() });
}

/// The result is fit.
fn fits(text: &str) -> Result<(), io::Error> {
    return if text.is_empty() { Err(io::ErrorKind::InvalidData.into()) } else { Ok(()) };
}

#[tool(
    category = Write,
    description = "A tool with everything.",
    name = "lint_everything",
    handle = Everything,
    max_retries = 1,
    idempotent = false,
    timeout = "1s",
    max_output = 10,
    check = fits
)]
#[doc(hidden)]
pub async fn everything(
    /// A text.
    #[arg(default = "x", length = 1..=9, pattern = "^x")]
    text: String,
    /// A number.
    #[arg(default = 1_u8, range = 0..=9, example = 2_u8)]
    number: u8,
    /// A secret.
    #[arg(secret, rename = "key")]
    token: Option<String>,
    #[state] state: &AtomicU8,
    ctx: &ToolContext,
) -> Result<String, io::Error> {
    state.store(number, Ordering::Relaxed);
    yield_now().await;
    return Ok(format!("{text}{token:?}{}", ctx.attempt()));
}

/// A tool that blocks.
#[tool(category = Compute)]
pub fn blocking(number: u8, #[state] state: &AtomicU8) -> u8 {
    return state.swap(number, Ordering::Relaxed);
}

/// A tool without anything.
#[tool(category = Compute)]
pub async fn nothing() {}

/// A service.
#[derive(Debug)]
pub struct Service(AtomicU8);

#[tools]
impl Service {
    /// A tool.
    #[tool(category = Read)]
    pub async fn lint_method(&self, number: u8) -> Result<u8, io::Error> {
        return Ok(self.0.swap(number, Ordering::Relaxed));
    }

    /// A tool.
    #[tool(category = Read)]
    fn lint_function(number: u8) -> u8 {
        return number;
    }
}

#[test]
fn the_strictest_crate_has_tools() {
    let registry = toolkit::Registry::builder()
        .tool::<probe>()
        .tool::<label>()
        .tool::<Everything>()
        .tool::<blocking>()
        .tool::<nothing>()
        .service(Service(AtomicU8::new(1)))
        .build();
    assert!(registry.is_ok_and(|all| return all.len() == 7));
}
