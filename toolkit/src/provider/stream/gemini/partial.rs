//! Arguments that come value by value, each with its place as a JSON path, as Vertex sends them where asked to.

use foldhash::HashSet;
use serde_json::{Map, Value};

use super::{objects, text_of};

/// The most steps of a place. Values that are deeper could not be read again.
const DEEPEST: usize = 64;

/// A call whose arguments come in pieces.
pub(super) struct Call {
    arguments: Map<String, Value>,
    /// The places whose text goes on.
    unfinished: HashSet<String>,
    /// Pieces without a place that makes sense.
    misplaced: Vec<Value>,
    open: bool,
}

/// One step of a place.
enum Step {
    Key(String),
    Item(usize),
}

impl Call {
    /// The call that begins here, where it comes in pieces.
    pub(super) fn begun(fields: &Map<String, Value>) -> Option<Self> {
        if !goes_on(fields) && !fields.contains_key("partialArgs") {
            return None;
        }
        let arguments = fields.get("args").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut call = Self { arguments, unfinished: HashSet::default(), misplaced: Vec::new(), open: true };
        call.take(fields);
        Some(call)
    }

    pub(super) fn take(&mut self, fields: &Map<String, Value>) {
        for piece in objects(fields, "partialArgs") {
            let path = text_of(piece, "jsonPath");
            let more = self.more(path, goes_on(piece));
            // The end of a text may come without more of it.
            let Some(value) = value(piece) else { continue };
            if !steps(path).is_some_and(|steps| self.place(steps, value, more)) {
                self.misplaced.push(piece.clone().into());
            }
        }
        if let Some(Value::Object(arguments)) = fields.get("args") {
            self.arguments.extend(arguments.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        self.open = goes_on(fields);
    }

    /// Whether the text at a place was to go on; and notes whether it still is.
    fn more(&mut self, path: &str, goes_on: bool) -> bool {
        if goes_on { !self.unfinished.insert(path.to_owned()) } else { self.unfinished.remove(path) }
    }

    fn place(&mut self, steps: Vec<Step>, value: Value, more: bool) -> bool {
        let mut steps = steps.into_iter();
        let Some(Step::Key(key)) = steps.next() else { return false };
        let mut place = self.arguments.entry(key).or_insert(Value::Null);
        for step in steps {
            let next = match step {
                Step::Key(key) => {
                    if place.is_null() {
                        *place = Map::new().into();
                    }
                    place.as_object_mut().map(|object| object.entry(key).or_insert(Value::Null))
                }
                Step::Item(item) => {
                    if place.is_null() {
                        *place = Value::Array(Vec::new());
                    }
                    place.as_array_mut().and_then(|list| {
                        // The next item or one that is there: no number makes a list longer than what came.
                        if item == list.len() {
                            list.push(Value::Null);
                        }
                        list.get_mut(item)
                    })
                }
            };
            let Some(next) = next else { return false };
            place = next;
        }
        match (place, value) {
            (Value::String(so_far), Value::String(piece)) if more => so_far.push_str(&piece),
            // What has fields of its own is not overwritten.
            (Value::Object(_) | Value::Array(_), _) => return false,
            (place, value) => *place = value,
        }
        true
    }

    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Puts the arguments into the call as it stands in a whole response. Where a piece has no place, nobody knows what
    /// they were to be, and the pieces stand there instead, which are no arguments.
    pub(super) fn write(&self, function: &mut Map<String, Value>) {
        function.remove("partialArgs");
        function.remove("willContinue");
        let arguments = if self.misplaced.is_empty() {
            Value::from(self.arguments.clone())
        } else {
            Value::from(self.misplaced.clone()).to_string().into()
        };
        function.insert("args".to_owned(), arguments);
    }
}

fn goes_on(fields: &Map<String, Value>) -> bool {
    fields.get("willContinue").is_some_and(|more| more == true)
}

/// The value of a piece. Strings, numbers and truth values stand under keys of their own.
fn value(piece: &Map<String, Value>) -> Option<Value> {
    match ["stringValue", "numberValue", "boolValue"].iter().find_map(|key| piece.get(*key)) {
        Some(value) => Some(value.clone()),
        None if piece.contains_key("nullValue") => Some(Value::Null),
        None => None,
    }
}

/// The steps of a JSON path that names one place: `$.a.b[0]['c d']`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == DEEPEST {
            return None;
        }
        let step;
        (step, rest) = match rest.strip_prefix('[') {
            Some(bracket) if bracket.starts_with(['\'', '"']) => quoted(bracket)?,
            Some(bracket) => {
                let (digits, rest) = bracket.split_once(']')?;
                (Step::Item(digits.parse().ok()?), rest)
            }
            None => {
                let name = rest.strip_prefix('.')?;
                let end = name.find(['.', '[']).unwrap_or(name.len());
                let (name, rest) = name.split_at(end);
                if name.is_empty() || name == "*" {
                    return None;
                }
                (Step::Key(name.to_owned()), rest)
            }
        };
        steps.push(step);
    }
    Some(steps)
}

/// A key in quotes, with what follows its bracket.
fn quoted(text: &str) -> Option<(Step, &str)> {
    let mut characters = text.char_indices();
    let (_, quote) = characters.next()?;
    let mut key = String::new();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => key.push(characters.next()?.1),
            _ if character == quote => return Some((Step::Key(key), text[at + 1..].strip_prefix(']')?)),
            _ => key.push(character),
        }
    }
    None
}
