//! What an attribute becomes, in unit tests: the tokens themselves.

mod any_input;
mod snapshots;

use proc_macro2::{TokenStream, TokenTree};

/// Every token outside of groups and inside of them.
fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut all = Vec::new();
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            let inner = flat(group.stream());
            all.push(token);
            all.extend(inner);
        } else {
            all.push(token);
        }
    }
    all
}

/// The texts of the `compile_error!`s.
fn messages(tokens: &TokenStream) -> Vec<String> {
    let all = flat(tokens.clone());
    let mut messages = Vec::new();
    for (at, token) in all.iter().enumerate() {
        if let (TokenTree::Ident(name), Some(TokenTree::Group(text))) = (token, all.get(at + 2))
            && name == "compile_error"
        {
            messages.push(syn::parse2::<syn::LitStr>(text.stream()).expect("the text is a literal").value());
        }
    }
    messages
}
