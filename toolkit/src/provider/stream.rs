//! Streamed replies, put together into the whole bodies that everything else reads.
//!
//! A stream is where calls get lost: fragments of two calls mixed up, a call run before its last fragment, the same call
//! run twice because a server sent it again. So nothing is read here but the pieces: their sum is a body of the shape
//! that the provider sends without streaming, and there is one reader for both.
//!
//! A stream that stops without saying that it is at its end is a reply that broke off. Its body says so in the
//! provider's own words, and none of its calls is run.

mod anthropic;
mod bedrock;
mod blocks;
mod chat;
mod cohere;
mod frames;
mod gemini;
mod ollama;
mod responses;
mod whole;

use std::fmt;

use foldhash::HashSet;
use serde_json::{Map, Value};

use self::anthropic::Anthropic;
use self::bedrock::Bedrock;
use self::chat::Chat;
use self::cohere::Cohere;
use self::frames::{Frame, Frames};
use self::gemini::Gemini;
use self::ollama::Ollama;
use self::responses::Responses;
use self::whole::Whole;
use super::reply::{error_text, says_something};
use super::{Export, ParseError, Provider};
use crate::call::ToolCall;

impl Provider {
    /// Reads a streamed reply: takes its bytes or its events as they arrive, and makes of them the body that the provider
    /// sends without streaming.
    ///
    /// ```
    /// # use toolkit::{ExportOptions, Provider, Registry, tool};
    /// # /// Adds two numbers.
    /// # #[tool(category = Compute)]
    /// # async fn add(a: i64, b: i64) -> i64 { a + b }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let registry = Registry::builder().tool::<add>().build()?;
    /// # let export = Provider::OpenAiChat.export(&registry, &ExportOptions::new())?;
    /// let chunks = [
    ///     r#"data: {"choices":[{"delta":{"content":"One moment."}}]}"#,
    ///     "\n\nda",
    ///     r#"ta: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"{"}}]}}]}"#,
    ///     "\n\n",
    ///     r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"a\":2,\"b\":40}"}}]}}]}"#,
    ///     "\n\ndata: [DONE]\n\n",
    /// ];
    /// let mut stream = Provider::OpenAiChat.stream();
    /// let mut shown = String::new();
    /// for chunk in chunks {
    ///     stream.feed_bytes(chunk.as_bytes())?;
    ///     shown.push_str(stream.new_text());
    /// }
    /// assert_eq!(shown, "One moment.");
    ///
    /// let body = stream.finish()?;
    /// let calls = export.parse_calls(&body)?;
    /// assert_eq!((calls.len(), &*calls[0].arguments().text()), (1, r#"{"a":2,"b":40}"#));
    /// # Ok(()) }
    /// ```
    #[must_use]
    #[inline]
    pub fn stream(self) -> ReplyStream {
        ReplyStream::new(self, assembly(self))
    }
}

/// A reply that is still arriving. [`Provider::stream`] begins one.
///
/// Bytes may come in pieces cut anywhere. They are server-sent events or JSON values one after the other, whichever the
/// server chose, so that a server that answers a streaming request with one plain body is read too. Bedrock's binary
/// framing is not read: its SDK decodes it, and [`feed`](Self::feed) takes the events, such as
/// `{"contentBlockStop": {"contentBlockIndex": 0}}`.
///
/// The first error ends the stream: what comes after it is not read, and `finish` returns it again.
pub struct ReplyStream {
    provider: Provider,
    frames: Frames,
    assembly: Box<dyn Assembly>,
    text: String,
    /// The ids of the calls that were given out.
    taken: HashSet<String>,
    /// How many calls were finished when somebody last asked.
    seen: usize,
    error: Option<ParseError>,
}

impl ReplyStream {
    fn new(provider: Provider, assembly: Box<dyn Assembly>) -> Self {
        Self {
            provider,
            frames: Frames::default(),
            assembly,
            text: String::new(),
            taken: HashSet::default(),
            seen: 0,
            error: None,
        }
    }

