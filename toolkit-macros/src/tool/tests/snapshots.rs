//! Whole expansions, as a person would write them. `UPDATE_EXPECT=1` writes them anew.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::{flat, messages};
use crate::tool::{tool, tools};

/// Compares the expansion with the file of that name.
fn expands_to(name: &str, expansion: TokenStream) {
    assert_eq!(messages(&expansion), [""; 0]);
    let file = syn::parse2(expansion).expect("the expansion is items");
    let written = prettyplease::unparse(&file);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/expand").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &written).expect("the snapshot can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, expected, "run with UPDATE_EXPECT=1 and look at the difference of {name}");
}

#[test]
fn a_simple_tool() {
    let item = quote! {
        /// Looks up one order.
        pub async fn order_status(
            /// The number of the order.
            order_id: String,
            limit: Option<u8>,
        ) -> Result<String, OrderError> {
            find(order_id, limit).await
        }
    };
    expands_to("simple.rs", tool(quote!(category = Read), &item));
}

#[test]
fn a_tool_with_everything() {
    let attribute = quote! {
        category = Write, max_retries = 3, idempotent = true, timeout = "1500ms", max_output = 200,
        budget = "orders", roles = ["sales", "admin"], sequential,
        name = "order-change", description = "Changes an order.", check = crate::is_fit, handle = Change
    };
    let item = quote! {
        #[cfg(feature = "orders")]
        #[allow(deprecated)]
        pub(crate) async fn change(
            /// The number of the order.
            #[arg(rename = "order", pattern = "^ORD[0-9]+$", example = "ORD1")]
            order_id: String,
            #[arg(default = 1, range = 1..=30)] days: u8,
            #[arg(default = "by mail", length = ..100, description = "How.")] way: String,
            #[cfg(feature = "notes")]
            #[arg(secret, default)]
            note: String,
            #[state] orders: &Orders,
            ctx: &ToolContext,
        ) -> anyhow::Result<Order> {
            orders.change(order_id, days, way, note, ctx.idempotency_key()).await
        }
    };
    expands_to("everything.rs", tool(attribute, &item));
}

#[test]
fn a_tool_that_blocks() {
    let item = quote! {
        /// Adds.
        fn add(a: i64, b: i64) -> i64 {
            a + b
        }
    };
    expands_to("sync.rs", tool(quote!(category = Compute), &item));
}

#[test]
fn a_service() {
    let item = quote! {
        impl Orders {
            /// Counts the orders.
            #[tool(category = Read)]
            async fn count(&self, since: Option<Self>) -> usize {
                self.all.len()
            }

            #[cfg(feature = "write")]
            /// Makes an order.
            #[tool(category = Write, max_retries = 0)]
            fn make(#[arg(default = Self::FIRST)] number: u32) -> Result<Self, Error> {
                Self::new(number)
            }

            fn all(&self) -> &[Order] {
                &self.all
            }
        }
    };
    expands_to("service.rs", tools(TokenStream::new(), &item));
}

#[test]
fn a_renamed_toolkit_is_not_called_by_its_own_name() {
    let root = quote!(crate = ::tk::inner);
    let keys =
        quote!(category = Read, timeout = "1s", idempotent = false, max_output = 5, budget = "b", check = is_fit);
    let broken = quote!(category = Nothing);
    let method = quote! {
        impl Service {
            /// A method with everything.
            #[tool(#keys)]
            async fn method(&self, #[arg(default, range = 1.., example = 1)] n: u8, #[state] s: &S, ctx: &C) -> R {
                body()
            }
        }
    };
    let function = quote! {
        /// A function with everything.
        fn function(
            #[arg(default = "x", length = 1..=2, pattern = "x", secret)] text: String,
            #[state] s: &S,
            ctx: &C,
        ) -> R {
            body()
        }
    };
    let broken_block = quote! {
        impl Service {
            #[tool(#broken)]
            fn method(&self) {}
        }
    };
    for expansion in [
        tool(quote!(#root, #keys), &function),
        tool(quote!(#root, #broken), &function),
        tools(root.clone(), &method),
        tools(root.clone(), &broken_block),
    ] {
        assert!(names_after_colons(&expansion, "tk") > 0, "{expansion}");
        assert_eq!(names_after_colons(&expansion, "toolkit"), 0, "{expansion}");
    }
    // The same look for the usual name: it can find one.
    assert!(names_after_colons(&tool(keys, &function), "toolkit") > 10);
}

/// How often `::name` stands in the tokens.
fn names_after_colons(tokens: &TokenStream, name: &str) -> usize {
    let all = flat(tokens.clone());
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let is_found = |found: &&[TokenTree]| match found {
        [a, b, TokenTree::Ident(c)] => is_colon(a) && is_colon(b) && c == name,
        _ => false,
    };
    all.windows(3).filter(is_found).count()
}
