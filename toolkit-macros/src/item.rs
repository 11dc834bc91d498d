//! The function as it was written. Its body stays tokens: nothing in it is ours to read.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Generics, ImplItem, Meta, Path, Signature, Token, Type, Visibility, parse_quote};

/// A function with its body unread.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    body: TokenTree,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let signature = input.parse().map_err(|error: syn::Error| {
            syn::Error::new(error.span(), format!("`#[tool]` goes on a function: {error}"))
        })?;
        if !input.peek(syn::token::Brace) {
            return Err(input.error("a tool needs a body: `#[tool]` goes on a function that does something"));
        }
        Ok(Self { attributes, visibility, signature, body: visible(input.parse()?) })
    }
}

/// A body without the invisible parentheses that a `macro_rules!` variable brings along.
fn visible(body: TokenTree) -> TokenTree {
    match &body {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().next().map_or(body, visible)
        }
        _ => body,
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        self.visibility.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// An impl block, read as far as its tools.
pub(crate) struct Impl {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) keyword: Token![impl],
    pub(crate) generics: Generics,
    pub(crate) self_type: Type,
    /// `Trait for`, where there is one.
    pub(crate) of_trait: Option<Path>,
    pub(crate) members: Vec<Member>,
}

/// What stands in an impl block.
pub(crate) enum Member {
    /// A function with `#[tool(…)]`, which is taken off, and its keys.
    Tool(TokenStream, Box<Function>),
    Other(Box<ImplItem>),
}

impl Parse for Impl {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let keyword =
            input.parse().map_err(|error| syn::Error::new(error.span(), "`#[tools]` goes on an impl block"))?;
        let mut generics: Generics = input.parse()?;
        let first: Type = input.parse()?;
        let (of_trait, self_type) = match (input.parse::<Option<Token![for]>>()?, first) {
            (Some(_), Type::Path(path)) => (Some(path.path), input.parse()?),
            (_, first) => (None, first),
        };
        generics.where_clause = input.parse()?;
        let content;
        syn::braced!(content in input);
        let mut members = Vec::new();
        while !content.is_empty() {
            let ahead = content.fork();
            let is_tool = ahead.call(Attribute::parse_outer)?.iter().any(is_tool);
            members.push(if is_tool { tool_member(&content)? } else { Member::Other(Box::new(content.parse()?)) });
        }
        Ok(Self { attributes, keyword, generics, self_type, of_trait, members })
    }
}

fn tool_member(input: ParseStream<'_>) -> syn::Result<Member> {
    let mut function: Function = input.parse()?;
    let mut keys = TokenStream::new();
    for attribute in function.attributes.extract_if(.., |attribute| is_tool(attribute)) {
        match attribute.meta {
            Meta::List(list) => keys = list.tokens,
            Meta::Path(_) => {}
            Meta::NameValue(pair) => return Err(syn::Error::new_spanned(pair, "write `#[tool(…)]`")),
        }
    }
    Ok(Member::Tool(keys, Box::new(function)))
}

/// `#[tool]` by any path.
fn is_tool(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "tool")
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Member::Tool(_, function) => function.to_tokens(tokens),
            Member::Other(item) => item.to_tokens(tokens),
        }
    }
}

/// The attributes that decide whether an item is there at all. Everything that is generated carries them too.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter_map(condition).collect()
}

fn condition(attribute: &Attribute) -> Option<Attribute> {
    if attribute.path().is_ident("cfg") {
        return Some(attribute.clone());
    }
    let Meta::List(list) = &attribute.meta else { return None };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let parts = split_at_commas(list.tokens.clone());
    let (predicate, attributes) = parts.split_first()?;
    let is_cfg = |part: &&TokenStream| matches!(TokenStream::clone(part).into_iter().next(), Some(TokenTree::Ident(name)) if name == "cfg");
    let kept: Vec<&TokenStream> = attributes.iter().filter(is_cfg).collect();
    (!kept.is_empty()).then(|| parse_quote!(#[cfg_attr(#predicate, #(#kept),*)]))
}

fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        match (&token, parts.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            (_, Some(part)) => part.extend([token]),
            (_, None) => {}
        }
    }
    parts
}

/// What the author allows in the function is allowed in what is made of it: a deprecated type, say. The call of a
/// deprecated function is none of the author's.
pub(crate) fn allowed(attributes: &[Attribute]) -> Vec<Attribute> {
    let allowed = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("allow") => Some(attribute.clone()),
        Meta::List(list) if list.path.is_ident("expect") => {
            let lints = &list.tokens;
            Some(parse_quote!(#[allow(#lints)]))
        }
        meta if meta.path().is_ident("deprecated") => Some(parse_quote!(#[allow(deprecated)])),
        _ => None,
    });
    allowed.collect()
}
