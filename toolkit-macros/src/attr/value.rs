//! The values of keys: each of one kind, and a message that shows an example of it.

use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::{Expr, ExprLit, ExprPath, ExprUnary, Lit, LitStr, Path, UnOp};

use crate::errors::Errors;
use crate::suggest::{list, nearest};

const CATEGORIES: [&str; 5] = ["Read", "Compute", "Write", "Communicate", "Dangerous"];

/// One of the five categories, by the name of the variant.
pub(crate) struct Category(pub(crate) Ident);

/// A time in whole milliseconds.
#[derive(Clone, Copy)]
pub(crate) struct Timeout {
    pub(crate) millis: u64,
}

/// An expression without the invisible parentheses that a `macro_rules!` variable brings along.
pub(crate) fn bare(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => bare(&group.expr),
        Expr::Paren(paren) => bare(&paren.expr),
        other => other,
    }
}

fn literal(value: &Expr) -> Option<&Lit> {
    match bare(value) {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// What kind of thing was written instead.
pub(super) fn kind(value: &Expr) -> &'static str {
    match literal(value) {
        Some(Lit::Str(_)) => "a string",
        Some(Lit::Int(_) | Lit::Float(_)) => "a number",
        Some(Lit::Bool(_)) => "`true` or `false`",
        Some(_) => "this literal",
        None => match bare(value) {
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => "a negative number",
            _ => "an expression",
        },
    }
}

pub(super) fn category(value: &Expr, errors: &mut Errors) -> Option<Category> {
    let choices = || list(CATEGORIES, "or");
    let Expr::Path(ExprPath { path, qself: None, .. }) = bare(value) else {
        errors.push(value, format_args!("`category` takes {}, not {}", choices(), kind(value)));
        return None;
    };
    let last = path.segments.last()?;
    if CATEGORIES.iter().any(|name| last.ident == name) {
        return Some(Category(last.ident.clone()));
    }
    let written = last.ident.to_string();
    match nearest(&written, CATEGORIES) {
        Some(near) => errors.push(path, format_args!("unknown category `{written}`: did you mean `{near}`?")),
        None => errors.push_help(
            path,
            format_args!("unknown category `{written}`"),
            format_args!("the categories are {}", list(CATEGORIES, "and")),
        ),
    }
    None
}

pub(super) fn max_retries(value: &Expr, errors: &mut Errors) -> Option<u32> {
    let Some(Lit::Int(number)) = literal(value) else {
        errors.push(value, format_args!("`max_retries` takes a number from 0 to 10, not {}", kind(value)));
        return None;
    };
    let number = number.base10_parse::<u32>().ok().filter(|number| *number <= 10);
    if number.is_none() {
        errors.push(
            value,
            "`max_retries` takes a number from 0 to 10: more waiting than that is no use to a conversation",
        );
    }
    number
}

pub(super) fn count(key: &str, value: &Expr, errors: &mut Errors) -> Option<usize> {
    let Some(Lit::Int(number)) = literal(value) else {
        errors.push(value, format_args!("`{key}` takes a whole number of at least 1, not {}", kind(value)));
        return None;
    };
    let number = number.base10_parse::<usize>().ok().filter(|number| *number > 0);
    if number.is_none() {
        errors.push(value, format_args!("`{key}` takes a whole number of at least 1"));
    }
    number
}

pub(super) fn boolean(key: &str, value: &Expr, errors: &mut Errors) -> Option<bool> {
    if let Some(Lit::Bool(flag)) = literal(value) {
        return Some(flag.value);
    }
    errors.push(value, format_args!("`{key}` takes `true` or `false`, not {}", kind(value)));
    None
}

fn string(key: &str, value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    if let Some(Lit::Str(text)) = literal(value) {
        return Some(text.clone());
    }
    errors.push(value, format_args!("`{key}` takes a string, not {}", kind(value)));
    None
}

pub(super) fn description(value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = string("description", value, errors)?;
    if text.value().trim().is_empty() {
        errors.push(value, "the description is empty: the model has nothing to read");
        return None;
    }
    Some(text)
}

/// A key of the model's JSON.
pub(super) fn rename(value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = string("rename", value, errors)?;
    if text.value().trim().is_empty() {
        errors.push(value, "an argument needs a name that the model can write");
        return None;
    }
    Some(text)
}

/// What the retries of several tools are paid from.
pub(super) fn budget(value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = string("budget", value, errors)?;
    if text.value().trim().is_empty() {
        errors.push(value, "a `budget` needs a name: the tools that share it say the same one");
        return None;
    }
    Some(text)
}

/// The names of roles, each said once.
pub(super) fn roles(value: &Expr, errors: &mut Errors) -> Vec<LitStr> {
    let Expr::Array(array) = bare(value) else {
        errors.push(value, format_args!("`roles` takes a list, such as `roles = [\"admin\"]`, not {}", kind(value)));
        return Vec::new();
    };
    if array.elems.is_empty() {
        errors.push_help(value, "`roles` is empty: nobody would see the tool", "leave it out, and everybody sees it");
    }
    let mut roles: Vec<LitStr> = Vec::new();
    for role in &array.elems {
        match literal(role) {
            Some(Lit::Str(text)) if text.value().trim().is_empty() => errors.push(role, "a role needs a name"),
            Some(Lit::Str(text)) if roles.iter().any(|other| other.value() == text.value()) => {
                errors.push(role, format_args!("role `{}` is given twice", text.value()));
            }
            Some(Lit::Str(text)) => roles.push(text.clone()),
            _ => errors.push(role, format_args!("a role is a string, not {}", kind(role))),
        }
    }
    roles
}

/// A regular expression, without what only engines that backtrack can do.
pub(super) fn pattern(value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = string("pattern", value, errors)?;
    let written = text.value();
    let look_around = ["(?=", "(?!", "(?<=", "(?<!"].into_iter().find(|look| written.contains(look));
    if let Some(look) = look_around {
        errors.push_help(
            value,
            format_args!(
                "`pattern` cannot look around, as `{look}` does: providers refuse it, and it can take forever"
            ),
            "say in the description what a pattern cannot say",
        );
        return None;
    }
    let mut parser = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build();
    if let Err(error) = parser.parse(&written) {
        let reason = error.to_string();
        let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        errors.push(value, format_args!("`pattern` is not a regular expression: {reason}"));
        return None;
    }
    Some(text)
}

/// A name that every provider takes; or one with dots, which are asked for and rewritten where a provider has none.
pub(super) fn name(value: &Expr, errors: &mut Errors) -> Option<LitStr> {
    let text = string("name", value, errors)?;
    if let Some(problem) = refused_name(&text.value(), &['_', '-', '.']) {
        errors.push_help(value, problem, NAME_HELP);
        return None;
    }
    Some(text)
}

pub(crate) const NAME_HELP: &str = "use letters, digits, `_` and `-`, at most 64";

/// What providers have against the name of a tool, which consists of letters, digits and these.
pub(crate) fn refused_name(name: &str, others: &[char]) -> Option<String> {
    if name.is_empty() {
        return Some("a tool name cannot be empty".to_owned());
    }
    let mut bad: Vec<String> = Vec::new();
    for c in name.chars().filter(|c| !c.is_ascii_alphanumeric() && !others.contains(c)) {
        let shown = format!("`{c}`");
        if !bad.contains(&shown) {
            bad.push(shown);
        }
    }
    if !bad.is_empty() {
        return Some(format!("tool name `{name}` contains {}", bad.join(" and ")));
    }
    if let Some(first) = name.chars().next().filter(|first| !first.is_ascii_alphabetic() && *first != '_') {
        return Some(format!("tool name `{name}` begins with `{first}`, and not with a letter or `_`"));
    }
    let length = name.len();
    (length > 64).then(|| format!("tool name `{name}` is {length} characters long"))
}

pub(super) fn timeout(value: &Expr, errors: &mut Errors) -> Option<Timeout> {
    const EXAMPLE: &str = "a duration in quotes, such as `\"500ms\"`, `\"30s\"` or `\"1m\"`";
    let Some(Lit::Str(text)) = literal(value) else {
        errors.push(value, format_args!("`timeout` takes {EXAMPLE}, not {}", kind(value)));
        return None;
    };
    let text = text.value();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        _ => None,
    };
    let millis = factor.and_then(|factor: u64| number.parse::<u64>().ok()?.checked_mul(factor));
    match millis {
        Some(0) => {
            errors.push(value, "a `timeout` of zero lets no attempt begin");
            None
        }
        Some(millis) => Some(Timeout { millis }),
        None => {
            errors.push(value, format_args!("`timeout` takes {EXAMPLE}, not `\"{text}\"`"));
            None
        }
    }
}

