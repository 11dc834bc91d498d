//! Every mistake in one pass: they are collected, and emitted together at the end.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes found so far. Each is underlined where the user must edit.
#[derive(Default)]
pub(crate) struct Errors {
    all: Option<syn::Error>,
}

impl Errors {
    /// One more mistake, on these tokens.
    pub(crate) fn push(&mut self, at: impl ToTokens, message: impl Display) {
        self.combine(syn::Error::new_spanned(at, message));
    }

    /// One more mistake, with a second line that says what to write.
    pub(crate) fn push_help(&mut self, at: impl ToTokens, message: impl Display, help: impl Display) {
        self.push(at, format_args!("{message}\nhelp: {help}"));
    }

    /// Takes over an error of the parser.
    pub(crate) fn combine(&mut self, error: syn::Error) {
        match &mut self.all {
            Some(all) => all.combine(error),
            None => self.all = Some(error),
        }
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_none()
    }

    /// The mistakes as `compile_error!` invocations; nothing where there are none.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        self.all.map(|all| all.to_compile_error()).unwrap_or_default()
    }
}
