// Nothing of the expansion is warned about.
#![deny(warnings, missing_docs, unused_qualifications, unused_results, unreachable_pub, let_underscore_drop)]
#![deny(trivial_casts, trivial_numeric_casts, variant_size_differences, single_use_lifetimes, unused_lifetimes)]
#![deny(rust_2018_idioms, rust_2021_compatibility, rust_2024_compatibility, non_local_definitions, keyword_idents)]
#![forbid(unsafe_code, unused_import_braces, elided_lifetimes_in_paths)]
// More than these cannot be forbidden beside thiserror, which allows some itself.
#![deny(unreachable_patterns, unused_variables)]

//! A crate with everything denied.

use std::io;
use std::time::Duration;

use toolkit::Classify;

/// An error.
#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
pub enum Every {
    /// Late.
    #[class(timeout)]
    Slow,
    /// Late too: the same arm again.
    #[class(timeout)]
    Slower,
    /// Busy.
    #[class(rate_limit, retry_after = wait, no_effect, message = "wait {wait:?}", detail = code, detail("next") = code)]
    Busy {
        /// How long.
        wait: Duration,
        /// Why.
        code: u8,
    },
    /// Inside.
    #[class(delegate)]
    Io(#[from] io::Error),
    /// Not to be used any more.
    #[deprecated]
    #[class(internal)]
    Old,
}

/// Only a delegate.
#[derive(Debug, thiserror::Error, Classify)]
#[error(transparent)]
#[class(delegate)]
pub struct Transparent(#[from] io::Error);

/// Cannot fail.
#[derive(Debug, thiserror::Error, Classify)]
pub enum Never {}

/// Cannot fail either.
#[derive(Debug, thiserror::Error, Classify)]
#[error("-")]
pub enum AlmostNever {
    /// Never made.
    #[class(delegate)]
    Inner(Never),
    /// Never made.
    #[class(internal, detail("x") = 0)]
    Std(u8, std::convert::Infallible),
}

fn main() {}
