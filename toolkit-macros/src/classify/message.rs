//! `message = "…"`: which fields a format string names, and the same string over the names that the impl binds.

use crate::errors::Errors;
use crate::suggest;

use super::model::{FieldList, binding_name};

/// What the model reads.
pub(super) enum Message {
    /// The same in every case.
    Fixed(syn::LitStr),
    /// A format string over the bindings of these fields.
    Format { text: syn::LitStr, fields: Vec<usize> },
}

/// Reads the text, and finds the field of each placeholder.
pub(super) fn read(literal: &syn::LitStr, fields: &FieldList<'_>, errors: &mut Errors) -> Option<Message> {
    let given = literal.value();
    let mut text = String::with_capacity(given.len());
    let mut plain = String::with_capacity(given.len());
    let mut used = Vec::new();
    let mut sound = true;
    let mut rest = given.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        plain.push_str(before);
        if let Some(brace) = ["{{", "}}"].into_iter().find(|brace| from.starts_with(brace)) {
            text.push_str(brace);
            plain.push_str(&brace[..1]);
            rest = &from[2..];
            continue;
        }
        let Some(end) = from.find('}').filter(|_| from.starts_with('{')) else {
            errors.push_help(literal, "a brace in the message has no partner", "write `{{` or `}}` for a brace itself");
            return None;
        };
        let (name, spec) =
            from[1..end].split_once(':').map_or((&from[1..end], None), |(name, spec)| (name, Some(spec)));
        rest = &from[end + 1..];
        let Some(index) = placeholder(name.trim(), spec, literal, fields, errors) else {
            sound = false;
            continue;
        };
        if !used.contains(&index) {
            used.push(index);
        }
        text.push('{');
        text.push_str(&binding_name(index));
        if let Some(spec) = spec {
            text.push(':');
            text.push_str(spec);
        }
        text.push('}');
    }
    text.push_str(rest);
    plain.push_str(rest);
    if !sound {
        None
    } else if used.is_empty() {
        Some(Message::Fixed(syn::LitStr::new(&plain, literal.span())))
    } else {
        Some(Message::Format { text: syn::LitStr::new(&text, literal.span()), fields: used })
    }
}

fn placeholder(
    name: &str,
    spec: Option<&str>,
    literal: &syn::LitStr,
    fields: &FieldList<'_>,
    errors: &mut Errors,
) -> Option<usize> {
    if name.is_empty() {
        let help = match fields.names().first() {
            Some(first) => format!("write `{{{first}}}` for that field, or `{{{{}}}}` for the braces themselves"),
            None => "write `{{}}` for the braces themselves".to_owned(),
        };
        errors.push_help(literal, "`{}` in the message does not say which field it stands for", help);
        return None;
    }
    if spec.is_some_and(|spec| spec.contains(['$', '*'])) {
        errors.push(literal, format_args!("the width and the precision of `{{{name}}}` must be written as numbers"));
        return None;
    }
    let index = fields.find(name);
    if index.is_none() {
        errors.push_help(literal, fields.missing(name), hint(name, fields));
    }
    index
}

fn hint(name: &str, fields: &FieldList<'_>) -> String {
    let names = fields.names();
    match suggest::nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{{{near}}}`?"),
        None => format!("{}; for a brace itself write `{{{{`", fields.inventory()),
    }
}
