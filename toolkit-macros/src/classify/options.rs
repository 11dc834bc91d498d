//! The items of one `#[class(…)]`, read against the fields beside it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitInt, LitStr};

use crate::errors::Errors;
use crate::suggest;

use super::message::{self, Message};
use super::model::{FieldList, Options, Verdict, Wait, unclassified};
use super::parse::{Item, Items};

/// The classes by the names that stand in an attribute, in the order in which `ErrorClass` lists them.
pub(super) const CLASSES: [(&str, &str); 10] = [
    ("timeout", "Timeout"),
    ("network", "Network"),
    ("rate_limit", "RateLimit"),
    ("service_unavailable", "ServiceUnavailable"),
    ("invalid_argument", "InvalidArgument"),
    ("permission_denied", "PermissionDenied"),
    ("not_found", "NotFound"),
    ("conflict", "Conflict"),
    ("internal", "Internal"),
    ("unknown", "Unknown"),
];

const SHORTHANDS: [(&str, &str); 2] = [("transient", "ServiceUnavailable"), ("permanent", "Internal")];

const OPTIONS: [&str; 5] = ["retry_after", "no_effect", "hidden", "message", "detail"];

/// Reads what is said about one variant. None where no class could be made out, which is then among the errors.
pub(super) fn read(items: &Items, fields: FieldList<'_>, errors: &mut Errors) -> Option<Options> {
    let mut reader =
        Reader { fields, errors, verdict: None, seen: Vec::new(), garbled: items.garbled, out: Draft::default() };
    for item in &items.items {
        reader.item(item);
    }
    let Reader { verdict, garbled, out, errors, .. } = reader;
    if verdict.is_none() && !garbled {
        unclassified(fields, items.items.first(), errors);
    }
    if let (true, Some((item, _))) = (out.hidden, &out.message) {
        errors.push_help(
            item,
            "`message` and `hidden` both stand for the error's own text",
            "remove `hidden`: with a `message` the model does not read the error's text",
        );
    }
    let Draft { wait, no_effect, hidden, message, details } = out;
    let (verdict, message) = (verdict?.verdict, message.map(|(_, message)| message));
    Some(Options { verdict: verdict?, wait, no_effect, hidden, message, details })
}

#[derive(Default)]
struct Draft {
    wait: Option<Wait>,
    no_effect: bool,
    hidden: bool,
    message: Option<(TokenStream, Message)>,
    details: Vec<(String, usize)>,
}

/// The word that gave the class, and the class where it could be read.
struct Stated {
    word: String,
    verdict: Option<Verdict>,
}

struct Reader<'a, 'e> {
    fields: FieldList<'a>,
    errors: &'e mut Errors,
    verdict: Option<Stated>,
    seen: Vec<String>,
    garbled: bool,
    out: Draft,
}

impl Reader<'_, '_> {
    fn item(&mut self, item: &Item) {
        let word = item.word();
        if let Some((_, class)) = CLASSES.iter().chain(&SHORTHANDS).find(|(name, _)| *name == word) {
            self.no_value(item, &format!("`{word}` is a class, which"));
            self.state(item, word, Some(Verdict::Class(class)));
            return;
        }
        if word == "delegate" {
            let verdict = self.delegate(item);
            self.state(item, word, verdict.map(Verdict::Delegate));
            return;
        }
        if OPTIONS.contains(&word.as_str()) && word != "detail" {
            if self.seen.contains(&word) {
                self.errors.push(item, format_args!("`{word}` is given twice"));
                return;
            }
            self.seen.push(word.clone());
        }
        match word.as_str() {
            "no_effect" => self.out.no_effect = self.no_value(item, "`no_effect`"),
            "hidden" => self.out.hidden = self.no_value(item, "`hidden`"),
            "retry_after" => self.retry_after(item),
            "message" => self.message(item),
            "detail" => self.detail(item),
            "crate" => self.errors.push_help(
                item,
                "`crate` belongs on the type, not on a variant",
                "move it to a `#[class(…)]` above the `enum`",
            ),
            _ => self.unknown(item, &word),
        }
    }

