//! The arguments of a tool: which the model fills, which the host lends, and what cannot be either.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, FnArg, GenericParam, Pat, PatType, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type};

use crate::attr::ArgKeys;
use crate::docs::{Docs, is_doc};
use crate::errors::Errors;
use crate::item::conditions;

/// One argument of the function.
pub(crate) struct Argument {
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) source: Source,
}

/// Where the value of an argument comes from.
pub(crate) enum Source {
    /// The model's JSON.
    Model(Box<Parameter>),
    /// A value of the host's, lent for the call.
    State(Type),
    /// The context of the call; that the type is one is the compiler's to check.
    Context(Type),
}

/// An argument that the model fills.
pub(crate) struct Parameter {
    /// The key in the model's JSON.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) keys: ArgKeys,
}

/// Reads the arguments and takes off their attributes that are meant for us. `owner` is the type of the impl block that
/// the function stands in, and what `Self` means in it.
pub(crate) fn read(signature: &mut Signature, owner: Option<&Type>, errors: &mut Errors) -> Vec<Argument> {
    refuse_qualifiers(signature, errors);
    let mut arguments: Vec<Argument> = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) if owner.is_some() => refuse_receiver(receiver, errors),
            FnArg::Receiver(receiver) => {
                errors.push_help(
                    &*receiver,
                    "a tool that takes `self` needs `#[tools]` on its impl block",
                    "write `#[tools]` above `impl`",
                );
            }
            FnArg::Typed(typed) => arguments.extend(read_one(typed, owner, errors)),
        }
    }
    let mut names: Vec<(&str, &Argument)> = Vec::new();
    for argument in arguments.iter().filter(|argument| argument.conditions.is_empty()) {
        if let Source::Model(parameter) = &argument.source {
            if let (Some(_), Some(rename)) =
                (names.iter().find(|(name, _)| *name == parameter.name), &parameter.keys.rename)
            {
                errors.push(rename, format_args!("two arguments are called `{}`", parameter.name));
            }
            names.push((&parameter.name, argument));
        }
    }
    arguments
}

