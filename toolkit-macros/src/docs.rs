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

/// Whether the attribute decides what rustdoc shows of an item: its text, or that it is hidden.
pub(crate) fn is_shown(attribute: &Attribute) -> bool {
    is_doc(attribute)
        || matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("doc") && list.tokens.to_string() == "hidden")
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
    if text.contains('\n') {
        return unframed(text);
    }
    text.strip_prefix(' ').unwrap_or(text).to_owned()
}

/// The text of a block comment: without the column of stars, where there is one, and without what all lines are
/// indented by. The first line stands behind the opening and has no indentation of its own.
fn unframed(text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let is_written = |line: &&str| !line.trim().is_empty();
    let in_stars = rest.lines().any(|line| is_written(&line))
        && rest.lines().filter(is_written).all(|line| line.trim_start().starts_with('*'));
    let rest: Vec<&str> = rest
        .lines()
        .map(|line| if in_stars { line.trim_start().strip_prefix('*').unwrap_or_default() } else { line })
        .collect();
    let indent = rest.iter().filter(|line| is_written(line)).map(|line| line.len() - line.trim_start().len()).min();
    let indent = indent.unwrap_or(0);
    let mut written = first.strip_prefix(' ').unwrap_or(first).trim_end().to_owned();
    for line in rest {
        written.push('\n');
        written.push_str(line.get(indent..).unwrap_or(line.trim_start()).trim_end());
    }
    written
}

#[cfg(test)]
mod tests {
    use super::unindent;

    #[test]
    fn one_space_a_line_is_taken_off() {
        assert_eq!(unindent(" a"), "a");
        assert_eq!(unindent("     deep();"), "    deep();");
        assert_eq!(unindent(""), "");
    }

    #[test]
    fn a_block_comment_loses_its_frame() {
        assert_eq!(unindent(" a\n   b"), "a\nb");
        assert_eq!(unindent("\n    a\n      b\n\n    c\n"), "\na\n  b\n\nc");
        assert_eq!(unindent("\n * a\n *   b\n *\n * c\n "), "\na\n  b\n\nc\n");
        assert_eq!(unindent(" a\n * b"), "a\nb");
        // A list is no frame where the rest of the text has no stars.
        assert_eq!(unindent("\n a\n * b"), "\na\n* b");
        assert_eq!(unindent(" é\n\n  日本\n   本"), "é\n\n日本\n 本");
    }
}
