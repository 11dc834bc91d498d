//! What is left of a tool with mistakes: the function, and a type of its name, so that code which uses either does not
//! bring up a second error.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};

use crate::attr::ToolKeys;
use crate::item::{Function, Impl, conditions};
use crate::model::private;
use crate::signature::says_self;

pub(crate) fn expand(keys: &ToolKeys, function: &Function) -> TokenStream {
    // What is in an impl block stands where no type can stand beside it.
    if function.signature.receiver().is_some() || says_self(function.signature.to_token_stream()) {
        return TokenStream::new();
    }
    let conditions = conditions(&function.attributes);
    let visibility = &function.visibility;
    let handle = keys.handle.as_ref().unwrap_or(&function.signature.ident);
    let private = private(keys.root.as_ref());
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[repr(C)]
        #visibility struct #handle {}

        #(#conditions)*
        impl #private::Tool for #handle {
            const DEFINITION: &'static #private::Definition = &#private::Definition::new(
                "",
                "",
                #private::Category::Read,
                ("", "", 0, 0),
            );
        }
    }
}

/// A type whose tools have mistakes can still be registered, so that doing so is no second error.
pub(crate) fn service(private: &TokenStream, block: &Impl) -> TokenStream {
    let conditions = conditions(&block.attributes);
    let ty = &block.self_type;
    quote! {
        #(#conditions)*
        impl #private::Service for #ty {
            const TOOLS: &'static [&'static #private::Definition] = &[];
        }
    }
}
