//! `#[tool]` and `#[tools]`, from tokens to tokens: [`item`](crate::item), then [`attr`](crate::attr) and
//! [`signature`](crate::signature), then [`model`](crate::model), then [`expand`](crate::expand) or
//! [`fallback`](crate::fallback).

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use crate::attr::{self, ToolKeys};
use crate::errors::Errors;
use crate::expand::{expand, expand_all};
use crate::fallback;
use crate::item::{Function, Impl, Member, conditions};
use crate::model::{Tool, private};

pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors = Errors::default();
    let keys = ToolKeys::parse(attribute, &mut errors);
    let beside = match Tool::check(keys, &mut function, None, &mut errors) {
        Ok(tool) => expand(&tool),
        Err(keys) => fallback::expand(&keys, &function),
    };
    allow_unused_async(&mut function);
    let errors = errors.into_compile_errors();
    quote!(#function #beside #errors)
}

/// A tool may be async because its kind is, with nothing to wait for.
fn allow_unused_async(function: &mut Function) {
    if function.signature.asyncness.is_some() {
        function.attributes.push(parse_quote!(#[allow(clippy::unused_async)]));
    }
}

/// The tools of an impl block. The block stays as it was written.
pub(crate) fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut block: Impl = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors = Errors::default();
    let root = attr::root(attribute, &mut errors);
    if let Some(path) = &block.of_trait {
        errors.push(path, "`#[tools]` goes on an inherent impl block: a tool is called by its own name");
    }
    if let Some(parameter) = block.generics.params.first() {
        errors.push(
            parameter,
            "the tools of a generic type cannot be registered: their schemas are exported once, for one concrete type",
        );
    }
    let mut tools = Vec::new();
    for member in &mut block.members {
        let Member::Tool(keys, function) = member else { continue };
        let mut keys = ToolKeys::parse(std::mem::take(keys), &mut errors);
        keys.root = keys.root.or_else(|| root.clone());
        tools.extend(Tool::check(keys, function, Some(&block.self_type), &mut errors));
        allow_unused_async(function);
    }
    if errors.is_empty() && tools.is_empty() {
        errors.push_help(
            &block.self_type,
            "there is no tool in this block",
            "write `#[tool(category = …)]` on a function",
        );
    }
    let Impl { attributes, generics, self_type, of_trait, members } = &block;
    let of_trait = of_trait.as_ref().map(|path| quote!(#path for));
    let (parameters, _, condition) = generics.split_for_impl();
    let service = if errors.is_empty() {
        expand_all(&private(root.as_ref()), &conditions(attributes), self_type, &tools)
    } else if of_trait.is_none() && generics.params.is_empty() {
        fallback::service(&private(root.as_ref()), self_type)
    } else {
        TokenStream::new()
    };
    let errors = errors.into_compile_errors();
    quote! {
        #(#attributes)*
        impl #parameters #of_trait #self_type #condition { #(#members)* }
        #service
        #errors
    }
}
