//! Where the compiler underlines.
//!
//! An expression is underlined from its first token to its last. So that a mistake of the user's is shown at the user's
//! code, the parentheses around what is generated carry the spans of that code, and nothing inside them does.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The first and the last place of these tokens.
pub(crate) struct Ends {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Ends {
    pub(crate) fn of(tokens: impl ToTokens) -> Self {
        let mut spans = tokens.into_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Self { first, last: spans.last().unwrap_or(first) }
    }
}

/// These tokens in parentheses that stand at that place.
pub(crate) fn parenthesized(span: Span, tokens: TokenStream) -> Group {
    let mut group = Group::new(Delimiter::Parenthesis, tokens);
    group.set_span(span);
    group
}

/// The tokens, underlined at another place and with the meaning that they have at their own.
pub(crate) fn located_at(tokens: TokenStream, place: Span) -> TokenStream {
    let relocate = |mut token: TokenTree| {
        let span = token.span().located_at(place);
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), located_at(group.stream(), place)).into();
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(relocate).collect()
}
