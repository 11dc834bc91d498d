//! A type whose every failure has a verdict. After this stage nothing can fail.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Ident, Path, Type, WherePredicate};

use crate::errors::Errors;
use crate::suggest;

use super::message::Message;
use super::options::{self, CLASSES};
use super::parse::{self, Item, Items};

/// What the impl is made of.
pub(super) struct Model<'a> {
    /// Where the runtime crate is. Not known where its `crate = …` cannot be read.
    pub(super) root: Option<TokenStream>,
    pub(super) cases: Vec<Case<'a>>,
}

/// One variant, or the struct.
pub(super) struct Case<'a> {
    /// The variant's name; none for a struct.
    pub(super) variant: Option<&'a Ident>,
    pub(super) fields: FieldList<'a>,
    pub(super) options: Options,
}

/// What a `#[class(…)]` says, with fields by index.
pub(super) struct Options {
    pub(super) verdict: Verdict,
    pub(super) wait: Option<Wait>,
    pub(super) no_effect: bool,
    pub(super) hidden: bool,
    pub(super) message: Option<Message>,
    pub(super) details: Vec<(String, usize)>,
}

/// Where the class comes from.
pub(super) enum Verdict {
    /// A variant of `ErrorClass`.
    Class(&'static str),
    /// The error in this field.
    Delegate(usize),
}

/// `retry_after`.
pub(super) struct Wait {
    pub(super) field: usize,
    /// `wait`, `wait_secs` or `wait_millis`: the runtime's function that reads the field.
    pub(super) reader: &'static str,
}

/// The fields of a variant, with what a message calls the whole.
#[derive(Clone, Copy)]
pub(super) struct FieldList<'a> {
    pub(super) of: &'a Ident,
    /// `variant` or `struct`.
    pub(super) kind: &'static str,
    pub(super) fields: &'a Fields,
}

impl<'a> FieldList<'a> {
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&'a syn::Field> {
        self.fields.iter().nth(index)
    }

    /// The type of a field that was found before.
    pub(super) fn ty(&self, index: usize) -> Option<&'a Type> {
        self.get(index).map(|field| &field.ty)
    }

    /// Names without `r#`, or indices.
    pub(super) fn names(&self) -> Vec<String> {
        let name = |(index, field): (usize, &syn::Field)| {
            field.ident.as_ref().map_or_else(|| index.to_string(), |ident| ident.unraw().to_string())
        };
        self.fields.iter().enumerate().map(name).collect()
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names().iter().position(|known| known == name)
    }

    /// That there is no such field.
    pub(super) fn missing(&self, name: &str) -> String {
        format!("{} `{}` has no field `{name}`", self.kind, self.of)
    }

    /// Which fields there are.
    pub(super) fn inventory(&self) -> String {
        let names = self.names();
        match names.len() {
            0 => format!("`{}` has no fields", self.of),
            1 => format!("its only field is {}", suggest::list(names.iter().map(String::as_str), "and")),
            _ => format!("its fields are {}", suggest::list(names.iter().map(String::as_str), "and")),
        }
    }
}

/// What a pattern of the impl binds a field to. A field's own name could be that of a const in scope, and would then
/// be compared with it and not bound.
pub(super) fn binding_name(index: usize) -> String {
    format!("__f{index}")
}

/// The same as an identifier.
pub(super) fn binding(index: usize) -> Ident {
    Ident::new(&binding_name(index), Span::mixed_site())
}