fn refuse_qualifiers(signature: &Signature, errors: &mut Errors) {
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            errors.push(
                parameter,
                "a tool cannot be generic: its schema is exported once, so every argument needs one concrete type",
            );
        }
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.push(token, "a tool cannot be `unsafe`: the model calls it, and cannot uphold its conditions");
    }
    if let Some(abi) = &signature.abi {
        errors.push(abi, "a tool is a Rust function: leave out `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.push(variadic, "a tool takes a fixed number of arguments");
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && let Type::ImplTrait(_) = ungrouped(ty)
    {
        errors.push_help(
            ty,
            "a tool needs one concrete return type, because its result is sent to the model",
            "write the type, or make the function `async`",
        );
    }
}

/// A tool borrows its service, which every call shares.
fn refuse_receiver(receiver: &Receiver, errors: &mut Errors) {
    if !matches!(receiver.kind, ReceiverKind::Reference(_, _, None)) {
        errors.push_help(
            receiver,
            "a tool takes `&self`, because calls run side by side on one service",
            "use a `Mutex` inside for what changes",
        );
    }
}

fn read_one(typed: &mut PatType, owner: Option<&Type>, errors: &mut Errors) -> Option<Argument> {
    let attributes = std::mem::take(&mut typed.attrs);
    let conditions = conditions(&attributes);
    let keys = ArgKeys::parse(&attributes, errors);
    let docs = Docs::of(&attributes);
    let mut is_state = false;
    for attribute in &attributes {
        let path = attribute.path();
        if path.is_ident("state") {
            is_state = true;
        } else if path.is_ident("serde") || path.is_ident("schemars") {
            refuse_foreign(attribute, errors);
        }
    }
    typed.attrs = attributes.into_iter().filter(|attribute| !is_ours(attribute)).collect();

    let written = match owner {
        Some(owner) => with_self(&typed.ty, owner),
        None => (*typed.ty).clone(),
    };
    let ty = ungrouped(&written);
    if let Type::Reference(reference) = ty {
        if let Some(mutability) = &reference.mutability {
            errors.push_help(
                mutability,
                "a tool argument cannot be borrowed mutably: calls run side by side",
                "use a `Mutex` inside the state, or take the value itself",
            );
            return None;
        }
        let target = ungrouped(&reference.elem);
        if is_state {
            return Some(Argument { conditions, source: Source::State(target.clone()) });
        }
        if let Some(owned) = owned_form(target) {
            errors.push_help(
                &typed.ty,
                "a tool argument must own its data, because it is decoded from the model's JSON",
                format_args!("use `{owned}` instead of `{}`", shown(&typed.ty)),
            );
            return None;
        }
        return Some(Argument { conditions, source: Source::Context(target.clone()) });
    }
    if is_state {
        errors.push_help(
            &typed.ty,
            "a `#[state]` is borrowed, because every call uses the same one",
            format_args!("write `&{}`", shown(ty)),
        );
        return None;
    }
    if let Type::ImplTrait(_) = ty {
        errors.push_help(
            &typed.ty,
            "a tool argument needs one concrete type",
            format_args!("use `String` instead of `{}`", shown(&typed.ty)),
        );
        return None;
    }
    if let Some(lifetime) = named_lifetime(ty.to_token_stream()) {
        errors.push(
            &typed.ty,
            format_args!(
                "a tool argument must own its data, because it is decoded from the model's JSON: it cannot carry `{lifetime}`"
            ),
        );
        return None;
    }
    let name = plain_name(&typed.pat, errors)?;
    let name = keys.rename.as_ref().map_or_else(|| name.unraw().to_string(), syn::LitStr::value);
    let parameter = Parameter { name, ty: written, docs, keys };
    Some(Argument { conditions, source: Source::Model(Box::new(parameter)) })
}

fn is_ours(attribute: &Attribute) -> bool {
    let path = attribute.path();
    is_doc(attribute) || ["arg", "state", "serde", "schemars"].iter().any(|name| path.is_ident(name))
}

fn refuse_foreign(attribute: &Attribute, errors: &mut Errors) {
    let text = attribute.meta.to_token_stream().to_string();
    let help = if text.contains("default") {
        "write `#[arg(default)]` or `#[arg(default = …)]`"
    } else if text.contains("rename") {
        "write `#[arg(rename = \"…\")]`"
    } else if text.contains("description") || text.contains("title") {
        "write a `///` comment or `#[arg(description = \"…\")]`"
    } else {
        "the keys are those of `#[arg(…)]`; everything else belongs on the argument's type"
    };
    let name = attribute.path().to_token_stream().to_string();
    errors.push_help(attribute, format_args!("`#[{name}(…)]` has no meaning on the argument of a tool"), help);
}

fn plain_name(pattern: &Pat, errors: &mut Errors) -> Option<Ident> {
    match pattern {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => Some(name.ident.clone()),
        _ => {
            errors.push(
                pattern,
                "a tool argument needs a plain name, because the name is the JSON key that the model sends",
            );
            None
        }
    }
}

/// A type without the invisible parentheses that a `macro_rules!` variable brings along.
pub(crate) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

/// A type in which `Self` is written out, for use outside of the impl block.
pub(crate) fn with_self(ty: &Type, owner: &Type) -> Type {
    fn replace(tokens: TokenStream, owner: &Type) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut written = TokenStream::new();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(ident) if ident == "Self" => {
                    let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                    written.extend(if is_path { quote!(<#owner>) } else { quote!(#owner) });
                }
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), replace(group.stream(), owner));
                    inner.set_span(group.span());
                    written.extend([TokenTree::Group(inner)]);
                }
                other => written.extend([other]),
            }
        }
        written
    }
    if !ty.to_token_stream().to_string().contains("Self") {
        return ty.clone();
    }
    syn::parse2(replace(ty.to_token_stream(), owner)).unwrap_or_else(|_| ty.clone())
}

/// What to write instead of a reference to one of the standard library's borrowed types. Others are the compiler's to
/// judge, since only it knows what a name stands for.
fn owned_form(target: &Type) -> Option<String> {
    match target {
        Type::Slice(slice) => Some(format!("Vec<{}>", shown(&slice.elem))),
        Type::Path(path) if path.path.is_ident("str") => Some("String".to_owned()),
        Type::TraitObject(_) => Some("Box<…>` of a concrete type, or a `#[state]".to_owned()),
        _ => None,
    }
}

/// A type as a person writes it, without the spaces between its tokens.
fn shown(ty: &Type) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, tight) in
        [(" < ", "<"), (" >", ">"), (" :: ", "::"), ("& ", "&"), (" ,", ","), ("[ ", "["), (" ]", "]"), ("' ", "'")]
    {
        text = text.replace(spaced, tight);
    }
    text
}

/// Whether a type holds an `impl Trait` or a named lifetime, so that it cannot be written outside of its signature.
pub(crate) fn names_no_type(ty: &Type) -> bool {
    fn holds_impl(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == "impl",
            TokenTree::Group(group) => holds_impl(group.stream()),
            _ => false,
        })
    }
    holds_impl(ty.to_token_stream()) || named_lifetime(ty.to_token_stream()).is_some()
}

/// A lifetime that is neither `'static` nor `'_`.
fn named_lifetime(tokens: TokenStream) -> Option<String> {
    let mut after_quote = false;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => after_quote = punct.as_char() == '\'',
            TokenTree::Ident(ident) if after_quote && ident != "static" && ident != "_" => {
                return Some(format!("'{ident}"));
            }
            TokenTree::Group(group) => {
                if let Some(found) = named_lifetime(group.stream()) {
                    return Some(found);
                }
                after_quote = false;
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => after_quote = false,
        }
    }
    None
}
