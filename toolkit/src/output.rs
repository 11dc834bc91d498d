//! What a tool gives back, and how any return type becomes it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;

use serde::Serialize;
use serde_json::Value;

use crate::context::ToolContext;
use crate::error::ToolError;

mod attachment;
mod blocking;
mod finite;
mod kind;
mod limit;
mod shape;
mod text;

pub use self::attachment::Attachment;
pub(crate) use self::blocking::Body;
pub use self::blocking::run_blocking;
pub use self::kind::{Probe, finish, fit, split, tags, written};
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
