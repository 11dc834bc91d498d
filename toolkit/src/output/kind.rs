//! The kinds of types that a tool may return, and what becomes of a value of each.

use std::any::Any;
use std::error::Error as StdError;
use std::fmt;
use std::marker::PhantomData;

use super::{IntoOutput, ToolOutput};
use crate::classify::{Classification, Classify, ErrorClass, line_of};
use crate::context::ToolContext;
use crate::error::ToolError;

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

/// The kinds, the most particular first. Method look-up on `&&&&&&&&Probe<R>` takes the first whose bound holds; the tag
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
        /// `Result<String, E>` whose error says what it means. The text goes out without a copy.
        Text, ByText: [E: Classify + Send + Sync] &&&&&&&Probe<Result<String, E>>;
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
        /// A text, which goes out without a copy.
        Spoken, BySpoken: [] &Probe<String>;
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

    /// The output, or the error with its verdict.
    ///
    /// # Errors
    /// What the tool failed with, or that its result cannot be written.
    fn finish(self, returned: R, cx: &ToolContext) -> Result<ToolOutput, ToolError>
    where
        Self: Sized,
    {
        self.split(returned, cx).and_then(written)
    }
}

/// The output or the error of what a tool returned. A function, and not a method, so that a bound that does not hold is
/// reported as that bound.
///
/// # Errors
/// What the tool failed with, or that its result cannot be written.
pub fn finish<K: Kind<R>, R>(kind: K, returned: R, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
    kind.finish(returned, cx)
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

impl<E: Classify + Send + Sync> Kind<Result<String, E>> for tags::Text {
    type Value = String;

    fn split(self, returned: Result<String, E>, cx: &ToolContext) -> Result<String, ToolError> {
        tags::Classified.split(returned, cx)
    }

    fn finish(self, returned: Result<String, E>, cx: &ToolContext) -> Result<ToolOutput, ToolError> {
        self.split(returned, cx).map(ToolOutput::text)
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

impl Kind<String> for tags::Spoken {
    type Value = String;

    fn split(self, returned: String, _: &ToolContext) -> Result<String, ToolError> {
        Ok(returned)
    }

    fn finish(self, returned: String, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text(returned))
    }
}

impl<T: IntoOutput> Kind<T> for tags::Plain {
    type Value = T;

    fn split(self, returned: T, _: &ToolContext) -> Result<T, ToolError> {
        Ok(returned)
    }
}
