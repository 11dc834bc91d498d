//! The arguments of a tool: which the model fills, which the host lends, and what cannot be either.

mod types;

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{
    Attribute, FnArg, GenericParam, Pat, PatType, Receiver, ReceiverKind, ReturnType, Safety, Signature, Type,
    TypeReference,
};

use self::types::{
    concrete_form, holds_impl, holds_reference, named_lifetime, owned_form, shown, sized_form, ungrouped,
};
pub(crate) use self::types::{holds_lifetime, names_no_type, says_self, with_self};
use crate::attr::{ArgKeys, Default};
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
    if let (None, ReturnType::Type(_, ty)) = (owner, &signature.output)
        && says_self(ty.to_token_stream())
    {
        errors.push_help(ty, OF_A_BLOCK, "write `#[tools]` above `impl`");
    }
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
    let ReturnType::Type(_, ty) = &signature.output else { return };
    match ungrouped(ty) {
        Type::ImplTrait(_) => errors.push_help(
            ty,
            "a tool needs one concrete return type, because its result is sent to the model",
            "write the type, or make the function `async`",
        ),
        Type::Never(_) => errors.push_help(
            ty,
            "a tool that never returns leaves the model without a result",
            "let it return a value, or nothing",
        ),
        _ => {}
    }
}

/// A tool borrows its service, which every call shares.
fn refuse_receiver(receiver: &Receiver, errors: &mut Errors) {
    let help = match receiver.kind {
        ReceiverKind::Reference(_, _, None) => return,
        ReceiverKind::Reference(_, _, Some(_)) => "use a `Mutex` inside for what changes",
        _ => "write `&self`",
    };
    errors.push_help(receiver, "a tool takes `&self`, because calls run side by side on one service", help);
}

fn read_one(typed: &mut PatType, owner: Option<&Type>, errors: &mut Errors) -> Option<Argument> {
    let attributes = std::mem::take(&mut typed.attrs);
    let conditions = conditions(&attributes);
    let mut keys = ArgKeys::parse(&attributes, errors);
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
    if owner.is_none() && says_self(typed.ty.to_token_stream()) {
        errors.push_help(&typed.ty, OF_A_BLOCK, "write `#[tools]` above `impl`");
        typed.attrs = attributes.into_iter().filter(|attribute| !is_ours(attribute)).collect();
        return None;
    }
    let written = match owner {
        Some(owner) => with_self(&*typed.ty, owner),
        None => (*typed.ty).clone(),
    };
    let source = match ungrouped(&written) {
        Type::Reference(reference) => {
            if let Some(attribute) = attributes.iter().find(|attribute| attribute.path().is_ident("arg")) {
                errors.push(attribute, "`#[arg(…)]` has no meaning here: it is not the model that gives this argument");
            }
            borrowed(reference, is_state, typed, errors)
        }
        ty if is_state => {
            errors.push_help(
                &typed.ty,
                "a `#[state]` is borrowed, because every call uses the same one",
                format_args!("write `&{}`", shown(ty)),
            );
            None
        }
        ty => owned(ty, typed, errors).map(|name| {
            let name = keys.rename.as_ref().map_or_else(|| name.unraw().to_string(), syn::LitStr::value);
            if let Some(owner) = owner {
                if let Some(Default::Value(value)) = &mut keys.default {
                    *value = with_self(value, owner);
                }
                keys.example = keys.example.as_ref().map(|value| with_self(value, owner));
            }
            Source::Model(Box::new(Parameter { name, ty: written.clone(), docs, keys }))
        }),
    };
    typed.attrs = attributes.into_iter().filter(|attribute| !is_ours(attribute)).collect();
    Some(Argument { conditions, source: source? })
}

/// A reference: to a value of the host's, or to the context.
fn borrowed(reference: &TypeReference, is_state: bool, typed: &PatType, errors: &mut Errors) -> Option<Source> {
    if reference.mutability.is_some() {
        errors.push_help(
            &typed.ty,
            "a tool argument cannot be borrowed mutably: calls run side by side",
            "use a `Mutex` inside the state, or take the value itself",
        );
        return None;
    }
    let target = ungrouped(&reference.elem);
    if is_state {
        if let Some(help) = sized_form(target) {
            errors.push_help(&typed.ty, "a `#[state]` is found by its type, so it needs one concrete type", help);
            return None;
        }
        if let Some(lifetime) = named_lifetime(target.to_token_stream()) {
            errors.push(
                &typed.ty,
                format_args!("a `#[state]` lives as long as its executor: its type cannot carry `{lifetime}`"),
            );
            return None;
        }
        return Some(Source::State(target.clone()));
    }
    if let Some(owned) = owned_form(target) {
        errors.push_help(&typed.ty, OWNED, format_args!("use `{owned}` instead of `{}`", shown(&typed.ty)));
        return None;
    }
    Some(Source::Context(target.clone()))
}

/// Where `Self` means something, no type can stand beside a function.
const OF_A_BLOCK: &str = "a tool in an impl block needs `#[tools]` on the block";

const OWNED: &str = "a tool argument must own its data, because it is decoded from the model's JSON";

/// The name of an argument that the model fills, where its type can be one.
fn owned(ty: &Type, typed: &PatType, errors: &mut Errors) -> Option<Ident> {
    if holds_impl(ty.to_token_stream()) {
        let message = "a tool argument needs one concrete type";
        match concrete_form(ty) {
            Some(concrete) => {
                let help = format_args!("use `{concrete}` instead of `{}`", shown(&typed.ty));
                errors.push_help(&typed.ty, message, help);
            }
            None => errors.push_help(&typed.ty, message, "write out the type that is meant"),
        }
        return None;
    }
    if let Some(lifetime) = named_lifetime(ty.to_token_stream()) {
        errors.push(&typed.ty, format_args!("{OWNED}: it cannot carry `{lifetime}`"));
        return None;
    }
    if holds_reference(ty.to_token_stream()) {
        let written = shown(ty);
        let owned = written.replace("&'static ", "&").replace("&str", "String");
        if owned.contains('&') {
            errors.push(&typed.ty, format_args!("{OWNED}: it cannot hold a reference"));
        } else {
            errors.push_help(&typed.ty, OWNED, format_args!("use `{owned}` instead of `{written}`"));
        }
        return None;
    }
    plain_name(&typed.pat, errors)
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