    /// Notes the class; a second one is refused.
    fn state(&mut self, item: &Item, word: String, verdict: Option<Verdict>) {
        match &self.verdict {
            None => self.verdict = Some(Stated { word, verdict }),
            Some(first) if first.word == word => self.errors.push(item, format_args!("`{word}` is given twice")),
            Some(first) if first.word == "delegate" || word == "delegate" => {
                let class = if word == "delegate" { &first.word } else { &word };
                self.errors.push_help(
                    item,
                    format_args!(
                        "`{class}` and `delegate` exclude each other: `delegate` takes the class from the inner error"
                    ),
                    "keep one of the two",
                );
            }
            Some(first) => self.errors.push_help(
                item,
                format_args!("`{}` has two classes, `{}` and `{word}`", self.fields.of, first.word),
                "keep one of the two",
            ),
        }
    }

    fn unknown(&mut self, item: &Item, word: &str) {
        let bare = item.value.is_none() && item.argument.is_none();
        let classes = || CLASSES.iter().chain(&SHORTHANDS).map(|(name, _)| *name);
        let near = suggest::nearest(word, classes().chain(["delegate"]).chain(OPTIONS));
        let is_option = near.is_some_and(|near| OPTIONS.contains(&near));
        if !is_option {
            // A class was meant, so that none is missing.
            self.garbled |= bare;
        }
        let kind = if bare && !is_option { "class" } else { "key" };
        match near {
            Some(near) => self.errors.push(&item.name, format_args!("unknown {kind} `{word}`: did you mean `{near}`?")),
            None if bare => self.errors.push_help(
                &item.name,
                format_args!("unknown class `{word}`"),
                format_args!(
                    "the classes are {}; or `delegate`",
                    suggest::list(CLASSES.iter().map(|(name, _)| *name), "and")
                ),
            ),
            None => self.errors.push_help(
                &item.name,
                format_args!("unknown key `{word}`"),
                format_args!("the keys are {}", suggest::list(OPTIONS, "and")),
            ),
        }
    }

    /// Whether a word stands alone, as it should.
    fn no_value(&mut self, item: &Item, what: &str) -> bool {
        let alone = item.value.is_none() && item.argument.is_none();
        if !alone {
            self.errors.push_help(
                item,
                format_args!("{what} takes no value"),
                format_args!("write `{}` alone", item.word()),
            );
        }
        alone
    }

    fn delegate(&mut self, item: &Item) -> Option<usize> {
        if item.argument.is_some() {
            self.errors.push_help(item, "`delegate` takes no parentheses", "write `delegate`, or `delegate = field`");
            return None;
        }
        if let Some(value) = &item.value {
            return self.field(item, value);
        }
        let fields = self.fields;
        let marked: Vec<usize> = (0..fields.len()).filter(|index| fields.get(*index).is_some_and(is_inner)).collect();
        match (fields.len(), marked.as_slice()) {
            (1, _) => Some(0),
            (_, [only]) => Some(*only),
            (0, _) => {
                self.errors.push_help(
                    item,
                    format_args!("{} `{}` has no field to delegate to", fields.kind, fields.of),
                    "name a class instead, or put the inner error in a field",
                );
                None
            }
            (count, marked) => {
                let names = fields.names();
                let first =
                    marked.first().and_then(|index| names.get(*index)).or(names.first()).map_or("", String::as_str);
                let which = if marked.is_empty() { "none is" } else { "more than one is" };
                self.errors.push_help(
                    item,
                    format_args!("`{}` has {count} fields, and {which} marked as the inner error", fields.of),
                    format_args!("mark it with `#[source]` or `#[from]`, or name it, such as `delegate = {first}`"),
                );
                None
            }
        }
    }

