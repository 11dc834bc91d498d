//! Which call a fragment belongs to.
//!
//! By the rule, each fragment has the number of its call, and the first one also the id and the name. Servers leave out
//! the number, number all calls 0, send the name with every fragment, or all of the call once more. So a fragment goes to
//! the call that it can only belong to; one that belongs to none is dropped, and the call that misses it then fails, which
//! is better than to run another call with it.

use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};

use super::super::drop_fragment;
use super::{number_of, object_of, text_of, update};

/// The calls of a message, in the order of their numbers.
#[derive(Default)]
pub(super) struct Calls(Vec<Call>);

/// A call in pieces.
#[derive(Default)]
pub(super) struct Call {
    number: u64,
    id: String,
    name: String,
    arguments: String,
    /// Whether the arguments are one JSON value, where that is known.
    whole: Option<bool>,
    /// What some servers send beside, such as a signature that they want back.
    beside: Map<String, Value>,
}

/// What one event says of a call.
struct Fragment<'a> {
    number: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: String,
}

impl Calls {
    pub(super) fn take(&mut self, fields: &Map<String, Value>) {
        // Some servers leave out the object around the name and the arguments.
        let function = object_of(fields, "function").unwrap_or(fields);
        let fragment = Fragment {
            number: number_of(fields, "index"),
            id: text_of(fields, "id"),
            name: text_of(function, "name"),
            arguments: match function.get("arguments") {
                Some(Value::String(text)) => text.clone(),
                None | Some(Value::Null) => String::new(),
                Some(other) => other.to_string(),
            },
        };
        let Some(place) = self.place(&fragment) else {
            return drop_fragment(fragment.number);
        };
        let call = &mut self.0[place];
        for (key, value) in fields {
            if !matches!(key.as_str(), "index" | "id" | "function" | "name" | "arguments") {
                update(&mut call.beside, key, value);
            }
        }
        if call.id.is_empty() {
            fragment.id.clone_into(&mut call.id);
        }
        let same_again = fragment.name == call.name && !call.name.is_empty();
        call.take_name(fragment.name);
        call.take_arguments(&fragment.arguments, same_again && fragment.id == call.id);
    }

    /// The place of the call that a fragment belongs to.
    fn place(&mut self, fragment: &Fragment<'_>) -> Option<usize> {
        let &Fragment { number, id, name, .. } = fragment;
        let found = match number {
            Some(number) => self.0.iter().rposition(|call| call.number == number),
            None if !id.is_empty() => self.0.iter().rposition(|call| call.id == id),
            None if name.is_empty() => self.0.len().checked_sub(1),
            None => self.0.len().checked_sub(1).filter(|last| {
                let last = &mut self.0[*last];
                last.name == name && !last.arguments.is_empty() && !last.is_whole()
            }),
        };
        match found {
            Some(place) if !self.0[place].is_followed_by(fragment) => Some(place),
            None if id.is_empty() && name.is_empty() => self.only_open(),
            _ => Some(self.insert(number, id)),
        }
    }

    /// The call that still lacks something, where there is only one.
    fn only_open(&mut self) -> Option<usize> {
        let mut open = (0..self.0.len()).filter(|place| !self.0[*place].is_whole());
        open.next().filter(|_| open.next().is_none())
    }

    fn insert(&mut self, number: Option<u64>, id: &str) -> usize {
        let number = number.unwrap_or_else(|| self.0.last().map_or(0, |last| last.number.saturating_add(1)));
        let place = self.0.iter().rposition(|call| call.number <= number).map_or(0, |before| before + 1);
        self.0.insert(place, Call { number, id: id.to_owned(), ..Call::default() });
        place
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.0.iter().map(|call| call.id.clone()).collect()
    }

    /// As they stand in a whole message.
    pub(super) fn written(&self) -> Value {
        let call = |call: &Call| {
            let mut fields = Map::new();
            fields.insert("id".to_owned(), call.id.as_str().into());
            fields.insert("type".to_owned(), "function".into());
            fields
                .extend(call.beside.iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.clone(), v.clone())));
            fields.insert("function".to_owned(), call.function());
            Value::from(fields)
        };
        self.0.iter().map(call).collect()
    }
}

impl Call {
    pub(super) fn take_function(&mut self, function: &Map<String, Value>) {
        self.take_name(text_of(function, "name"));
        self.take_arguments(text_of(function, "arguments"), false);
    }

    pub(super) fn function(&self) -> Value {
        json!({ "name": self.name, "arguments": self.arguments })
    }

    /// Names come in one piece, in several, or again and again.
    fn take_name(&mut self, name: &str) {
        if name.starts_with(&self.name) {
            name.clone_into(&mut self.name);
        } else {
            self.name.push_str(name);
        }
    }

    /// Lengthens the arguments. Where the fragment names the call once more, it may repeat the arguments so far as well.
    fn take_arguments(&mut self, arguments: &str, named_again: bool) {
        let repeats = named_again && !self.arguments.is_empty() && arguments.starts_with(&self.arguments);
        // `{}` stands for arguments that are still to come, in gateways that translate another provider's stream.
        let placeholder = self.arguments == "{}" && arguments.starts_with('{');
        if repeats || placeholder {
            arguments.clone_into(&mut self.arguments);
        } else {
            self.arguments.push_str(arguments);
        }
        if !arguments.is_empty() {
            self.whole = None;
        }
    }

    /// Whether a fragment that has the number of this call begins another one.
    fn is_followed_by(&mut self, fragment: &Fragment<'_>) -> bool {
        let &Fragment { id, name, ref arguments, .. } = fragment;
        // Some servers make up a new id for each fragment; only a call that begins has a name too.
        if name.is_empty() {
            return false;
        }
        if !id.is_empty() && !self.id.is_empty() && id != self.id {
            return true;
        }
        if self.arguments.is_empty() || self.arguments == "{}" && name == self.name {
            return false;
        }
        // The arguments of a call begin with a brace, and a rest that does is rare, so that they are seldom read here.
        let begins = arguments.trim_start().starts_with('{') && !arguments.starts_with(&self.arguments);
        name != self.name || begins && self.is_whole()
    }

    fn is_whole(&mut self) -> bool {
        let arguments = &self.arguments;
        *self.whole.get_or_insert_with(|| serde_json::from_str::<IgnoredAny>(arguments).is_ok())
    }
}
