//! What a tool gives back, and how any return type becomes it.

use std::any::Any;
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::Value;

use crate::classify::{Classification, Classify, ErrorClass, line_of};
use crate::context::ToolContext;
use crate::error::ToolError;

mod attachment;
mod blocking;
mod finite;
mod limit;
mod shape;
mod text;

pub use self::attachment::Attachment;
pub(crate) use self::blocking::Body;
pub use self::blocking::run_blocking;
pub(crate) use self::limit::shown;
pub use self::shape::{Returns, Shape, shapes};

/// One attempt of a tool. It borrows the context of its call.
pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<ToolOutput, ToolError>> + Send + 'a>>;

/// The result of a tool that succeeded: a text or a JSON value, and files and images beside it.
#[derive(Clone)]
pub struct ToolOutput(Box<Inner>);

// In a box, since an output goes through many hands before it is looked at.
#[derive(Clone)]
struct Inner {
    text: String,
    /// The JSON value of the text, made when somebody asks: few do.
    value: OnceLock<Box<Value>>,
    is_json: bool,
    attachments: Vec<Attachment>,
}

impl ToolOutput {
    /// A text that the model reads as it is.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(text.into(), false, OnceLock::new())
    }

    /// The text in bytes from elsewhere. Where they are not UTF-8 the model reads what can be read, and how much cannot:
    /// half a text looks like a whole one.
    pub fn text_of_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        let error = match String::from_utf8(bytes.into()) {
            Ok(text) => return Self::text(text),
            Err(error) => error,
        };
        let broken = error.as_bytes().utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
        let places = if broken == 1 { "place" } else { "places" };
        let text = String::from_utf8_lossy(error.as_bytes());
        Self::text(format!("{text}\n[{broken} {places} held bytes that are not UTF-8; \u{fffd} stands for them]"))
    }

    /// A JSON value.
    pub fn json(value: Value) -> Self {
        let text = value.to_string();
        Self::of(text, true, OnceLock::from(Box::new(value)))
    }

    pub(crate) fn json_text(text: String) -> Self {
        Self::of(text, true, OnceLock::new())
    }

    /// What a tool says that gives nothing back.
    pub(crate) fn nothing() -> Self {
        Self::of(String::new(), false, OnceLock::from(Box::new(Value::Null)))
    }

    fn of(text: String, is_json: bool, value: OnceLock<Box<Value>>) -> Self {
        Self(Box::new(Inner { text, value, is_json, attachments: Vec::new() }))
    }

    /// An image, such as `image/png`.
    pub fn image(media_type: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        Self::text("").and(Attachment { name: None, media_type: media_type.into(), data: data.into() })
    }

    /// A file.
    pub fn file(name: impl Into<String>, media_type: impl Into<String>, data: impl Into<Vec<u8>>) -> Self {
        Self::text("").and(Attachment { name: Some(name.into()), media_type: media_type.into(), data: data.into() })
    }

    /// The same output with an image or a file beside it.
    #[must_use]
    pub fn with(mut self, other: ToolOutput) -> Self {
        self.0.attachments.extend(other.0.attachments);
        self
    }

    fn and(mut self, attachment: Attachment) -> Self {
        self.0.attachments.push(attachment);
        self
    }

    /// The whole text, before any limit. A blank one stays blank here.
    pub fn as_text(&self) -> &str {
        &self.0.text
    }

    /// Whether the text is JSON, and not words.
    pub fn is_json(&self) -> bool {
        self.0.is_json
    }

    /// The images and files.
    pub fn attachments(&self) -> &[Attachment] {
        &self.0.attachments
    }

    /// The result as a JSON value: words are a JSON string.
    pub fn value(&self) -> &Value {
        let Inner { text, value, is_json, .. } = &*self.0;
        value.get_or_init(|| {
            let words = || Value::String(text.clone());
            Box::new(if *is_json { serde_json::from_str(text).unwrap_or_else(|_| words()) } else { words() })
        })
    }
}

impl fmt::Debug for ToolOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolOutput")
            .field("text", &self.0.text)
            .field("is_json", &self.0.is_json)
            .field("attachments", &self.0.attachments)
            .finish()
    }
}

