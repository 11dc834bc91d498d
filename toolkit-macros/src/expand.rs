//! A checked tool as tokens: one constant of data, and the function that reads the arguments and makes an attempt.
//!
//! Whatever does not depend on the user's tokens lives in the runtime crate. Own names begin with two underscores, so
//! that no type or function of the user's is shadowed, and are never spanned at the user's code, where the hygiene of a
//! surrounding `macro_rules!` would hide them.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, ExprLit, Lit, ReturnType, Type};

use crate::attr::{Bound, Default, Span};
use crate::model::{Owner, Tool};
use crate::signature::{Argument, Parameter, Source, names_no_type, with_self};
use crate::span::{Ends, parenthesized};

pub(crate) fn expand(tool: &Tool) -> TokenStream {
    let handle = handle(tool);
    let definition = definition(tool);
    let Tool { private, conditions, .. } = tool;
    let ident = &tool.handle;
    quote! {
        #handle
        #(#conditions)*
        const _: () = {
            #[automatically_derived]
            impl #private::Tool for #ident {
                const DEFINITION: &'static #private::Definition = #definition;
            }
            #private::submit!(#ident);
        };
    }
}

/// The tools of an impl block, as the constant of its type.
pub(crate) fn expand_all(private: &TokenStream, conditions: &[Attribute], ty: &Type, tools: &[Tool]) -> TokenStream {
    let definitions = tools.iter().map(|tool| {
        let conditions = &tool.conditions;
        let definition = definition(tool);
        quote!(#(#conditions)* #definition)
    });
    quote! {
        #(#conditions)*
        #[automatically_derived]
        impl #private::Service for #ty {
            const TOOLS: &'static [&'static #private::Definition] = &[#(#definitions),*];
        }
    }
}

/// The type that names the tool. It stands in the type namespace, so that the function keeps its own name.
pub(crate) fn handle(tool: &Tool) -> TokenStream {
    let Tool { conditions, docs, visibility, handle, .. } = tool;
    quote! {
        #(#conditions)*
        #(#docs)*
        #[allow(non_camel_case_types, dead_code, clippy::all, clippy::pedantic, clippy::restriction)]
        #visibility struct #handle {}
    }
}