    /// Takes the next bytes of the response, as many as came.
    ///
    /// # Errors
    /// The provider reports an error inside the stream, or what came is no stream of this provider's.
    pub fn feed_bytes(&mut self, bytes: &[u8]) -> Result<(), ParseError> {
        self.text.clear();
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let mut frames = Vec::new();
        let read = self.frames.push(bytes, &mut frames);
        // What was complete before the fault still counts: an error of the provider's says more than a broken frame.
        let taken = frames.into_iter().try_for_each(|frame| self.take(frame));
        taken.and(read).map_err(|problem| self.fail(problem))
    }

    /// Takes the next event, already decoded: the JSON of one `data:` field or of one line.
    ///
    /// # Errors
    /// As for [`feed_bytes`](Self::feed_bytes). An event that is unknown, or of use to others only, is none.
    pub fn feed(&mut self, event: &Value) -> Result<(), ParseError> {
        self.text.clear();
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.take_event(event).map_err(|problem| self.fail(problem))
    }

    /// The text for the reader that came with the last feed: of the model's answer, and not of its thoughts.
    pub fn new_text(&self) -> &str {
        &self.text
    }

    /// The calls that have been finished since the last time, before the end of the reply, where the provider says that a
    /// call is finished.
    ///
    /// A head start, and no more: the calls of the reply are those of its [whole body](Self::finish), these among them,
    /// under the same ids. A call whose id the provider left out or gave twice waits for the whole body. Where the stream
    /// breaks off later, the body's calls are not run; what was started from here has happened all the same.
    pub fn finished_calls(&mut self, export: &Export) -> Vec<ToolCall> {
        let count = self.assembly.finished();
        if count == self.seen || self.error.is_some() {
            return Vec::new();
        }
        self.seen = count;
        let Some(Finished { ids, body }) = self.assembly.finished_calls() else { return Vec::new() };
        // The front of the reply may end in a way that the whole does not, and then says nothing yet.
        let calls = export.parse_calls(&body).unwrap_or_default();
        let given = calls.into_iter().zip(ids).take_while(|(call, id)| !id.trim().is_empty() && call.call_id() == id);
        given.map(|(call, _)| call).filter(|call| self.taken.insert(call.call_id().to_owned())).collect()
    }

    /// Whether the provider has said that the reply is at its end. Some send numbers about its use after that.
    pub fn is_complete(&self) -> bool {
        self.assembly.complete()
    }

    /// The whole body, as the provider sends it without streaming.
    ///
    /// Of a stream that broke off, the body of a reply that was cut off: its calls can be read and answered, and none of
    /// them is run. Arguments that are no JSON stand in it as text.
    ///
    /// # Errors
    /// The stream held no reply, or had an error.
    pub fn finish(mut self) -> Result<Value, ParseError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let frames = self.frames.end();
        let taken = frames.into_iter().try_for_each(|frame| self.take(frame));
        taken.map_err(|problem| problem.into_error(self.provider))?;
        let nothing = || ParseError::new(self.provider, "the stream ended before a reply began".to_owned());
        self.assembly.finish().ok_or_else(nothing)
    }

    fn take(&mut self, frame: Frame) -> Result<(), Problem> {
        match frame {
            Frame::Event(event) => self.take_event(&event),
            Frame::Failed(message) => Err(Problem::Reported(message)),
            Frame::Done => {
                self.assembly.done();
                Ok(())
            }
        }
    }

    fn take_event(&mut self, event: &Value) -> Result<(), Problem> {
        let Value::Object(fields) = event else {
            return Err(Problem::Malformed("an event is not a JSON object".to_owned()));
        };
        if let Some(error) = fields.get("error").filter(|error| says_something(error)) {
            return Err(Problem::Reported(error_text(error)));
        }
        self.assembly.take(fields, &mut self.text)
    }

    fn fail(&mut self, problem: Problem) -> ParseError {
        self.error.insert(problem.into_error(self.provider)).clone()
    }
}

impl fmt::Debug for ReplyStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, error, .. } = self;
        let complete = self.is_complete();
        f.debug_struct("ReplyStream")
            .field("provider", provider)
            .field("complete", &complete)
            .field("error", error)
            .finish()
    }
}