/// A value that a tool may return: anything that is `serde::Serialize`, or a [`ToolOutput`].
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`, because it cannot be written as JSON",
    label = "the result is sent to the model as text or JSON",
    note = "add `#[derive(serde::Serialize)]` to `{Self}`, or return a `ToolOutput`"
)]
pub trait IntoOutput {
    /// The output, or why it cannot be written.
    ///
    /// # Errors
    /// What the serializer says: a key that is no string, an error of the type's own.
    fn into_output(self) -> Result<ToolOutput, serde_json::Error>;
}

impl IntoOutput for ToolOutput {
    fn into_output(self) -> Result<ToolOutput, serde_json::Error> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoOutput for T {
    fn into_output(self) -> Result<ToolOutput, serde_json::Error> {
        text::write(&self)
    }
}

/// Runs the tool's future and finishes what it returns, in one box.
pub fn run<'a, F, R>(
    cx: &'a ToolContext,
    future: F,
    finish: fn(R, &ToolContext) -> Result<ToolOutput, ToolError>,
) -> ToolFuture<'a>
where
    F: Future<Output = R> + Send + 'a,
    R: 'a,
{
    Box::pin(async move { finish(future.await, cx) })
}

/// A tool error that is not an error: it can neither be classified nor be boxed.
#[diagnostic::on_unimplemented(
    message = "the tool error type `{Self}` does not say how it is to be treated",
    label = "returned by a tool",
    note = "add `#[derive(toolkit::Classify)]` to `{Self}`, or implement `std::error::Error` for it"
)]
pub trait ToolErrorType {}

/// Finds out what kind of return type a tool has: by its type and not by its name, so that aliases count.
pub struct Probe<R>(PhantomData<fn(R)>);

impl<R> Probe<R> {
    /// A probe for the type of this value.
    pub fn of(_: &R) -> Self {
        Self(PhantomData)
    }
}

/// The kinds, the most particular first. Method look-up on `&&&&&&&Probe<R>` takes the first whose bound holds; the tag
/// carries no bound of its own, so that a mistake is reported once, by `Kind`.
pub mod tags {
    use super::{BoxError, Classify, DynError, Probe};

