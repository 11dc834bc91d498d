//! A tool that has been checked: from here on nothing can fail.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{Attribute, Path, Type, Visibility};

use crate::attr::{self, NAME_HELP, ToolKeys, refused_name};
use crate::docs::{Docs, is_shown};
use crate::errors::Errors;
use crate::item::{Function, allowed, conditions};
use crate::signature::{self, Argument, with_self};

/// A tool, as its expansion needs it.
pub(crate) struct Tool {
    /// The hidden module of the toolkit.
    pub(crate) private: TokenStream,
    pub(crate) conditions: Vec<Attribute>,
    /// The lints that the function allows.
    pub(crate) allowed: Vec<Attribute>,
    pub(crate) docs: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) function: Ident,
    /// The type whose method or associated function the tool is.
    pub(crate) owner: Option<Owner>,
    pub(crate) is_async: bool,
    /// The type that names the tool.
    pub(crate) handle: Ident,
    pub(crate) name: String,
    pub(crate) description: TokenStream,
    pub(crate) category: Ident,
    pub(crate) keys: ToolKeys,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) output: syn::ReturnType,
}

/// Where a tool stands that is no free function.
#[derive(Clone)]
pub(crate) struct Owner {
    pub(crate) ty: Type,
    /// Whether it is a method, for which a value of the type is registered.
    pub(crate) takes_self: bool,
}

/// The path of the hidden module, under the toolkit's own name or the one it was given.
pub(crate) fn private(root: Option<&Path>) -> TokenStream {
    root.map_or_else(|| quote!(::toolkit::__private), |root| quote!(#root::__private))
}

impl Tool {
    /// Checks everything, and takes the attributes that are ours off the function's arguments.
    pub(crate) fn check(
        mut keys: ToolKeys,
        function: &mut Function,
        owner: Option<&Type>,
        errors: &mut Errors,
    ) -> Result<Self, Box<ToolKeys>> {
        let signature = &mut function.signature;
        let ident = signature.ident.clone();
        let own_name = ident.unraw().to_string();
        let arguments = signature::read(signature, owner, errors);
        let takes_self = signature.receiver().is_some();

        let category = keys.category.take();
        if category.is_none() && !keys.says("category") {
            errors.push_help(
                &ident,
                format_args!("tool `{own_name}` does not say what it may do"),
                "add `category = Read`, `Compute`, `Write`, `Communicate` or `Dangerous`",
            );
        }
        let docs = Docs::of(&function.attributes);
        if !keys.says("description") && docs.is_blank() {
            errors.push_help(
                &ident,
                format_args!("tool `{own_name}` has no description"),
                "add a `///` comment; the model reads it to decide when to call the tool",
            );
        }
        if !keys.says("name")
            && let Some(problem) = refused_name(&own_name, &['_'])
        {
            errors.push_help(&ident, problem, format_args!("give it another: `name = \"…\"`; {NAME_HELP}"));
        }
        if let Some(owner) = owner {
            keys.check = keys.check.as_ref().map(|check| with_self(check, owner));
        }
        let Some(attr::Category(category)) = category.filter(|_| errors.is_empty()) else { return Err(Box::new(keys)) };
        Ok(Self {
            private: private(keys.root.as_ref()),
            conditions: conditions(&function.attributes),
            allowed: allowed(&function.attributes),
            docs: function.attributes.iter().filter(|attribute| is_shown(attribute)).cloned().collect(),
            visibility: function.visibility.clone(),
            is_async: function.signature.asyncness.is_some(),
            handle: keys.handle.clone().unwrap_or_else(|| ident.clone()),
            name: keys.name.as_ref().map_or(own_name, syn::LitStr::value),
            description: match &keys.description {
                Some(text) => quote!(#text),
                None => docs.expression(),
            },
            category,
            function: ident,
            owner: owner.map(|ty| Owner { ty: ty.clone(), takes_self }),
            arguments,
            output: function.signature.output.clone(),
            keys,
        })
    }
}
