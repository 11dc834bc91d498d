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
///
/// The function stays as it was written, callable and testable. Beside it stands a type of the same name that names the
/// tool: `Registry::builder().tool::<weather>()`. The doc comment is what the model reads.
///
/// ```text
/// /// Tells the weather of the coming days.
/// #[tool(category = Read, timeout = "2s")]
/// async fn weather(
///     /// The city, in English.
///     city: String,
///     #[arg(default = 1, range = 1..=9)] days: u8,
///     #[state] stations: &Stations,
///     ctx: &ToolContext,
/// ) -> Result<Forecast, WeatherError> { … }
/// ```
///
/// | key | meaning |
/// |---|---|
/// | `category = Read` | what the tool may do: `Read`, `Compute`, `Write`, `Communicate` or `Dangerous`; always needed |
/// | `max_retries = 2` | how often a failed call is tried again, from 0 to 10 |
/// | `idempotent = true` | running it twice is running it once; true for `Read` and `Compute` where nothing is said |
/// | `timeout = "2s"` | the limit of one attempt: `"500ms"`, `"2s"`, `"1m"` |
/// | `name = "…"` | what the model calls; the function's name where nothing is said. Dots are rewritten where a provider has none |
/// | `description = "…"` | what the model reads instead of the doc comment |
/// | `max_output = 10000` | how many characters of the result the model sees |
/// | `budget = "orders"` | tools that say the same name pay their retries from one budget; each has its own where nothing is said |
/// | `roles = ["admin"]` | who sees the tool: callers with one of these roles; for every other it is not there |
/// | `sequential` | it never runs beside another call of its turn |
/// | `check = path` | a function that looks at the result, `fn(&T) -> Result<(), E>`; what it refuses is a permanent failure |
/// | `handle = Weather` | another name for the type, where the function's own is taken: by a module, say |
/// | `crate = ::path` | the path of the toolkit, where it is renamed or comes through another crate |
///
/// An argument is any type that is `serde::Deserialize` and `schemars::JsonSchema`. `Option<T>`, under any name, is
/// optional; `Option<Option<T>>` tells an absent argument (`None`) from `null` (`Some(None)`). In `#[arg(…)]` may stand
///
/// | key | meaning |
/// |---|---|
/// | `default`, `default = expr` | the value where the model gives none; evaluated once, shown in the schema, so it is `Serialize` |
/// | `range = 1..=30` | the numbers that are taken |
/// | `length = 1..=100` | how many characters, items or entries |
/// | `pattern = "^[a-z]+$"` | what a text looks like, by the regex crate with ASCII classes |
/// | `description = "…"` | what the model reads instead of the doc comment |
/// | `example = expr` | a value that the schema shows |
/// | `rename = "…"` | the key in the model's JSON |
/// | `secret` | the value is in no message, no log and no span |
///
/// Two arguments are not the model's: a `#[state]`, which is a reference to a value of the host's, and a reference to the
/// context of the call, which is known by its type.
///
/// A tool returns a value that is `Serialize`, a `ToolOutput`, nothing, or a `Result` of one of these. Its error is
/// `Classify`, a text, or any error that can be boxed. A function that is not async runs where it may block.
///
/// The future of a tool is `Send`. Where the compiler says that an implementation is *not general enough*, a closure that
/// borrows its argument gives back a future: let it take the value, with `into_iter()` instead of `iter()`.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), &item.into()).into()
}

/// Makes tools of the functions with `#[tool(…)]` in an impl block, one block a type.
///
/// Methods take `&self`; functions without a receiver are tools too. The value is handed over when the registry is built:
/// `Registry::builder().service(OrderService::new())`, or an `Arc` of it.
///
/// ```text
/// #[tools]
/// impl OrderService {
///     /// Cancels an order.
///     #[tool(category = Dangerous)]
///     async fn cancel_order(&self, order_id: String) -> Result<String, OrderError> { … }
/// }
/// ```
///
/// `#[tools(crate = ::path)]` names a renamed toolkit, for all of them.
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
