//! The function as it was written. Its body stays tokens: nothing in it is ours to read.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Generics, ImplItem, Meta, Path, Signature, Token, Type, Visibility};

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
        Ok(Self { attributes, visibility, signature, body: input.parse()? })
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
    Other(ImplItem),
}

impl Parse for Impl {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input
            .parse::<Token![impl]>()
            .map_err(|error| syn::Error::new(error.span(), "`#[tools]` goes on an impl block"))?;
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
            members.push(if is_tool { tool_member(&content)? } else { Member::Other(content.parse()?) });
        }
        Ok(Self { attributes, generics, self_type, of_trait, members })
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
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}
