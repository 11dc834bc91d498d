//! `#[tool(…)]` and `#[arg(…)]`: keys and values, each checked on its own.

mod span;
mod value;

use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Expr, ExprPath, LitStr, Meta, Path, Token};

pub(crate) use self::span::{Bound, Span};
pub(crate) use self::value::{Category, NAME_HELP, Timeout, bare, refused_name};
use crate::errors::Errors;
use crate::suggest::{list, nearest};

/// What `#[tool(…)]` says.
#[derive(Default)]
pub(crate) struct ToolKeys {
    pub(crate) category: Option<Category>,
    pub(crate) max_retries: Option<u32>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) timeout: Option<Timeout>,
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) max_output: Option<usize>,
    pub(crate) budget: Option<LitStr>,
    pub(crate) roles: Vec<LitStr>,
    pub(crate) sequential: bool,
    pub(crate) check: Option<ExprPath>,
    pub(crate) handle: Option<Ident>,
    pub(crate) root: Option<Path>,
    /// Every key that was written, also one whose value is wrong: that is one mistake and not two.
    written: Vec<String>,
}

/// What `#[arg(…)]` says.
#[derive(Default)]
pub(crate) struct ArgKeys {
    pub(crate) description: Option<LitStr>,
    pub(crate) default: Option<Default>,
    pub(crate) example: Option<Expr>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) range: Option<Span>,
    pub(crate) length: Option<Span>,
    pub(crate) pattern: Option<LitStr>,
    pub(crate) secret: bool,
}

/// The value of an absent argument.
pub(crate) enum Default {
    /// The type's own.
    OfType(proc_macro2::Span),
    Value(Expr),
}

const TOOL_KEYS: [&str; 13] = [
    "category",
    "max_retries",
    "idempotent",
    "timeout",
    "name",
    "description",
    "max_output",
    "budget",
    "roles",
    "sequential",
    "check",
    "handle",
    "crate",
];
const ARG_KEYS: [&str; 8] = ["description", "default", "example", "rename", "range", "length", "pattern", "secret"];

/// `key` or `key = value`.
struct Pair {
    key: Ident,
    value: Value,
}

enum Value {
    None,
    Some(Expr),
    /// What stands there is no expression, which has been said.
    Unread,
}

impl Pair {
    fn parse(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Self> {
        let key = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
        if input.parse::<Option<Token![=]>>()?.is_none() {
            return Ok(Self { key, value: Value::None });
        }
        let value = input.parse().map_or_else(
            |error| {
                errors.combine(error);
                Value::Unread
            },
            Value::Some,
        );
        Ok(Self { key, value })
    }
}

/// The pairs of an attribute, each known and none of them twice. What cannot be read is reported and passed over.
fn pairs(tokens: TokenStream, known: &[&str], errors: &mut Errors) -> Vec<Pair> {
    let all = |input: ParseStream<'_>| {
        let mut all = Vec::new();
        while !input.is_empty() {
            let mut is_said;
            match Pair::parse(input, errors) {
                Ok(pair) => {
                    is_said = matches!(pair.value, Value::Unread);
                    all.push(pair);
                }
                Err(error) => {
                    is_said = true;
                    errors.combine(error);
                }
            }
            // What cannot be read ends at the next comma, so that the keys after it are still looked at.
            while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
                if !std::mem::replace(&mut is_said, true) {
                    errors.combine(input.error("expected `,`"));
                }
                input.parse::<proc_macro2::TokenTree>()?;
            }
        }
        Ok(all)
    };
    let mut found: Vec<Pair> = Vec::new();
    let all = all.parse2(tokens).unwrap_or_default();
    for pair in all {
        match pair {
            pair if !known.iter().any(|name| pair.key == name) => {
                let key = pair.key.to_string();
                match nearest(&key, known.iter().copied()) {
                    Some(near) => {
                        errors.push(&pair.key, format_args!("unknown key `{key}`: did you mean `{near}`?"));
                    }
                    None if known.len() == 1 => errors.push_help(
                        &pair.key,
                        format_args!("unknown key `{key}`"),
                        "the keys of a tool stand in `#[tool(…)]`, on its function",
                    ),
                    None => errors.push_help(
                        &pair.key,
                        format_args!("unknown key `{key}`"),
                        format_args!("the keys are {}", list(known.iter().copied(), "and")),
                    ),
                }
            }
            pair if found.iter().any(|other| other.key == pair.key) => {
                errors.push(&pair.key, format_args!("`{}` is given twice", pair.key));
            }
            pair => found.push(pair),
        }
    }
    found
}

