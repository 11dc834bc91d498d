//! A doc comment as the text that the model reads.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The text of the doc comments among these attributes, as an expression of type `&'static str`.
#[derive(Default)]
pub(crate) struct Docs {
    lines: Vec<Line>,
}

enum Line {
    Text(String),
    /// `#[doc = include_str!("…")]` and the like, which only the compiler can read.
    Expression(Expr),
}

pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") && matches!(attribute.meta, Meta::NameValue(_))
}

impl Docs {
    pub(crate) fn of(attributes: &[Attribute]) -> Self {
        let mut lines = Vec::new();
        for attribute in attributes.iter().filter(|attribute| is_doc(attribute)) {
            let Meta::NameValue(pair) = &attribute.meta else { continue };
            match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => lines.push(Line::Text(unindent(&text.value()))),
                expression => lines.push(Line::Expression(expression.clone())),
            }
        }
        Self { lines }
    }

    /// Whether there is nothing to read, as far as that can be known here.
    pub(crate) fn is_blank(&self) -> bool {
        self.lines.iter().all(|line| matches!(line, Line::Text(text) if text.trim().is_empty()))
    }

    pub(crate) fn expression(&self) -> TokenStream {
        let texts: Option<Vec<&str>> = self
            .lines
            .iter()
            .map(|line| match line {
                Line::Text(text) => Some(text.as_str()),
                Line::Expression(_) => None,
            })
            .collect();
        if let Some(texts) = texts {
            let text = texts.join("\n");
            let text = text.trim();
            return quote!(#text);
        }
        let parts = self.lines.iter().map(|line| match line {
            Line::Text(text) => quote!(#text),
            Line::Expression(expression) => quote!(#expression),
        });
        quote!(::core::concat!(#(#parts, "\n"),*))
    }
}

/// `/// text` is written with a space that is no part of the text. Further ones are: they indent code and lists.
fn unindent(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::unindent;

    #[test]
    fn one_space_a_line_is_taken_off() {
        assert_eq!(unindent(" a"), "a");
        assert_eq!(unindent("     deep();"), "    deep();");
        assert_eq!(unindent(""), "");
        assert_eq!(unindent(" a\n   b"), "a\n  b");
    }
}