/// The constant of one argument: the only place that binds the user's type.
fn constant(private: &TokenStream, index: usize, argument: &Argument) -> Option<TokenStream> {
    let Source::Model(parameter) = &argument.source else { return None };
    let Parameter { name, ty, docs, keys } = &**parameter;
    let conditions = &argument.conditions;
    let ident = format_ident!("__A{index}");
    let text = match &keys.description {
        Some(text) => quote!(#text),
        None => docs.expression(),
    };
    let default = keys.default.as_ref().map(|default| {
        let value = match default {
            Default::OfType(span) => quote_spanned!(*span=> ::core::default::Default::default()),
            Default::Value(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
                quote_spanned!(text.span()=> ::core::convert::From::from(#text))
            }
            Default::Value(value) => quote!(#value),
        };
        quote!(.default(|| { let __value: #ty = #value; #private::json::<#ty>(&__value) }))
    });
    let example = keys.example.as_ref().map(|value| quote!(.example(|| #private::json(&#value))));
    let secret = keys.secret.then(|| quote!(.secret()));
    let mut arg = quote!(#private::arg::<#ty>(#name, #text) #default #example #secret);
    if let Some(range) = &keys.range {
        let range = span(private, range);
        arg = quote!(#private::range::<#ty>(#arg, #range));
    }
    if let Some(length) = &keys.length {
        let length = span(private, length);
        arg = quote!(#private::length::<#ty>(#arg, #length));
    }
    if let Some(pattern) = &keys.pattern {
        arg = quote!(#private::pattern::<#ty>(#arg, || {
            static __PATTERN: #private::Pattern = #private::Pattern::new(#pattern);
            &__PATTERN
        }));
    }
    Some(quote! {
        #(#conditions)*
        const #ident: &#private::Arg<#ty> = &#arg;
    })
}

fn span(private: &TokenStream, span: &Span) -> TokenStream {
    let bound = |bound: Option<Bound>| match bound {
        Some(bound) => {
            let bound = bound.tokens(private);
            quote!(#private::Some(#bound))
        }
        None => quote!(#private::None),
    };
    let (least, most, exclusive) = (bound(span.least), bound(span.most), span.exclusive);
    quote!(#private::Span { least: #least, most: #most, exclusive: #exclusive })
}

/// The arguments that the model fills, in order, with what decides whether they are there.
fn filled(tool: &Tool) -> impl Iterator<Item = (&[Attribute], Ident, Ident)> {
    tool.arguments.iter().enumerate().filter_map(|(index, argument)| match &argument.source {
        Source::Model(_) => {
            Some((argument.conditions.as_slice(), format_ident!("__A{index}"), format_ident!("__a{index}")))
        }
        Source::State(_) | Source::Context(_) => None,
    })
}

/// Decodes the text into slots and calls the function, which runs nothing yet: an async one when it is polled, any other
/// one on a thread where it may block.
fn start(tool: &Tool) -> TokenStream {
    let Tool { private, function, owner, .. } = tool;
    let slots =
        filled(tool).map(|(conditions, constant, slot)| quote!(#(#conditions)* let mut #slot = #constant.slot();));
    let borrowed = filled(tool).map(|(conditions, _, slot)| quote!(#(#conditions)* &mut #slot));
    let taken = filled(tool).map(|(conditions, _, slot)| quote!(#(#conditions)* let #slot = #slot.take()?;));
    let arguments = tool.arguments.iter().enumerate().map(|(index, argument)| {
        let conditions = &argument.conditions;
        let value = match &argument.source {
            Source::Model(_) => format_ident!("__a{index}").into_token_stream(),
            Source::State(ty) => quote!(#private::state::<#ty>(__cx)?),
            Source::Context(ty) => quote!(#private::context::<#ty>(__cx)),
        };
        quote!(#(#conditions)* #value)
    });
    let finish = finish(tool);
    let service = owner.as_ref().filter(|owner| owner.takes_self).map(|owner| {
        let ty = &owner.ty;
        quote!(#private::state::<#ty>(__cx)?,)
    });
    let arguments = parenthesized(function.span(), quote!(#service #(#arguments),*));
    let call = match owner {
        Some(Owner { ty, .. }) => quote!(<#ty>::#function #arguments),
        None => quote!(#function #arguments),
    };
    let attempt = if tool.is_async {
        quote!(#private::run(__cx, #call, |__returned, __cx| #finish))
    } else {
        quote!(#private::run_blocking(__cx, move |__cx| { let __returned = #call; #finish }))
    };
    quote! {
        fn __start<'__cx>(
            __cx: &'__cx #private::ToolContext,
            __text: &str,
        ) -> #private::Result<#private::ToolFuture<'__cx>, #private::Bad> {
            #(#slots)*
            #private::decode(__cx, __text, __PARAMS, &mut [#(#borrowed),*])?;
            #(#taken)*
            #private::Ok(#attempt)
        }
    }
}

/// Turns what the function returned into an output or an error, by the kind of its type. The tokens stand at the return
/// type, so that a type that cannot be returned is underlined there.
fn finish(tool: &Tool) -> TokenStream {
    let private = &tool.private;
    let ends = match &tool.output {
        ReturnType::Type(_, ty) => Ends::of(ty),
        ReturnType::Default => Ends::of(&tool.function),
    };
    let probe = parenthesized(ends.first, quote!(&&&&&&&#private::Probe::of(&__returned)));
    let nothing = parenthesized(ends.last, TokenStream::new());
    let kind = quote!(#probe.tag #nothing);
    let call = match &tool.keys.check {
        Some(check) => quote!(#private::finish_checked(#kind, __returned, __cx, |__value| #check(__value))),
        None => quote!(#private::finish(#kind, __returned, __cx)),
    };
    quote! {{
        #[allow(unused_imports)]
        use #private::tags::*;
        #call
    }}
}

/// The schema of what the tool returns, where the type of it has one.
fn output_schema(tool: &Tool) -> Option<TokenStream> {
    let private = &tool.private;
    let ReturnType::Type(_, ty) = &tool.output else { return None };
    let ty = match &tool.owner {
        Some(owner) => with_self(ty, &owner.ty),
        None => (**ty).clone(),
    };
    // The type of `impl Trait` has no name to ask by.
    if names_no_type(&ty) {
        return None;
    }
    Some(quote! {
        output_schema: || {
            #[allow(unused_imports)]
            use #private::shapes::*;
            (&&&&#private::Returns::<#ty>::new()).shape()
        },
    })
}

/// The constant, with what it refers to. Fields that have their usual value are left to `Definition::new`.
fn definition(tool: &Tool) -> TokenStream {
    let Tool { private, name, description, category, keys, .. } = tool;
    let constants =
        tool.arguments.iter().enumerate().filter_map(|(index, argument)| constant(private, index, argument));
    let params = filled(tool).map(|(conditions, constant, _)| quote!(#(#conditions)* #constant.param));
    let start = start(tool);
    let service = tool.owner.iter().filter(|owner| owner.takes_self).map(|owner| {
        let ty = &owner.ty;
        quote!(#private::StateType::of::<#ty>())
    });
    let states = tool.arguments.iter().filter_map(|argument| match &argument.source {
        Source::State(ty) => {
            let conditions = &argument.conditions;
            Some(quote!(#(#conditions)* #private::StateType::of::<#ty>()))
        }
        Source::Model(_) | Source::Context(_) => None,
    });
    let states = service.chain(states);
    let max_retries = keys.max_retries.map(|number| quote!(max_retries: #number,));
    let idempotent = keys.idempotent.map(|flag| quote!(idempotent: #private::Some(#flag),));
    let timeout = keys.timeout.map(|timeout| {
        let millis = timeout.millis;
        quote!(timeout: #private::Some(#private::Duration::from_millis(#millis)),)
    });
    let max_output = keys.max_output.map(|count| quote!(max_output: #private::Some(#count),));
    let output_schema = output_schema(tool);
    let blocking = (!tool.is_async).then(|| quote!(blocking: true,));
    quote! {{
        #(#constants)*
        const __PARAMS: &[#private::Param] = &[#(#params),*];
        #start
        &#private::Definition {
            #max_retries
            #idempotent
            #timeout
            #max_output
            #blocking
            params: __PARAMS,
            states: &[#(#states),*],
            start: __start,
            #output_schema
            ..#private::Definition::new(
                #name,
                #description,
                #private::Category::#category,
                #private::Location::new(::core::module_path!(), ::core::file!(), ::core::line!()),
            )
        }
    }}
}