impl ToolKeys {
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        for Pair { key, value } in pairs(tokens, &TOOL_KEYS, errors) {
            keys.written.push(key.to_string());
            let value = match value {
                Value::Some(value) if key == "sequential" => {
                    errors.push(value, "`sequential` stands alone: `#[tool(sequential)]`");
                    continue;
                }
                Value::None if key == "sequential" => {
                    keys.sequential = true;
                    continue;
                }
                Value::Some(value) => value,
                Value::None => {
                    errors.push(&key, format_args!("`{key}` needs a value: `{key} = …`"));
                    continue;
                }
                Value::Unread => continue,
            };
            match key.to_string().as_str() {
                "category" => keys.category = value::category(&value, errors),
                "max_retries" => keys.max_retries = value::max_retries(&value, errors),
                "idempotent" => keys.idempotent = value::boolean("idempotent", &value, errors),
                "timeout" => keys.timeout = value::timeout(&value, errors),
                "name" => keys.name = value::name(&value, errors),
                "description" => keys.description = value::description(&value, errors),
                "max_output" => keys.max_output = value::count("max_output", &value, errors),
                "budget" => keys.budget = value::budget(&value, errors),
                "roles" => keys.roles = value::roles(&value, errors),
                "check" => keys.check = value::check(&value, errors),
                "handle" => keys.handle = value::ident("handle", "Weather", &value, errors),
                _ => keys.root = value::root(&value, errors),
            }
        }
        keys
    }

    pub(crate) fn says(&self, key: &str) -> bool {
        self.written.iter().any(|written| written == key)
    }
}

/// What `#[tools(…)]` says: the path of a renamed toolkit.
pub(crate) fn root(tokens: TokenStream, errors: &mut Errors) -> Option<Path> {
    let mut root = None;
    for Pair { key, value } in pairs(tokens, &["crate"], errors) {
        match value {
            Value::Some(value) => root = value::root(&value, errors),
            Value::None => errors.push(&key, "`crate` needs a value: `crate = …`"),
            Value::Unread => {}
        }
    }
    root
}

impl ArgKeys {
    /// Reads every `#[arg(…)]` among the attributes of an argument.
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut tokens = TokenStream::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("arg")) {
            match &attribute.meta {
                Meta::List(list) => {
                    tokens.extend(list.tokens.clone());
                    tokens.extend(quote::quote!(,));
                }
                other => errors.push(other, "`#[arg]` needs keys: `#[arg(default = …)]`"),
            }
        }
        let mut keys = Self::default();
        for Pair { key, value } in pairs(tokens, &ARG_KEYS, errors) {
            let name = key.to_string();
            match (name.as_str(), value) {
                (_, Value::Unread) => {}
                ("default", Value::None) => keys.default = Some(Default::OfType(key.span())),
                ("default", Value::Some(value)) => keys.default = Some(Default::Value(value)),
                ("example", Value::Some(value)) => keys.example = Some(value),
                ("description", Value::Some(value)) => keys.description = value::description(&value, errors),
                ("rename", Value::Some(value)) => keys.rename = value::rename(&value, errors),
                ("range", Value::Some(value)) => keys.range = span::range(&value, errors),
                ("length", Value::Some(value)) => keys.length = span::length(&value, errors),
                ("pattern", Value::Some(value)) => keys.pattern = value::pattern(&value, errors),
                ("secret", Value::None) => keys.secret = true,
                ("secret", Value::Some(value)) => errors.push(value, "`secret` stands alone: `#[arg(secret)]`"),
                (_, _) => errors.push(&key, format_args!("`{key}` needs a value: `{key} = …`")),
            }
        }
        keys
    }
}