    fn retry_after(&mut self, item: &Item) {
        let reader = match &item.argument {
            None => "wait",
            Some(unit) => match syn::parse2::<Ident>(unit.clone()).map(|unit| unit.to_string()).as_deref() {
                Ok("secs") => "wait_secs",
                Ok("millis") => "wait_millis",
                _ => {
                    let at = if unit.is_empty() { item.to_token_stream() } else { unit.clone() };
                    self.errors.push_help(
                        at,
                        "the unit of `retry_after` is `secs` or `millis`",
                        "write `retry_after(secs) = field` for a number of seconds, and no unit for a `Duration`",
                    );
                    return;
                }
            },
        };
        if let Some(field) = self.field_of(item) {
            self.out.wait = Some(Wait { field, reader });
        }
    }

    fn message(&mut self, item: &Item) {
        let text = match (&item.argument, &item.value) {
            (None, Some(value)) => syn::parse2::<LitStr>(value.clone()).ok(),
            _ => None,
        };
        let Some(text) = text else {
            self.errors.push_help(
                item,
                "`message` takes a text in quotes",
                "write `message = \"what the model reads\"`",
            );
            return;
        };
        if let Some(message) = message::read(&text, &self.fields, self.errors) {
            self.out.message = Some((item.to_token_stream(), message));
        }
    }

    fn detail(&mut self, item: &Item) {
        let given = item.argument.as_ref().map(|key| syn::parse2::<LitStr>(key.clone()).map(|key| key.value()));
        let Ok(given) = given.transpose() else {
            self.errors.push_help(
                item,
                "the key of `detail` is a text in quotes",
                "write `detail(\"key\") = field`, or `detail = field` for the field's own name",
            );
            return;
        };
        let Some(index) = self.field_of(item) else { return };
        let named = self.fields.get(index).and_then(|field| field.ident.as_ref()).map(|name| name.unraw().to_string());
        let Some(key) = given.or(named) else {
            self.errors.push_help(
                item,
                format_args!("field `{index}` has no name that could be the key of a detail"),
                format_args!("write `detail(\"key\") = {index}`"),
            );
            return;
        };
        if self.out.details.iter().any(|(known, _)| *known == key) {
            self.errors.push(item, format_args!("the detail `{key}` is given twice"));
            return;
        }
        self.out.details.push((key, index));
    }

    /// The field that an option with a value names.
    fn field_of(&mut self, item: &Item) -> Option<usize> {
        let Some(value) = &item.value else {
            let word = item.word();
            let form = item.argument.as_ref().map_or_else(|| word.clone(), |argument| format!("{word}({argument})"));
            self.errors.push_help(item, format_args!("`{word}` needs a field"), format_args!("write `{form} = field`"));
            return None;
        };
        self.field(item, value)
    }

    fn field(&mut self, item: &Item, value: &TokenStream) -> Option<usize> {
        let Ok(name) = field_name.parse2(value.clone()) else {
            let word = item.word();
            let help = match syn::parse2::<LitStr>(value.clone()) {
                Ok(text) => format!("write `{word} = {}`", text.value()),
                Err(_) => format!("write `{word} = field`, or an index such as `{word} = 0`"),
            };
            self.errors.push_help(value, format_args!("`{word}` takes the name of a field"), help);
            return None;
        };
        let index = self.fields.find(&name);
        if index.is_none() {
            let names = self.fields.names();
            let help = match suggest::nearest(&name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => self.fields.inventory(),
            };
            self.errors.push_help(value, self.fields.missing(&name), help);
        }
        index
    }
}

/// A name without `r#`, or an index.
fn field_name(input: ParseStream) -> syn::Result<String> {
    if input.peek(LitInt) {
        let index: LitInt = input.parse()?;
        return index.base10_parse::<usize>().map(|index| index.to_string());
    }
    Ident::parse_any(input).map(|name| name.unraw().to_string())
}

/// What thiserror takes for the error inside: a marked field, or one that is called so.
fn is_inner(field: &syn::Field) -> bool {
    field.attrs.iter().any(|attr| attr.path().is_ident("from") || attr.path().is_ident("source"))
        || field.ident.as_ref().is_some_and(|name| name == "source")
}
