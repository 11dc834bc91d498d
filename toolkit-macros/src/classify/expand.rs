//! The impl. Whatever does not depend on the user's tokens is a call into the runtime crate.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{DeriveInput, GenericParam, Member, Type, WhereClause};

use super::message::Message;
use super::model::{Case, Model, Verdict, binding};

/// The impl of a sound type, and its place among the known ones.
pub(super) fn expand(input: &DeriveInput, model: &Model<'_>) -> TokenStream {
    let Some(root) = &model.root else { return TokenStream::new() };
    let p = quote!(#root::__private);
    let ident = &input.ident;
    let (impl_generics, ty_generics, _) = input.generics.split_for_impl();
    let where_clause = where_clause(input, model, &p);
    let classify = classify(model, &p);
    let delegate = delegate(model, &p);
    // A generic type is many types, and none of them is known here.
    let known = input.generics.params.is_empty().then(|| quote!(#p::known! { #ident }));
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Classify for #ident #ty_generics #where_clause {
            fn classify(&self) -> #p::Classification {
                #classify
            }
            #delegate
        }
        #known
    }
}

/// An impl that is never run, beside the errors that say why.
pub(super) fn stub(input: &DeriveInput, root: &TokenStream) -> TokenStream {
    let p = quote!(#root::__private);
    let ident = &input.ident;
    let (impl_generics, ty_generics, _) = input.generics.split_for_impl();
    let where_clause = where_clause(input, &Model { root: None, cases: Vec::new() }, &p);
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Classify for #ident #ty_generics #where_clause {
            fn classify(&self) -> #p::Classification {
                #p::Classification::new(#p::ErrorClass::Unknown)
            }
        }
    }
}