/// A reply of the provider's, before its first event. Of a constant one is left, as of dialects.
#[inline]
fn assembly(provider: Provider) -> Box<dyn Assembly> {
    match provider {
        Provider::OpenAiChat | Provider::Mistral | Provider::Xai | Provider::DeepSeek | Provider::Prompt => {
            Box::<Chat>::default()
        }
        Provider::OpenAiResponses => Box::<Responses>::default(),
        Provider::Anthropic => Box::<Anthropic>::default(),
        Provider::Gemini => Box::<Gemini>::default(),
        Provider::Bedrock => Box::<Bedrock>::default(),
        Provider::Cohere => Box::<Cohere>::default(),
        Provider::Ollama => Box::<Ollama>::default(),
        Provider::Mcp => Box::<Whole>::default(),
    }
}

/// How the events of one wire format become a body.
trait Assembly: Send + Sync {
    /// Takes one event, and adds the text for the reader that is in it.
    fn take(&mut self, event: &Map<String, Value>, text: &mut String) -> Result<(), Problem>;

    /// The mark that follows the last event, where a format has one.
    fn done(&mut self) {}

    /// Whether the reply is at its end.
    fn complete(&self) -> bool;

    /// How many calls at the front are known to be finished. Cheap: it is asked after every event.
    fn finished(&self) -> usize {
        0
    }

    /// Those calls.
    fn finished_calls(&self) -> Option<Finished> {
        None
    }

    /// The body, marked as cut off where the end never came. `None` where there was no reply at all.
    fn finish(self: Box<Self>) -> Option<Value>;
}

/// The calls at the front of a reply.
pub(super) struct Finished {
    /// As the provider gave them, blank where it gave none.
    ids: Vec<String>,
    /// A body that holds these calls only.
    body: Value,
}

/// Why a stream cannot be read on.
pub(super) enum Problem {
    /// The provider says what went wrong.
    Reported(String),
    /// It is not what this provider sends.
    Malformed(String),
}

impl Problem {
    fn into_error(self, provider: Provider) -> ParseError {
        match self {
            Problem::Reported(message) => ParseError::reported(provider, &message),
            Problem::Malformed(problem) => ParseError::new(provider, problem),
        }
    }
}

/// The text under a key; nothing where there is something else.
fn text_of<'a>(object: &'a Map<String, Value>, key: &str) -> &'a str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn object_of<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a Map<String, Value>> {
    object.get(key).and_then(Value::as_object)
}

/// The objects of a list. One that stands alone counts as a list of one.
fn objects<'a>(object: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = &'a Map<String, Value>> {
    let list: &[Value] = match object.get(key) {
        Some(Value::Array(list)) => list,
        Some(single @ Value::Object(_)) => std::slice::from_ref(single),
        _ => &[],
    };
    list.iter().filter_map(Value::as_object)
}

fn number_of(object: &Map<String, Value>, key: &str) -> Option<u64> {
    object.get(key).and_then(Value::as_u64)
}

/// Lengthens the text under a key.
fn append(object: &mut Map<String, Value>, key: &str, text: &str) {
    match object.get_mut(key) {
        Some(Value::String(so_far)) => so_far.push_str(text),
        _ => {
            object.insert(key.to_owned(), text.into());
        }
    }
}

/// Takes over what later events say better. A `null` says nothing, except where nothing was said before.
fn update(object: &mut Map<String, Value>, key: &str, value: &Value) {
    if !value.is_null() || !object.contains_key(key) {
        object.insert(key.to_owned(), value.clone());
    }
}

/// Lengthens a list under a key.
fn extend(object: &mut Map<String, Value>, key: &str, values: impl IntoIterator<Item = Value>) {
    match object.get_mut(key) {
        Some(Value::Array(list)) => list.extend(values),
        _ => {
            object.insert(key.to_owned(), values.into_iter().collect());
        }
    }
}

/// A text as the JSON that it is, or as text where it is none: whoever reads the call can then say what is wrong with it.
fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// A fragment of a call that never began has no name to run under, and no place in the reply.
fn drop_fragment(number: Option<u64>) {
    tracing::warn!(index = number, "a fragment of a streamed call belongs to no call and is dropped");
}

#[cfg(test)]
mod tests;
