//! `#[derive(Classify)]`: tokens → items of `#[class(…)]` → a verdict per variant → one impl.

mod expand;
mod message;
mod model;
mod options;
mod parse;

use proc_macro2::TokenStream;
use syn::{Data, DeriveInput};

use crate::errors::Errors;

/// The impl, or every mistake beside an impl that stands in for it.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::default();
    let model = model::read(&input, &mut errors);
    if errors.is_empty() {
        return expand::expand(&input, &model);
    }
    let errors = errors.into_compile_errors();
    // A missing impl would be reported at every use of the type, far from the mistake. A union cannot be an error
    // in the first place, and without the path to `toolkit` nothing can be named.
    let stub = match (&input.data, &model.root) {
        (Data::Union(_), _) | (_, None) => TokenStream::new(),
        (_, Some(root)) => expand::stub(&input, root),
    };
    quote::quote!(#errors #stub)
}

#[cfg(test)]
mod tests;
