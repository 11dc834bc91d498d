//! The tokens of `#[class(…)]` as a list of items, whatever they turn out to mean.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Ident, MacroDelimiter, Meta, Token, token};

use crate::errors::Errors;

/// One `name`, `name(argument)`, `name = value` or `name(argument) = value`.
pub(super) struct Item {
    pub(super) name: Ident,
    pub(super) argument: Option<TokenStream>,
    pub(super) value: Option<TokenStream>,
    /// All its tokens, for the underline.
    whole: TokenStream,
}

impl Item {
    /// The name without `r#`.
    pub(super) fn word(&self) -> String {
        self.name.unraw().to_string()
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.whole.to_tokens(tokens);
    }
}

/// What `#[class(…)]` attributes say together.
#[derive(Default)]
pub(super) struct Items {
    pub(super) items: Vec<Item>,
    /// Something was said that could not be read, so a class that is not there may have been meant.
    pub(super) garbled: bool,
}

/// Reads every `#[class(…)]` among the attributes.
pub(super) fn items(attrs: &[Attribute], errors: &mut Errors) -> Items {
    let mut out = Items::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("class")) {
        let read = match &attr.meta {
            Meta::List(list) if matches!(list.delimiter, MacroDelimiter::Paren(_)) && !list.tokens.is_empty() => list
                .parse_args_with(|input: ParseStream| {
                    read_list(input, &mut out, errors);
                    Ok(())
                }),
            _ => {
                out.garbled = true;
                errors.push_help(
                    attr,
                    "`#[class]` takes a class in parentheses",
                    "write `#[class(timeout)]`, or another class in the place of `timeout`",
                );
                Ok(())
            }
        };
        if let Err(error) = read {
            out.garbled = true;
            errors.combine(error);
        }
    }
    out
}

fn read_list(input: ParseStream, out: &mut Items, errors: &mut Errors) {
    while !input.is_empty() {
        match read_item(input) {
            Ok(item) => out.items.push(item),
            Err(error) => {
                out.garbled = true;
                errors.combine(error);
                until_comma(input);
            }
        }
        // `read_item` and `until_comma` stop at a comma or at the end and nowhere else.
        let _ = input.parse::<Token![,]>();
    }
}

fn read_item(input: ParseStream) -> syn::Result<Item> {
    if !input.peek(Ident::peek_any) {
        let rest = until_comma(input);
        return Err(match syn::parse2::<syn::LitStr>(rest.clone()) {
            Ok(text) => syn::Error::new_spanned(
                &text,
                format!("a class is a bare word, not a text in quotes\nhelp: write `{}`", text.value()),
            ),
            Err(_) if rest.is_empty() => input.error("expected a class or an option before `,`"),
            Err(_) => syn::Error::new_spanned(rest, "expected a class or an option"),
        });
    }
    let name = Ident::parse_any(input)?;
    let mut whole = name.to_token_stream();
    let mut argument = None;
    if input.peek(token::Paren) {
        let group: proc_macro2::Group = input.parse()?;
        argument = Some(group.stream());
        group.to_tokens(&mut whole);
    }
    let mut value = None;
    if input.peek(Token![=]) {
        let equals: Token![=] = input.parse()?;
        let tokens = until_comma(input);
        equals.to_tokens(&mut whole);
        tokens.to_tokens(&mut whole);
        if tokens.is_empty() {
            return Err(syn::Error::new_spanned(whole, format!("`{name}` has no value after `=`")));
        }
        value = Some(tokens);
    }
    let rest = until_comma(input);
    if rest.is_empty() {
        Ok(Item { name, argument, value, whole })
    } else {
        Err(syn::Error::new_spanned(rest, format!("expected `,` after `{name}`")))
    }
}

fn until_comma(input: ParseStream) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<TokenTree>() {
            Ok(token) => token.to_tokens(&mut tokens),
            Err(_) => break,
        }
    }
    tokens
}
