//! The macros of `toolkit`. Use them through that crate: what they emit names its hidden module.

mod attr;
mod classify;
mod docs;
mod errors;
mod expand;
mod fallback;
mod item;
mod manifest;
mod model;
mod signature;
mod span;
mod suggest;
mod tool;

use proc_macro::TokenStream;

/// Makes a tool of a function.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), &item.into()).into()
}

/// Makes tools of the functions with `#[tool(…)]` in an impl block.
#[proc_macro_attribute]
pub fn tools(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tools(attribute.into(), &item.into()).into()
}

/// Says what each failure of an error type means, so that it is retried, and told to the model, as it should be.
///
/// Every variant, or the struct, carries one class in `#[class(…)]`: `timeout`, `network`, `rate_limit`,
/// `service_unavailable` (or `transient`), `invalid_argument`, `permission_denied`, `not_found`, `conflict`,
/// `internal` (or `permanent`), `unknown`; or `delegate`, which asks the error inside. Beside it may stand
///
/// | option | meaning |
/// |---|---|
/// | `retry_after = wait` | a field, or its index, that says how long to wait: a `Duration` or an `Option` of one |
/// | `retry_after(secs) = wait`, `retry_after(millis) = wait` | the same for a number, or an `Option` of one |
/// | `no_effect` | the failed attempt certainly changed nothing, so it may be made again |
/// | `hidden` | the model sees the class and not the text |
/// | `message = "…"` | what the model reads instead of the text; `{field}` and `{0}` stand for fields, `{{` for a brace |
/// | `detail = field`, `detail("key") = field` | one more fact for the model; the field is `Serialize` |
/// | `delegate = field` | `delegate`, where several fields are neither `#[from]`, `#[source]` nor named `source` |
///
/// `delegate` looks through `Box`, `Rc`, `Arc`, `Option` and references. An inner error that is `Classify` gives its
/// own verdict, apart from its `no_effect`: that speaks of one step and not of the whole tool. Any other error is
/// judged by the executor's classifier. `#[class(crate = ::path)]` on the type names a renamed `toolkit`.
///
/// ```text
/// #[derive(Debug, thiserror::Error, Classify)]
/// enum OrderError {
///     #[error("too many requests")]
///     #[class(rate_limit, retry_after = wait, no_effect)]
///     Throttled { wait: Duration },
///     #[error(transparent)]
///     #[class(delegate)]
///     Http(#[from] std::io::Error),
/// }
/// ```
#[proc_macro_derive(Classify, attributes(class))]
pub fn derive_classify(input: TokenStream) -> TokenStream {
    classify::derive(input.into()).into()
}
