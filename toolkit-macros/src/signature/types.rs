//! Types as their tokens: what can be said of one without knowing what its names stand for.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parse;
use syn::{GenericArgument, PathArguments, Type, TypeParamBound};

use crate::span::located_at;

/// A type without the invisible parentheses that a `macro_rules!` variable brings along.
pub(super) fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

/// A type or an expression in which `Self` is written out, for use outside of the impl block.
pub(crate) fn with_self<T: Parse + ToTokens + Clone>(ty: &T, owner: &Type) -> T {
    fn replace(tokens: TokenStream, owner: &Type) -> TokenStream {
        let mut tokens = tokens.into_iter().peekable();
        let mut written = TokenStream::new();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(ident) if ident == "Self" => {
                    let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                    let owner = located_at(owner.to_token_stream(), ident.span());
                    written.extend(if is_path { quote!(<#owner>) } else { owner });
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
    if !says_self(ty.to_token_stream()) {
        return ty.clone();
    }
    syn::parse2(replace(ty.to_token_stream(), owner)).unwrap_or_else(|_| ty.clone())
}

/// Whether a type is bound to a lifetime, written or not, that is not `'static`.
pub(crate) fn holds_lifetime(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string();
    named_lifetime(ty.to_token_stream()).is_some() || text.contains("'_") || holds_reference(ty.to_token_stream())
}

pub(crate) fn says_self(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => says_self(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// What to write instead of a reference to one of the standard library's borrowed types. Others are the compiler's to
/// judge, since only it knows what a name stands for.
pub(super) fn owned_form(target: &Type) -> Option<String> {
    match target {
        Type::Slice(slice) => Some(format!("Vec<{}>", shown(&slice.elem))),
        Type::Path(path) if path.path.is_ident("str") => Some("String".to_owned()),
        Type::TraitObject(_) => Some("Box<…>` of a concrete type, or a `#[state]".to_owned()),
        _ => None,
    }
}

/// A type as a person writes it, without the spaces between its tokens.
pub(super) fn shown(ty: &impl ToTokens) -> String {
    let mut text = ty.to_token_stream().to_string();
    for (spaced, tight) in
        [(" < ", "<"), (" >", ">"), (" :: ", "::"), ("& ", "&"), (" ,", ","), ("[ ", "["), (" ]", "]"), ("' ", "'")]
    {
        text = text.replace(spaced, tight);
    }
    text
}

/// What to do about a type that no state can have.
pub(super) fn sized_form(target: &Type) -> Option<String> {
    let sized = match target {
        Type::TraitObject(_) => format!("Arc<{}>", shown(target)),
        Type::Slice(slice) => format!("Vec<{}>", shown(&slice.elem)),
        Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
        Type::ImplTrait(_) => return Some("write out the type that is meant".to_owned()),
        _ => return None,
    };
    Some(format!("write `&{sized}`, and give the executor one"))
}

/// The type that is probably meant by `impl Into<String>` and the like.
pub(super) fn concrete_form(ty: &Type) -> Option<String> {
    let Type::ImplTrait(ty) = ty else { return None };
    let TypeParamBound::Trait(bound) = ty.bounds.first()? else { return None };
    let last = bound.path.segments.last()?;
    let target = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(target) => Some(shown(target)),
            _ => None,
        },
        _ => None,
    };
    match (last.ident.to_string().as_str(), target.as_deref()) {
        ("AsRef" | "Borrow" | "Deref", Some("str")) | ("ToString" | "Display", None) => Some("String".to_owned()),
        ("AsRef", Some("Path")) => Some("PathBuf".to_owned()),
        ("Into", Some(_)) => target,
        ("IntoIterator" | "Iterator", _) => Some("Vec<…>".to_owned()),
        _ => None,
    }
}

/// Whether a type holds an `impl Trait` or a named lifetime, so that it cannot be written outside of its signature.
pub(crate) fn names_no_type(ty: &Type) -> bool {
    holds_impl(ty.to_token_stream()) || named_lifetime(ty.to_token_stream()).is_some()
}

pub(super) fn holds_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => holds_impl(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether there is a reference in a type. What stands in braces is the value of a constant and no type.
pub(super) fn holds_reference(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace && holds_reference(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}

/// A lifetime that is neither `'static` nor `'_`.
pub(super) fn named_lifetime(tokens: TokenStream) -> Option<String> {
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