pub(super) fn ident(key: &str, example: &str, value: &Expr, errors: &mut Errors) -> Option<Ident> {
    if let Expr::Path(ExprPath { path, qself: None, .. }) = bare(value)
        && let Some(ident) = path.get_ident()
        // `crate` and `self` are paths too, and no names.
        && syn::parse2::<Ident>(ident.to_token_stream()).is_ok()
    {
        return Some(ident.clone());
    }
    errors.push(value, format_args!("`{key}` takes a plain name, such as `{key} = {example}`"));
    None
}

/// The path of a function.
pub(super) fn check(value: &Expr, errors: &mut Errors) -> Option<ExprPath> {
    let path = path("check", "a function", "crate::is_fit", value, errors)?;
    Some(ExprPath { attrs: Vec::new(), qself: None, path })
}

/// The path of the toolkit.
pub(super) fn root(value: &Expr, errors: &mut Errors) -> Option<Path> {
    path("crate", "the path of the toolkit", "::my_facade::toolkit", value, errors)
}

/// A path, also in quotes.
pub(super) fn path(key: &str, what: &str, example: &str, value: &Expr, errors: &mut Errors) -> Option<Path> {
    match bare(value) {
        Expr::Path(ExprPath { path, qself: None, .. }) => return Some(path.clone()),
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            if let Ok(path) = text.parse() {
                return Some(path);
            }
        }
        _ => {}
    }
    errors.push(value, format_args!("`{key}` takes {what}, such as `{key} = {example}`"));
    None
}