/// A generic type is an error under the bounds of its own `Error` impl, which another derive may have inferred.
fn where_clause(input: &DeriveInput, model: &Model<'_>, p: &TokenStream) -> Option<WhereClause> {
    let mut clause = input.generics.where_clause.clone();
    if input.generics.params.is_empty() {
        return clause;
    }
    let clause_mut = clause.get_or_insert_with(|| WhereClause {
        where_token: <syn::Token![where]>::default(),
        predicates: syn::punctuated::Punctuated::new(),
    });
    clause_mut.predicates.push(syn::parse_quote!(Self: #p::Error + 'static));
    for case in &model.cases {
        let Verdict::Delegate(index) = case.options.verdict else { continue };
        if let Some(param) = case.fields.ty(index).and_then(|ty| as_param(ty, input)) {
            clause_mut.predicates.push(syn::parse_quote!(#param: #p::Error + 'static));
        }
    }
    clause
}

/// The type parameter that a type is.
fn as_param<'a>(ty: &'a Type, input: &DeriveInput) -> Option<&'a Ident> {
    match ty {
        Type::Group(group) => as_param(&group.elem, input),
        Type::Path(path) if path.qself.is_none() => path.path.get_ident().filter(|ident| {
            input
                .generics
                .params
                .iter()
                .any(|param| matches!(param, GenericParam::Type(param) if param.ident == **ident))
        }),
        _ => None,
    }
}

fn classify(model: &Model<'_>, p: &TokenStream) -> TokenStream {
    if model.cases.is_empty() {
        return quote!(match *self {});
    }
    let arms = model.cases.iter().map(|case| {
        let pattern = pattern(case, used(case));
        let verdict = verdict(case, p);
        quote!(#pattern => #verdict,)
    });
    quote!(match self { #(#arms)* })
}

fn verdict(case: &Case<'_>, p: &TokenStream) -> TokenStream {
    let options = &case.options;
    let wait = options.wait.as_ref().map(|wait| {
        let (reader, ty, field) =
            (Ident::new(wait.reader, Span::call_site()), case.fields.ty(wait.field), binding(wait.field));
        quote!(#p::#reader::<#ty>(#field))
    });
    let mut out = match options.verdict {
        Verdict::Class(class) => {
            let class = Ident::new(class, Span::call_site());
            let wait = wait.map(|wait| quote!(.retry_after(#wait)));
            quote!(#p::Classification::new(#p::ErrorClass::#class) #wait)
        }
        Verdict::Delegate(index) => {
            let (inner, method) = (inner(case, index, p), if wait.is_some() { "verdict_after" } else { "verdict" });
            let method = format_ident!("{method}");
            quote!(#inner.#method(#wait))
        }
    };
    if options.no_effect {
        out.extend(quote!(.no_effect()));
    }
    if options.hidden {
        out.extend(quote!(.hidden()));
    }
    if let Some(message) = &options.message {
        let message = text(message, p);
        out.extend(quote!(.message(#message)));
    }
    for (key, index) in &options.details {
        let (ty, field) = (case.fields.ty(*index), binding(*index));
        out.extend(quote!(.detail(#key, #p::detail::<#ty>(#field))));
    }
    out
}

fn text(message: &Message, p: &TokenStream) -> TokenStream {
    match message {
        Message::Fixed(text) => text.to_token_stream(),
        Message::Format { text, fields } => {
            let names = fields.iter().map(|index| binding(*index));
            let values = fields.iter().map(|index| binding(*index));
            let format = quote!(#p::format!(#text, #(#names = *#values),*));
            // A field that cannot be formatted is reported at the text that asks for it.
            located_at(format, text.span())
        }
    }
}

/// The same tokens, resolved as before, at another place.
fn located_at(tokens: TokenStream, place: Span) -> TokenStream {
    let relocate = |mut token: TokenTree| {
        let span = token.span().located_at(place);
        if let TokenTree::Group(group) = &token {
            let delimiter = group.delimiter();
            token = TokenTree::Group(Group::new(delimiter, located_at(group.stream(), place)));
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(relocate).collect()
}

fn delegate(model: &Model<'_>, p: &TokenStream) -> Option<TokenStream> {
    let arms: Vec<TokenStream> = model
        .cases
        .iter()
        .filter_map(|case| {
            let Verdict::Delegate(index) = case.options.verdict else { return None };
            let pattern = pattern(case, vec![index]);
            let inner = inner(case, index, p);
            Some(quote!(#pattern => #inner.delegate(),))
        })
        .collect();
    if arms.is_empty() {
        return None;
    }
    let rest = (arms.len() < model.cases.len()).then(|| quote!(_ => #p::None,));
    Some(quote! {
        fn delegate(&self) -> #p::Option<&(dyn #p::Error + 'static)> {
            match self { #(#arms)* #rest }
        }
    })
}

fn inner(case: &Case<'_>, index: usize, p: &TokenStream) -> TokenStream {
    let (ty, field) = (case.fields.ty(index), binding(index));
    quote!(#p::inner!(#ty, #field))
}

/// The fields that the verdict reads.
fn used(case: &Case<'_>) -> Vec<usize> {
    let options = &case.options;
    let mut used = Vec::new();
    if let Verdict::Delegate(index) = options.verdict {
        used.push(index);
    }
    used.extend(options.wait.as_ref().map(|wait| wait.field));
    if let Some(Message::Format { fields, .. }) = &options.message {
        used.extend(fields);
    }
    used.extend(options.details.iter().map(|(_, index)| *index));
    used.sort_unstable();
    used.dedup();
    used
}

fn pattern(case: &Case<'_>, fields: Vec<usize>) -> TokenStream {
    let bound = fields.into_iter().map(|index| {
        let member = match case.fields.get(index).and_then(|field| field.ident.clone()) {
            Some(name) => Member::Named(name),
            None => Member::Unnamed(index.into()),
        };
        let name = binding(index);
        quote!(#member: #name,)
    });
    let variant = case.variant.map(|variant| quote!(::#variant));
    quote!(Self #variant { #(#bound)* .. })
}