/// Reads the whole type.
pub(super) fn read<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Model<'a> {
    let mut on_type = parse::items(&input.attrs, errors);
    let root = root(&mut on_type, errors);
    refuse_borrowed(input, errors);
    let mut cases = Vec::new();
    match &input.data {
        Data::Struct(data) => {
            let fields = FieldList { of: &input.ident, kind: "struct", fields: &data.fields };
            refuse_on_fields(fields, errors);
            let options = options::read(&on_type, fields, errors);
            cases.extend(options.map(|options| Case { variant: None, fields, options }));
        }
        Data::Enum(data) => {
            for item in &on_type.items {
                errors.push_help(
                    item,
                    format_args!(
                        "`{}` belongs to a variant: each failure of an enum has a class of its own",
                        item.word()
                    ),
                    "move it to the variants that it is meant for",
                );
            }
            for variant in &data.variants {
                let fields = FieldList { of: &variant.ident, kind: "variant", fields: &variant.fields };
                refuse_on_fields(fields, errors);
                let items = parse::items(&variant.attrs, errors);
                let options = options::read(&items, fields, errors);
                cases.extend(options.map(|options| Case { variant: Some(&variant.ident), fields, options }));
            }
        }
        Data::Union(data) => errors.push(
            data.union_token,
            format_args!(
                "`{}` is a union, which cannot be an error; `Classify` is derived for enums and structs",
                input.ident
            ),
        ),
    }
    Model { root, cases }
}

/// Takes `crate = ::path` out of the items of the type.
fn root(on_type: &mut Items, errors: &mut Errors) -> Option<TokenStream> {
    let (roots, rest): (Vec<Item>, Vec<Item>) =
        std::mem::take(&mut on_type.items).into_iter().partition(|item| item.word() == "crate");
    on_type.items = rest;
    let mut roots = roots.into_iter();
    let Some(item) = roots.next() else { return Some(quote!(::toolkit)) };
    for again in roots {
        errors.push(again, "`crate` is given twice");
    }
    let path = match (&item.argument, &item.value) {
        (None, Some(value)) => syn::parse::Parser::parse2(Path::parse_mod_style, value.clone()).ok(),
        _ => None,
    };
    if path.is_none() {
        errors.push_help(
            &item,
            "`crate` takes the path of the `toolkit` crate",
            "write `crate = ::path`, without quotes",
        );
    }
    path.map(ToTokens::into_token_stream)
}

type Bounds = syn::punctuated::Punctuated<syn::Lifetime, syn::Token![+]>;

/// An error is judged wherever it ends up, so it cannot borrow.
fn refuse_borrowed(input: &DeriveInput, errors: &mut Errors) {
    let predicates = || input.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    for param in &input.generics.params {
        let GenericParam::Lifetime(param) = param else { continue };
        let is_static = |bounds: &Bounds| bounds.iter().any(|bound| bound.ident == "static");
        let outlives = predicates().any(|predicate| match predicate {
            WherePredicate::Lifetime(clause) => clause.lifetime == param.lifetime && is_static(&clause.bounds),
            _ => false,
        });
        if !outlives && !is_static(&param.bounds) {
            errors.push_help(
                &param.lifetime,
                format_args!("`{}` borrows, and a classified error must own its data", input.ident),
                "use `String` or `Cow<'static, str>` instead of `&str`",
            );
        }
    }
}

fn refuse_on_fields(fields: FieldList<'_>, errors: &mut Errors) {
    let class = |attr: &&Attribute| attr.path().is_ident("class");
    for attr in fields.fields.iter().flat_map(|field| field.attrs.iter().filter(class)) {
        errors.push_help(
            attr,
            "`#[class(…)]` does not belong on a field",
            format_args!("move it to the {} `{}`; an option there names the field", fields.kind, fields.of),
        );
    }
}

/// That something has no class, though it may have an option, and which classes there are.
pub(super) fn unclassified(fields: FieldList<'_>, option: Option<&Item>, errors: &mut Errors) {
    let classes = suggest::list(CLASSES.iter().map(|(name, _)| *name), "or");
    let FieldList { kind, of, .. } = fields;
    match option {
        None => errors.push_help(
            of,
            format_args!("{kind} `{of}` does not say what it means"),
            format_args!("add `#[class(…)]` with one of {classes}; or `delegate`, to ask the error inside"),
        ),
        Some(option) => errors.push_help(
            option,
            format_args!("{kind} `{of}` has `{}` and no class", option.word()),
            format_args!("put before it one of {classes}; or `delegate`, to ask the error inside"),
        ),
    }
}
