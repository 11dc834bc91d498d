//! Calls in a text: in `<tool_call>` tags, in code fences, or as JSON on lines of their own.
//!
//! What stands in a tag was meant as a call, and becomes one however badly it is written, so that it gets an answer. JSON
//! elsewhere may be anything, and is a call only where it has the form of one.

use crate::arguments::{self, Node};
use crate::call::Arguments;
use crate::provider::reply::Written;

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";
const FENCE: &str = "```";
/// What may stand between one call and the next.
const BETWEEN: [char; 6] = [' ', '\n', '\r', '\t', ',', ';'];

/// The calls of a text, and the rest of it.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) calls: Vec<Written>,
    /// The text beside the calls.
    pub(super) words: String,
    /// Where the last call ends.
    pub(super) end: usize,
    /// The text ends within a call.
    pub(super) cut_off: bool,
}

/// A part of the text that may hold calls.
struct Part<'a> {
    start: usize,
    end: usize,
    inner: &'a str,
    /// It stands in a tag.
    meant: bool,
    /// Its end is missing.
    open: bool,
}

/// The calls; `None` where there are none. `know` says whether there is a tool of this name.
pub(super) fn find(text: &str, know: impl Fn(&str) -> bool) -> Option<Found> {
    let mut found = Found::default();
    let mut at = 0;
    let mut kept = 0;
    while let Some(part) = next(text, at) {
        at = part.end;
        let Some(calls) = calls_in(&part, &know) else { continue };
        found.words.push_str(&text[kept..part.start]);
        kept = part.end;
        found.end = part.end;
        found.cut_off |= part.open;
        for (name, arguments) in calls {
            let place = found.calls.len();
            found.calls.push(Written { id: String::new(), name, arguments, place });
        }
    }
    if found.calls.is_empty() {
        return None;
    }
    found.words.push_str(&text[kept..]);
    // What a model makes up as the answer to its own call is no word to the reader.
    if let Some(made_up) = found.words.find("<tool_response") {
        found.words.truncate(made_up);
    }
    found.words = found.words.trim().to_owned();
    Some(found)
}

/// The next part from here on. Every part is longer than nothing, so the search ends.
fn next(text: &str, mut from: usize) -> Option<Part<'_>> {
    'search: loop {
        // What follows a part stands as if on a line of its own.
        let mut line_start = true;
        for (offset, c) in text[from..].char_indices() {
            let start = from + offset;
            let here = &text[start..];
            if c == '<' && here.starts_with(OPEN) {
                return Some(tagged(text, start));
            }
            if c == '`' && here.starts_with(FENCE) {
                return Some(fenced(text, start));
            }
            if line_start && matches!(c, '{' | '[') {
                let length = balanced(here);
                let end = start + length.unwrap_or(here.len());
                let after = text[end..].trim_start_matches([' ', '\t', '\r']);
                // Within a sentence it is spoken of, and not called.
                if !(after.is_empty() || after.starts_with(['\n', '{', '[', ',', ';', '<', '`'])) {
                    from = end;
                    continue 'search;
                }
                return Some(Part { start, end, inner: &text[start..end], meant: false, open: length.is_none() });
            }
            line_start = c == '\n' || (line_start && c.is_whitespace());
        }
        return None;
    }
}

fn tagged(text: &str, start: usize) -> Part<'_> {
    let inner = start + OPEN.len();
    let body = &text[inner..];
    // Where there is JSON it says where it ends, whatever its texts hold. Many a model stops there, without a tag.
    let values = values(body);
    if values > 0 {
        let rest = &body[values..];
        let blank = rest.len() - rest.trim_start().len();
        let tag = if rest[blank..].starts_with(CLOSE) { blank + CLOSE.len() } else { 0 };
        let end = inner + values + tag;
        return Part { start, end, inner: &body[..values], meant: true, open: false };
    }
    // Some open the next call without closing the last.
    let (length, tag) = match (body.find(CLOSE), body.find(OPEN)) {
        (Some(close), Some(open)) if open < close => (open, 0),
        (Some(close), _) => (close, CLOSE.len()),
        (None, Some(open)) => (open, 0),
        (None, None) => (body.len(), 0),
    };
    let end = inner + length + tag;
    Part { start, end, inner: &body[..length], meant: true, open: tag == 0 && end == text.len() }
}

