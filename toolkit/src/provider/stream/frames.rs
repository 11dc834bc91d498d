//! Bytes into events: server-sent events, or JSON values one after the other.
//!
//! Which of the two it is shows in the first character. A server that was asked for a stream may still answer with one
//! JSON body, above all with an error; and Gemini sends one JSON array, event by event, where nobody asks for the other.

use serde::de::IgnoredAny;
use serde_json::Value;

use super::{Problem, error_text};

/// The most bytes that one event may have. Generated images come as text inside an event.
const LONGEST: usize = 64 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What the bytes held.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    Event(Value),
    /// An event that is marked as an error, with its text.
    Failed(String),
    /// `[DONE]`.
    Done,
}

/// Bytes on their way to being events.
#[derive(Default)]
pub(super) struct Frames {
    form: Form,
    /// The line or the value that is still arriving.
    buffer: Vec<u8>,
    lines: Lines,
    values: Values,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Form {
    #[default]
    Unknown,
    Lines,
    Values,
}

/// Where we are in server-sent events.
#[derive(Default)]
struct Lines {
    /// The last byte was a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    name: String,
    data: Vec<u8>,
    /// How many `data` fields are in `data`.
    fields: usize,
}

/// Where we are in a JSON value. Only so much is understood as tells where it ends.
#[derive(Default)]
struct Values {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Frames {
    /// Takes bytes, and adds the frames that are complete with them.
    pub(super) fn push(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), Problem> {
        let mut bytes = bytes;
        let head;
        if self.form == Form::Unknown {
            self.buffer.extend_from_slice(bytes);
            let start = self.buffer.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.buffer).trim_ascii_start();
            match start.first() {
                // A cut mark cannot be told from its text yet.
                None => return self.small_enough(),
                Some(_) if BYTE_ORDER_MARK.starts_with(start) => return Ok(()),
                Some(b'{' | b'[') => self.form = Form::Values,
                Some(0) => return Err(malformed("it is a binary stream; decode it and feed its events")),
                Some(_) => self.form = Form::Lines,
            }
            head = start.to_vec();
            self.buffer.clear();
            bytes = &head;
        }
        match self.form {
            Form::Values => self.push_values(bytes, frames),
            _ => self.push_lines(bytes, frames),
        }
    }

    /// What is left when no more bytes come. An event that is cut in the middle is not there; that the reply is not whole
    /// shows by its missing end.
    pub(super) fn end(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        if self.form == Form::Lines {
            let line = std::mem::take(&mut self.buffer);
            let read = self.lines.line(&line, &mut frames).and_then(|()| self.lines.dispatch(&mut frames));
            // Not an error: the rest of it never came.
            drop(read);
        }
        frames
    }

    fn push_lines(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), Problem> {
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.lines.after_return) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.buffer.extend_from_slice(rest);
                return self.small_enough();
            };
            self.buffer.extend_from_slice(&rest[..end]);
            self.lines.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            self.small_enough()?;
            let mut line = std::mem::take(&mut self.buffer);
            self.lines.line(&line, frames)?;
            line.clear();
            self.buffer = line;
        }
        Ok(())
    }

    fn push_values(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), Problem> {
        let mut start = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            let Values { depth, in_string, escaped } = &mut self.values;
            if *in_string {
                match byte {
                    _ if *escaped => *escaped = false,
                    b'\\' => *escaped = true,
                    b'"' => *in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' if *depth > 0 => *in_string = true,
                b'{' if *depth == 0 => {
                    start = at;
                    *depth = 1;
                }
                b'{' | b'[' if *depth > 0 => *depth += 1,
                b'}' | b']' if *depth > 1 => *depth -= 1,
                b'}' | b']' if *depth == 1 => {
                    *depth = 0;
                    self.buffer.extend_from_slice(&bytes[start..=at]);
                    frames.push(Frame::Event(parse(&self.buffer)?));
                    self.buffer.clear();
                }
                // Between values: the array around all of them, its commas, new lines.
                b'[' | b']' | b',' if *depth == 0 => {}
                _ if *depth > 0 || byte.is_ascii_whitespace() => {}
                _ => return Err(malformed("there is something else between its JSON values")),
            }
        }
        if self.values.depth > 0 {
            self.buffer.extend_from_slice(&bytes[start..]);
        }
        self.small_enough()
    }

    fn small_enough(&self) -> Result<(), Problem> {
        small_enough(self.buffer.len())
    }
}

impl Lines {
    /// Takes one line, without its end.
    fn line(&mut self, line: &[u8], frames: &mut Vec<Frame>) -> Result<(), Problem> {
        if line.is_empty() {
            return self.dispatch(frames);
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => {
                self.separate(frames)?;
                self.name = String::from_utf8_lossy(value).into_owned();
            }
            b"data" => {
                self.separate(frames)?;
                if self.fields > 0 {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.fields += 1;
                small_enough(self.data.len())?;
            }
            // A comment, or of use to a client that reconnects.
            _ => {}
        }
        Ok(())
    }

    /// Some servers leave out the empty line between events. Only the first field is tried, so that an event of many
    /// lines is not read once a line.
    fn separate(&mut self, frames: &mut Vec<Frame>) -> Result<(), Problem> {
        if self.fields == 1 && serde_json::from_slice::<IgnoredAny>(&self.data).is_ok() {
            self.dispatch(frames)?;
        }
        Ok(())
    }

    /// The end of an event.
    fn dispatch(&mut self, frames: &mut Vec<Frame>) -> Result<(), Problem> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        self.fields = 0;
        match data.trim_ascii() {
            b"" => {}
            b"[DONE]" => frames.push(Frame::Done),
            data if name == "error" => {
                let message =
                    parse(data).map_or_else(|_| String::from_utf8_lossy(data).into_owned(), |e| error_text(&e));
                frames.push(Frame::Failed(message));
            }
            data => frames.push(Frame::Event(parse(data)?)),
        }
        Ok(())
    }
}

/// Bytes that are no UTF-8 are replaced, as browsers do: one bad character in a text is no reason to lose the reply.
fn parse(bytes: &[u8]) -> Result<Value, Problem> {
    serde_json::from_slice(bytes)
        .or_else(|_| serde_json::from_str(&String::from_utf8_lossy(bytes)))
        .map_err(|error| Problem::Malformed(format!("an event is not JSON: {error}")))
}

fn small_enough(length: usize) -> Result<(), Problem> {
    if length > LONGEST { Err(malformed("an event is longer than 64 MiB")) } else { Ok(()) }
}

fn malformed(problem: &str) -> Problem {
    Problem::Malformed(problem.to_owned())
}

#[cfg(test)]
mod tests;