    macro_rules! tags {
        ($($(#[$doc:meta])* $tag:ident, $by:ident: [$($generics:tt)*] $probe:ty;)*) => {
            $(
                $(#[$doc])*
                #[derive(Clone, Copy)]
                pub struct $tag;

                impl<$($generics)*> by::$by for $probe {}
            )*

            /// The traits of the look-up, which an expansion brings into scope, and nothing else with them. The method has
            /// a name that no trait of the user's has for types of every kind.
            pub mod by {
                $(
                    #[doc(hidden)]
                    pub trait $by {
                        fn __tag(&self) -> super::$tag {
                            super::$tag
                        }
                    }
                )*
            }
        };
    }

    tags! {
        /// `Result<T, E>` whose error says what it means, and can be kept as a source.
        Classified, ByClassified: [T, E: Classify + Send + Sync] &&&&&&Probe<Result<T, E>>;
        /// `Result<T, E>` whose error says what it means and stays on its thread.
        Local, ByLocal: [T, E: Classify] &&&&&Probe<Result<T, E>>;
        /// `Result<T, E>` whose error is a text: the words of the tool's author.
        Words, ByWords: [T, E: AsRef<str> + Into<BoxError>] &&&&Probe<Result<T, E>>;
        /// `Result<T, E>` whose error is a report around another one, such as `anyhow::Error` or a boxed error.
        Report, ByReport: [T, E: AsRef<DynError> + Into<BoxError> + 'static] &&&Probe<Result<T, E>>;
        /// `Result<T, E>` whose error is left to the classifier.
        Opaque, ByOpaque: [T, E: Into<BoxError>] &&Probe<Result<T, E>>;
        /// Any other `Result`: a mistake, never a success with an error in it.
        Refused, ByRefused: [T, E] &Probe<Result<T, E>>;
        /// A value.
        Plain, ByPlain: [R] Probe<R>;
    }
}

type DynError = dyn StdError + Send + Sync;
type BoxError = Box<DynError>;

/// What a return type of this kind holds.
pub trait Kind<R> {
    /// The type of a success.
    type Value: IntoOutput;

    /// The success, or the error with its verdict.
    ///
    /// # Errors
    /// What the tool failed with.
    fn split(self, returned: R, cx: &ToolContext) -> Result<Self::Value, ToolError>;
}

/// The output or the error of what a tool returned. A function, and not a method, so that a bound that does not hold is
/// reported as that bound.
///
/// # Errors
/// What the tool failed with, or that its result cannot be written.
pub fn finish<K: Kind<R>, R>(kind: K, returned: R, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
    kind.split(returned, cx).and_then(written)
}

/// The value of what a tool returned, where the tool's author checks it before it goes out.
///
/// # Errors
/// What the tool failed with.
pub fn split<K: Kind<R>, R>(kind: K, returned: R, cx: &ToolContext) -> Result<K::Value, ToolError> {
    kind.split(returned, cx)
}

/// What the check says.
///
/// # Errors
/// The result is not fit for use.
pub fn fit<E: fmt::Display>(verdict: Result<(), E>) -> Result<(), ToolError> {
    verdict.map_err(|error| unfit(&error))
}

/// A result that its own author refuses. The tool ran: what it did is done, and running it again gives no better one.
#[cold]
fn unfit(error: &dyn fmt::Display) -> ToolError {
    let text = format!("the tool ran, and its result is not fit for use: {error}");
    ToolError::judged(Classification::inferred(ErrorClass::Internal), text)
}

/// The output of a value.
///
/// # Errors
/// It cannot be written.
pub fn written<T: IntoOutput>(value: T) -> Result<ToolOutput, ToolError> {
    value.into_output().map_err(unwritable)
}

#[cold]
fn unwritable(error: serde_json::Error) -> ToolError {
    let text = format!("the tool ran, and its result cannot be written as JSON: {error}");
    ToolError::judged(Classification::inferred(ErrorClass::Internal), text).source(error)
}

impl<T: IntoOutput, E: Classify + Send + Sync> Kind<Result<T, E>> for tags::Classified {
    type Value = T;

    fn split(self, returned: Result<T, E>, cx: &ToolContext) -> Result<T, ToolError> {
        returned.map_err(|error| {
            // A verdict needs no second one, and no copy of itself behind it.
            let mut error = Some(error);
            let verdict = (&mut error as &mut dyn Any).downcast_mut::<Option<ToolError>>().and_then(Option::take);
            let judged = || error.map(|error| cx.judge(&error).source(error));
            verdict.or_else(judged).unwrap_or_else(|| ToolError::new(ErrorClass::Unknown, "an error that is none"))
        })
    }
}

impl<T: IntoOutput, E: Classify> Kind<Result<T, E>> for tags::Local {
    type Value = T;

    fn split(self, returned: Result<T, E>, cx: &ToolContext) -> Result<T, ToolError> {
        returned.map_err(|error| match (cx.judge(&error), error.source()) {
            // What is behind it stays on its thread; its words do not.
            (judged, Some(cause)) => judged.source(line_of(cause)),
            (judged, None) => judged,
        })
    }
}

impl<T: IntoOutput, E: AsRef<str> + Into<BoxError>> Kind<Result<T, E>> for tags::Words {
    type Value = T;

    fn split(self, returned: Result<T, E>, cx: &ToolContext) -> Result<T, ToolError> {
        returned.map_err(|error| cx.judge_opaque(error.into(), true))
    }
}

impl<T: IntoOutput, E: AsRef<DynError> + Into<BoxError> + 'static> Kind<Result<T, E>> for tags::Report {
    type Value = T;

    /// Judged before it is boxed, since a box of a report hides the type of what it reports.
    fn split(self, returned: Result<T, E>, cx: &ToolContext) -> Result<T, ToolError> {
        returned.map_err(|error| match error.as_ref().downcast_ref::<ToolError>() {
            Some(own) => own.clone(),
            None => cx.judge_report(&error).source(error),
        })
    }
}

impl<T: IntoOutput, E: Into<BoxError>> Kind<Result<T, E>> for tags::Opaque {
    type Value = T;

    fn split(self, returned: Result<T, E>, cx: &ToolContext) -> Result<T, ToolError> {
        returned.map_err(|error| cx.judge_opaque(error.into(), false))
    }
}

impl<T: IntoOutput, E: ToolErrorType> Kind<Result<T, E>> for tags::Refused {
    type Value = T;

    fn split(self, _: Result<T, E>, _: &ToolContext) -> Result<T, ToolError> {
        Err(ToolError::new(ErrorClass::Internal, "the error of this tool is none"))
    }
}

impl<T: IntoOutput> Kind<T> for tags::Plain {
    type Value = T;

    fn split(self, returned: T, _: &ToolContext) -> Result<T, ToolError> {
        Ok(returned)
    }
}