/// The length of the JSON objects and lists at the beginning, one after the other.
fn values(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = text[end..].trim_start_matches(BETWEEN);
        match balanced(rest) {
            Some(length) => end = text.len() - rest.len() + length,
            None => return end,
        }
    }
}

fn fenced(text: &str, start: usize) -> Part<'_> {
    let body = &text[start + FENCE.len()..];
    let line = body.find('\n').map_or(0, |end| end + 1);
    let inner = &body[line..];
    match inner.find(FENCE) {
        Some(length) => {
            let end = start + FENCE.len() + line + length + FENCE.len();
            Part { start, end, inner: &inner[..length], meant: false, open: false }
        }
        None => {
            let open = balanced(inner.trim_start()).is_none();
            Part { start, end: text.len(), inner, meant: false, open }
        }
    }
}

fn strip_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let Some(inside) = trimmed.strip_prefix(FENCE) else { return text };
    let line = inside.find('\n').map_or(0, |end| end + 1);
    inside[line..].trim_end().trim_end_matches(FENCE)
}

/// The length of the JSON object or list at the beginning; `None` where its end is missing, or it is neither.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

type Call = (String, Arguments);

/// The calls of a part; `None` where it holds none and stays a part of the text.
fn calls_in(part: &Part<'_>, know: &impl Fn(&str) -> bool) -> Option<Vec<Call>> {
    let inner = strip_fence(part.inner);
    let mut calls = Vec::new();
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let value = balanced(rest).and_then(|length| {
            let node = arguments::tolerant(&rest[..length])?;
            Some((length, calls_of(&node, part.meant, know)?))
        });
        let Some((length, more)) = value else { break };
        calls.extend(more);
        rest = rest[length..].trim_start_matches(BETWEEN);
    }
    if calls.is_empty() || (part.open && !rest.is_empty()) {
        let call = broken(rest.trim());
        let is_call = part.meant || call.as_ref().is_some_and(|(name, _)| part.open && know(name));
        if is_call && !rest.trim().is_empty() {
            calls.push(call.unwrap_or_else(|| (String::new(), Arguments::raw(rest.trim()))));
        }
    }
    (!calls.is_empty()).then_some(calls)
}

const NAMES: [&str; 4] = ["name", "tool", "tool_name", "function"];
const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "params"];

/// The calls that a value stands for: one, a list of them, or an object around either.
fn calls_of(node: &Node<'_>, meant: bool, know: &impl Fn(&str) -> bool) -> Option<Vec<Call>> {
    match node {
        Node::List(items) if !items.is_empty() => {
            let calls: Option<Vec<_>> = items.iter().map(|item| calls_of(item, meant, know)).collect();
            calls.map(|calls| calls.into_iter().flatten().collect())
        }
        Node::Object(entries) => {
            let get = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, value)| value);
            if let Some(list @ Node::List(_)) = get("tool_calls").or_else(|| get("calls")) {
                return calls_of(list, meant, know);
            }
            if let Some(inner @ Node::Object(_)) = get("function").or_else(|| get("tool_call")) {
                return calls_of(inner, meant, know);
            }
            let name = NAMES.iter().find_map(|key| match get(key) {
                Some(Node::Text(name)) => Some(name.to_string()),
                _ => None,
            })?;
            let arguments = ARGUMENTS.iter().find_map(|key| get(key));
            // The list of tools, said again.
            if get("description").is_some() && get("arguments").is_none() {
                return None;
            }
            let arguments = match arguments {
                Some(Node::Text(text)) => Arguments::raw(&**text),
                Some(Node::Null) => Arguments::raw("{}"),
                Some(other) => Arguments::raw(other.to_string()),
                None if meant || know(&name) => Arguments::raw("{}"),
                None => return None,
            };
            Some(vec![(name, arguments)])
        }
        _ => None,
    }
}

/// A call that is no JSON: its name, and whatever stands where its arguments begin.
fn broken(text: &str) -> Option<Call> {
    let name = NAMES.iter().find_map(|key| {
        let value = after_key(text, key)?.strip_prefix('"')?;
        value.find('"').map(|end| value[..end].to_owned())
    })?;
    let arguments = ARGUMENTS.iter().find_map(|key| after_key(text, key)).unwrap_or("{");
    Some((name, Arguments::raw(arguments)))
}

/// What follows a key in quotes and its colon.
fn after_key<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let quoted = format!("\"{key}\"");
    let rest = &text[text.find(&quoted)? + quoted.len()..];
    rest.trim_start().strip_prefix(':').map(str::trim_start)
}
