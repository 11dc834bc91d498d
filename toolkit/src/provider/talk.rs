//! Where a conversation stands in a request, and what a reply says beside its calls.
//!
//! Every API keeps the history, the tools and its count of tokens in another place. The loop asks here, and knows none of
//! them.

use serde_json::{Map, Value};

use super::error::ParseError;
use super::names::Names;
use super::{Export, reply};
use crate::call::ToolCall;
use crate::classify::ErrorClass;
use crate::error::ToolError;
use crate::feedback::Language;

/// The parts of requests and replies that the loop needs.
pub(super) struct Talk {
    /// The field of the request that holds the history, as an array.
    pub(super) history: &'static str,
    /// Puts the tools where the request takes them. What is there already stays; what is there twice is put in once.
    pub(super) offer: fn(&mut Map<String, Value>, &Export, Language),
    /// What the model says to the reader: neither its thoughts nor its calls.
    pub(super) words: fn(&Value, &Names) -> String,
    pub(super) usage: Counts,
}

/// Where the counts of tokens stand in a reply, as JSON Pointers whose numbers are added.
pub(super) struct Counts {
    pub(super) input: &'static [&'static str],
    pub(super) output: &'static [&'static str],
}

/// How many tokens the provider says were read and written. Zero where it says nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub(crate) input: u64,
    pub(crate) output: u64,
}

impl Usage {
    /// The tokens that the model read, those from a cache among them.
    pub fn input_tokens(&self) -> u64 {
        self.input
    }

    /// The tokens that the model wrote, its thoughts among them where the provider counts them.
    pub fn output_tokens(&self) -> u64 {
        self.output
    }

    pub(crate) fn add(&mut self, other: Usage) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

/// A reply of the model, read.
pub(crate) struct Said {
    pub(crate) calls: Vec<ToolCall>,
    /// It reached the limit of its length.
    pub(crate) cut_off: bool,
    pub(crate) words: String,
    pub(crate) usage: Usage,
}

impl Export {
    fn talk(&self) -> Option<&'static Talk> {
        self.exchange.talk
    }

    /// The request with the tools in it, and its history as an array.
    ///
    /// # Errors
    /// It is no request of this provider's; in words.
    pub(crate) fn opened(&self, request: Value, language: Language) -> Result<Value, String> {
        let provider = self.provider();
        let Some(talk) = self.talk() else { return Err(format!("{provider} has no conversations")) };
        let Value::Object(mut body) = request else { return Err("the request is no JSON object".to_owned()) };
        match body.get_mut(talk.history) {
            Some(Value::Array(_)) => {}
            // One text alone is a short form, and so is one message.
            Some(text @ Value::String(_)) => {
                *text = serde_json::json!([{ "role": "user", "content": text.take() }]);
            }
            Some(message @ Value::Object(_)) => *message = Value::Array(vec![message.take()]),
            _ => return Err(format!("the request has no `{}`", talk.history)),
        }
        (talk.offer)(&mut body, self, language);
        Ok(Value::Object(body))
    }

    /// The history of a request that [`opened`](Self::opened) has made.
    pub(crate) fn history<'a>(&self, request: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        request.get_mut(self.talk()?.history)?.as_array_mut()
    }

    /// Everything that a reply says.
    ///
    /// # Errors
    /// As for [`parse_calls`](Self::parse_calls).
    pub(crate) fn said(&self, response: &Value) -> Result<Said, ParseError> {
        let (calls, cut_off) = self.read(response)?;
        let (words, usage) = match self.talk() {
            Some(talk) => ((talk.words)(response, self.names()), talk.usage.of(response)),
            None => (String::new(), Usage::default()),
        };
        Ok(Said { calls, cut_off, words, usage })
    }
}

impl Counts {
    fn of(&self, response: &Value) -> Usage {
        let sum = |pointers: &[&str]| {
            let counts = pointers.iter().filter_map(|pointer| response.pointer(pointer)?.as_u64());
            counts.fold(0, u64::saturating_add)
        };
        Usage { input: sum(self.input), output: sum(self.output) }
    }
}

/// What a body means that is no reply. Some servers report a failure with the status 200, and the failure's own in the
/// body.
pub(crate) fn failure(response: &Value, error: &ParseError) -> ToolError {
    if error.provider_message().is_none() {
        return ToolError::new(ErrorClass::Internal, error.to_string());
    }
    let code = ["/error/code", "/error/status", "/error/status_code"]
        .iter()
        .find_map(|pointer| response.pointer(pointer)?.as_u64())
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..600).contains(code));
    let status = code.unwrap_or_else(|| match reply::error_kind(response) {
        "overloaded_error" | "overloaded" | "server_overloaded" | "service_unavailable" => 529,
        "rate_limit_error" | "rate_limit_exceeded" | "too_many_requests" => 429,
        "timeout_error" | "timeout" => 504,
        _ => 500,
    });
    ToolError::from_http(status, std::iter::empty::<(&str, &[u8])>(), Some(response.to_string().as_bytes()))
}

/// `tools` as an array of the request, beside what the host has put there itself.
pub(super) fn offer(body: &mut Map<String, Value>, export: &Export, _: Language) {
    extend(body, "tools", export.tools());
    for (key, value) in export.request_fields() {
        body.insert(key.clone(), value.clone());
    }
}

/// Lengthens a list of tools. An empty one is refused by some servers, so it is not made.
pub(super) fn extend(body: &mut Map<String, Value>, key: &str, tools: &Value) {
    let tools = tools.as_array().map_or(&[][..], Vec::as_slice);
    if tools.is_empty() {
        return;
    }
    match body.get_mut(key) {
        Some(Value::Array(there)) => {
            let missing: Vec<Value> = tools.iter().filter(|tool| !there.contains(tool)).cloned().collect();
            there.extend(missing);
        }
        _ => {
            body.insert(key.to_owned(), tools.to_vec().into());
        }
    }
}

/// The texts of a message's parts, or the text that stands in their place. Thoughts have other keys, or say what they
/// are.
pub(super) fn words_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let is_thought = |part: &Value| part.get("thought").is_some_and(|thought| *thought == true);
            let text = |part: &Value| part.get("text")?.as_str().map(str::to_owned);
            parts.iter().filter(|part| !is_thought(part)).filter_map(text).collect()
        }
        _ => String::new(),
    }
}
