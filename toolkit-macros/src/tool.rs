//! `#[tool]` and `#[tools]`, from tokens to tokens: [`item`](crate::item), then [`attr`](crate::attr) and
//! [`signature`](crate::signature), then [`model`](crate::model), then [`expand`](crate::expand) or
//! [`fallback`](crate::fallback).

#[cfg(test)]
mod tests;

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Path, parse_quote};

use crate::attr::{self, ToolKeys};
use crate::errors::Errors;
use crate::expand::{expand, expand_all};
use crate::fallback;
use crate::item::{Function, Impl, Member};
use crate::manifest;
use crate::model::{Tool, private};
use crate::signature::holds_lifetime;

pub(crate) fn tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors = Errors::default();
    let mut keys = ToolKeys::parse(attribute, &mut errors);
    if !keys.says("crate") {
        keys.root = other_name(&mut errors);
    }
    let beside = match Tool::check(keys, &mut function, None, &mut errors) {
        Ok(tool) => expand(&tool),
        Err(keys) => fallback::expand(&keys, &function),
    };
    let errors = errors.into_compile_errors();
    quote!(#function #beside #errors)
}

/// The name that this crate has for the toolkit, which is then missing in the attribute. The expansion uses it, so that
/// this stays the one mistake.
fn other_name(errors: &mut Errors) -> Option<Path> {
    let name = manifest::other_name()?;
    errors.combine(syn::Error::new(
        Span::call_site(),
        format_args!(
            "this crate calls the toolkit `{name}`, and its macros have to be told\nhelp: add `crate = ::{name}`"
        ),
    ));
    syn::parse_str(&format!("::{name}")).ok()
}

/// A tool may be async because its kind is, with nothing to wait for. Of a free function the expansion says so by naming
/// it as a value; there is no such way for a method.
fn allow_unused_async(function: &mut Function) {
    if function.signature.asyncness.is_some() {
        function.attributes.push(parse_quote!(#[allow(clippy::unused_async)]));
    }
}

/// The tools of an impl block. The block stays as it was written.
pub(crate) fn tools(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut block: Impl = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors = Errors::default();
    let says_crate = !attribute.is_empty();
    let root = attr::root(attribute, &mut errors);
    let root = if says_crate { root } else { other_name(&mut errors) };
    if let Some(path) = &block.of_trait {
        errors.push(path, "`#[tools]` goes on an inherent impl block: a tool is called by its own name");
    }
    if let Some(parameter) = block.generics.params.first() {
        errors.push(
            parameter,
            "the tools of a generic type cannot be registered: their schemas are exported once, for one concrete type",
        );
    }
    let is_borrowed = block.generics.params.is_empty() && holds_lifetime(&block.self_type);
    if is_borrowed {
        errors.push(&block.self_type, "the tools of a borrowed type cannot be registered: its executor may outlive it");
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
    refuse_equal_names(&tools, &mut errors);
    let Impl { attributes, keyword, generics, self_type, of_trait, members } = &block;
    let of_trait = of_trait.as_ref().map(|path| quote!(#path for));
    let (parameters, _, condition) = generics.split_for_impl();
    let service = if errors.is_empty() {
        expand_all(&private(root.as_ref()), &block, &tools)
    } else if of_trait.is_none() && generics.params.is_empty() && !is_borrowed {
        fallback::service(&private(root.as_ref()), &block)
    } else {
        TokenStream::new()
    };
    let errors = errors.into_compile_errors();
    quote! {
        #(#attributes)*
        #keyword #parameters #of_trait #self_type #condition { #(#members)* }
        #service
        #errors
    }
}

/// Two tools of one block with one name, neither of which depends on a condition.
fn refuse_equal_names(tools: &[Tool], errors: &mut Errors) {
    let tools: Vec<&Tool> = tools.iter().filter(|tool| tool.conditions.is_empty()).collect();
    for (index, tool) in tools.iter().enumerate() {
        if tools.iter().take(index).any(|other| other.name == tool.name) {
            let message = format!("two tools of this block are called `{}`", tool.name);
            match &tool.keys.name {
                Some(name) => errors.push(name, message),
                None => errors.push(&tool.function, message),
            }
        }
    }
}
