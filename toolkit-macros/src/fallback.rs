//! What is left of a tool with mistakes: the function, and a type of its name, so that code which uses either does not
//! bring up a second error.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::attr::ToolKeys;
use crate::item::{Function, conditions};
use crate::model::private;

pub(crate) fn expand(keys: &ToolKeys, function: &Function) -> TokenStream {
    // A method stands where no type can stand beside it.
    if function.signature.receiver().is_some() {
        return TokenStream::new();
    }
    let conditions = conditions(&function.attributes);
    let visibility = &function.visibility;
    let handle = keys.handle.as_ref().unwrap_or(&function.signature.ident);
    let private = private(keys.root.as_ref());
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #visibility struct #handle {}

        #(#conditions)*
        impl #private::Tool for #handle {
            const DEFINITION: &'static #private::Definition = &#private::Definition::new(
                "",
                "",
                #private::Category::Read,
                #private::Location::new("", "", 0),
            );
        }
    }
}

/// A type whose tools have mistakes can still be registered, so that doing so is no second error.
pub(crate) fn service(private: &TokenStream, ty: &Type) -> TokenStream {
    quote! {
        impl #private::Service for #ty {
            const TOOLS: &'static [&'static #private::Definition] = &[];
        }
    }
}
