//! A checked tool as tokens: one constant of data, and the function that reads the arguments and makes an attempt.
//!
//! Whatever does not depend on the user's tokens lives in the runtime crate. Own names begin with two underscores, so
//! that no type or function of the user's is shadowed, and are never spanned at the user's code, where the hygiene of a
//! surrounding `macro_rules!` would hide them.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, ReturnType};

use crate::attr::{self, Bound, Default, bare};
use crate::item::{Impl, allowed, conditions};
use crate::model::{Owner, Tool};
use crate::signature::{Argument, Parameter, Source, names_no_type, with_self};
use crate::span::{Ends, parenthesized};

pub(crate) fn expand(tool: &Tool) -> TokenStream {
    let handle = handle(tool);
    let definition = definition(tool);
    let Tool { private, conditions, allowed, .. } = tool;
    let ident = &tool.handle;
    quote! {
        #handle
        #(#conditions)*
        #(#allowed)*
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
pub(crate) fn expand_all(private: &TokenStream, block: &Impl, tools: &[Tool]) -> TokenStream {
    let definitions = tools.iter().map(|tool| {
        let Tool { conditions, allowed, .. } = tool;
        let definition = definition(tool);
        quote!(#(#conditions)* #(#allowed)* #definition)
    });
    // The author's own `impl`, so that a second block for the type is underlined from there to the type.
    let Impl { attributes, keyword, self_type, .. } = block;
    let (conditions, allowed) = (conditions(attributes), allowed(attributes));
    let mut body = Group::new(
        Delimiter::Brace,
        quote!(const TOOLS: &'static [&'static #private::Definition] = &[#(#definitions),*];),
    );
    body.set_span(Ends::of(self_type).last);
    quote! {
        #(#conditions)*
        #(#allowed)*
        #[automatically_derived]
        #keyword #private::Service for #self_type #body
    }
}

/// The type that names the tool. It stands in the type namespace, so that the function keeps its own name.
///
/// What a lint could have against it is avoided rather than allowed, since what a crate forbids cannot be allowed: the
/// name of a `repr(C)` type may be of any case, as C's are. The two that are allowed would ask for code.
fn handle(tool: &Tool) -> TokenStream {
    let Tool { conditions, docs, visibility, handle, description, .. } = tool;
    let docs = if docs.is_empty() { quote!(#[doc = #description]) } else { quote!(#(#docs)*) };
    quote! {
        #(#conditions)*
        #docs
        #[allow(missing_debug_implementations, missing_copy_implementations)]
        #[non_exhaustive]
        #[repr(C)]
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
            Default::Value(value) => literal(value).map_or_else(
                || quote!(#value),
                |text| quote_spanned!(text.span()=> ::core::convert::From::from(#text)),
            ),
        };
        quote!(.default(|| { let __value: #ty = #value; #private::json::<#ty>(&__value) }))
    });
    let example = keys.example.as_ref().map(|value| {
        let (bind, lend) = bound_at(Ends::of(value).last);
        quote!(.example(|| { let #bind = #value; #private::json(#lend) }))
    });
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

/// The literal, where the value is a text.
fn literal(value: &Expr) -> Option<&LitStr> {
    match bare(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

fn span(private: &TokenStream, span: &attr::Span) -> TokenStream {
    let bound = |bound: Option<Bound>| bound.map_or_else(|| quote!(#private::None), |bound| bound.tokens(private));
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
    // Spelt out: the calls of a `take()?` would be a fifth of this function's code.
    let taken = filled(tool).map(|(conditions, _, slot)| {
        quote!(#(#conditions)* let #private::Some(#slot) = #slot.value else { return #private::missing() };)
    });
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
    let call = if let Some(Owner { ty, .. }) = owner {
        quote_spanned!(function.span()=> <#ty>::#function #arguments)
    } else {
        // Named as a value, and so not in place of a call: its being async may be needed although it waits for nothing.
        quote_spanned!(function.span()=> { #function } #arguments)
    };
    let attempt = if tool.is_async {
        // What the compiler cannot prove of the whole future is shown with the function's name.
        let place = Span::call_site().located_at(function.span());
        let arguments = parenthesized(place, quote!(__cx, #call, |__returned, __cx| #finish));
        quote!(#private::run #arguments)
    } else {
        quote!(#private::run_blocking(__cx, move |__cx| { let __returned = #call; #finish }))
    };
    quote! {
        fn __start<'__cx>(
            __cx: &'__cx #private::ToolContext,
            __text: &::core::primitive::str,
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
    let probe = parenthesized(ends.first, quote!(&&&&&&&&#private::Probe::of(&__returned)));
    let nothing = parenthesized(ends.last, TokenStream::new());
    let kind = quote!(#probe.__tag #nothing);
    // Nothing but the names of the traits may come into scope where the author's path is read.
    let Some(check) = &tool.keys.check else {
        return quote!({ use #private::tags::by::*; #private::finish(#kind, __returned, __cx) });
    };
    // The argument stands at the path, which is what a check of another type has to change.
    let at = Ends::of(check).last;
    let (bind, lend) = bound_at(at);
    let argument = parenthesized(at, lend);
    quote! {{
        use #private::tags::by::*;
        let #bind = #private::split(#kind, __returned, __cx)?;
        #private::fit(#check #argument)?;
        #private::written(#bind)
    }}
}

/// The name of a value, and a borrow of it that is underlined there. Both stand at one place, for a `macro_rules!` around
/// them takes names of different places for different ones.
fn bound_at(place: Span) -> (TokenStream, TokenStream) {
    (quote_spanned!(place=> __value), quote_spanned!(place=> &__value))
}

/// The schema of what the tool returns, where the type of it has one.
fn output_schema(tool: &Tool) -> Option<TokenStream> {
    let private = &tool.private;
    let ReturnType::Type(_, ty) = &tool.output else { return None };
    let ty = match &tool.owner {
        Some(owner) => with_self(&**ty, &owner.ty),
        None => (**ty).clone(),
    };
    // The type of `impl Trait` has no name to ask by.
    if names_no_type(&ty) {
        return None;
    }
    // A function, and no closure, which would be compiled twice: once more for its pointer.
    Some(quote! {
        output_schema: {
            fn __shape() -> #private::Shape {
                let __returns = #private::Returns::<#ty>::new();
                { use #private::shapes::*; (&&&&__returns).__shape() }
            }
            __shape
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
        quote!(timeout: #private::millis(#millis),)
    });
    let max_output = keys.max_output.map(|count| quote!(max_output: #private::Some(#count),));
    let budget = keys.budget.as_ref().map(|name| quote!(budget: #private::Some(#name),));
    let roles = Some(&keys.roles).filter(|roles| !roles.is_empty()).map(|roles| quote!(roles: &[#(#roles),*],));
    let sequential = keys.sequential.then(|| quote!(sequential: true,));
    let output_schema = output_schema(tool);
    let blocking = (!tool.is_async).then(|| quote!(blocking: true,));
    // With the function's span, for the tools of one block stand on lines of their own.
    let place = quote_spanned!(tool.function.span()=> ::core::line!(), ::core::column!());
    quote! {{
        #(#constants)*
        const __PARAMS: &[#private::Param] = &[#(#params),*];
        #start
        &#private::Definition {
            #max_retries
            #idempotent
            #timeout
            #max_output
            #budget
            #roles
            #sequential
            #blocking
            params: __PARAMS,
            states: &[#(#states),*],
            start: __start,
            #output_schema
            ..#private::Definition::new(
                #name,
                #description,
                #private::Category::#category,
                (::core::module_path!(), ::core::file!(), #place),
            )
        }
    }}
}
