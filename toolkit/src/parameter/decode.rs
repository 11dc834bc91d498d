//! The exact way in: one pass over the text, which finds the keys and leaves each value to its slot.

use super::{Arg, Param};
use crate::arguments::LONGEST;
use crate::classify::ErrorClass;
use crate::context::ToolContext;
use crate::error::ToolError;

/// A place for one argument, without its type.
pub trait Slot {
    /// Whether a value was read into it.
    fn is_full(&self) -> bool;
    /// Reads the value at the beginning of the text, that of the parameter at this place; says how long it was. A value
    /// that is not sure by itself is taken only where the schema has been asked.
    ///
    /// # Errors
    /// The type does not read it, or the attribute does not allow it.
    fn read(&mut self, text: &str, index: usize, checked: bool) -> Result<usize, Bad>;
    /// Fills the slot with what an absent value means, where that means anything.
    fn fill_missing(&mut self) -> bool;
}

/// A place for one argument of type `T`.
pub struct Typed<T: 'static> {
    /// The value, once [`decode`] has put it there.
    pub value: Option<T>,
    arg: &'static Arg<T>,
}

impl<T> Arg<T> {
    /// An empty place for one call's value.
    pub const fn slot(&'static self) -> Typed<T> {
        Typed { value: None, arg: self }
    }
}

/// A slot without a value after [`decode`], which leaves none.
///
/// # Errors
/// Always.
#[cold]
pub fn missing<T>() -> Result<T, Bad> {
    Err(Bad::Syntax)
}

impl<T> Slot for Typed<T> {
    fn is_full(&self) -> bool {
        self.value.is_some()
    }

    fn read(&mut self, text: &str, index: usize, checked: bool) -> Result<usize, Bad> {
        let found = (self.arg.read)(text, &mut self.value).map_err(|error| Bad::Value(index, error))?;
        if found.ignored {
            return Err(Bad::Ignored(index));
        }
        if found.unsure && !checked {
            return Err(Bad::Unsure);
        }
        if !self.value.as_ref().is_some_and(|value| self.arg.is_allowed(value)) {
            return Err(Bad::Limit(index));
        }
        Ok(found.length)
    }

    fn fill_missing(&mut self) -> bool {
        self.value = (self.arg.missing)();
        self.value.is_some()
    }
}

/// Why a text is not exact input.
#[derive(Debug)]
pub enum Bad {
    /// Not one JSON object, or not written in the plainest way.
    Syntax,
    /// A key that names no parameter, one that stands twice, or one that is written with escapes.
    Key,
    /// A parameter without a value.
    Missing,
    /// A value that the parameter's type does not read: the parameter's place, and what serde says.
    Value(usize, serde_json::Error),
    /// A value that the attribute of the parameter at this place does not allow.
    Limit(usize),
    /// A value of the host's that is not there: its type.
    State(&'static str),
    /// A value that its schema has to judge.
    Unsure,
    /// A key inside of the parameter at this place that its type does not know.
    Ignored(usize),
    /// A type of the arguments panicked while it was read.
    Panicked,
}

/// For a tool that borrows the host's values on a thread of its own.
impl From<Bad> for ToolError {
    fn from(bad: Bad) -> Self {
        let text = match bad {
            Bad::State(name) => format!("no state of type `{name}` was given to the executor"),
            other => format!("{other:?}"),
        };
        ToolError::new(ErrorClass::Internal, text).hidden()
    }
}

/// Fills the slots, one a parameter, from the text of a JSON object.
///
/// # Errors
/// The first thing that is not exact; the slots are then to be thrown away.
pub fn decode(cx: &ToolContext, text: &str, params: &[Param], slots: &mut [&mut dyn Slot]) -> Result<(), Bad> {
    if text.len() > LONGEST {
        return Err(Bad::Syntax);
    }
    let checked = cx.arguments_are_checked();
    let mut scanner = Scanner { text, at: 0 };
    scanner.expect(b'{')?;
    if scanner.next_is(b'}') {
        scanner.end()?;
        return fill_rest(cx, params, slots);
    }
    let mut guess = 0;
    let mut filled = 0;
    loop {
        scanner.expect(b'"')?;
        // Models write the keys in the order of the schema, so the next parameter is nearly always the one.
        let index = match params.get(guess) {
            Some(param) if scanner.takes_key(param.name) => guess,
            _ => {
                let key = scanner.key()?;
                params.iter().position(|param| param.name == key).ok_or(Bad::Key)?
            }
        };
        let Some(slot) = slots.get_mut(index) else { return Err(Bad::Key) };
        if slot.is_full() {
            return Err(Bad::Key);
        }
        scanner.expect(b':')?;
        scanner.at += slot.read(scanner.rest(), index, checked)?;
        filled += 1;
        guess = index + 1;
        if scanner.next_is(b',') {
            continue;
        }
        scanner.expect(b'}')?;
        scanner.end()?;
        return if filled == slots.len() { Ok(()) } else { fill_rest(cx, params, slots) };
    }
}

/// Gives every empty slot its default.
#[cold]
fn fill_rest(cx: &ToolContext, params: &[Param], slots: &mut [&mut dyn Slot]) -> Result<(), Bad> {
    for (index, (param, slot)) in params.iter().zip(slots).enumerate() {
        if slot.is_full() {
            continue;
        }
        if param.default.is_some() {
            let text = cx.default_of(index).ok_or(Bad::Missing)?;
            slot.read(text, index, true)?;
        } else if !slot.fill_missing() {
            return Err(Bad::Missing);
        }
    }
    Ok(())
}

/// The few bytes between the values.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn next_is(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), Bad> {
        if self.next_is(byte) { Ok(()) } else { Err(Bad::Syntax) }
    }

    fn end(&mut self) -> Result<(), Bad> {
        if self.peek().is_none() { Ok(()) } else { Err(Bad::Syntax) }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Whether what follows the opening quote is this key.
    fn takes_key(&mut self, name: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let found = rest.get(name.len()) == Some(&b'"') && rest.starts_with(name.as_bytes());
        self.at += if found { name.len() + 1 } else { 0 };
        found
    }

    /// The rest of a key without escapes: with one it is unusual, and the careful way reads it.
    fn key(&mut self) -> Result<&'a str, Bad> {
        let rest = self.rest();
        match rest.bytes().position(|byte| byte == b'"' || byte == b'\\' || byte < b' ') {
            Some(length) if rest.as_bytes().get(length) == Some(&b'"') => {
                self.at += length + 1;
                rest.get(..length).ok_or(Bad::Syntax)
            }
            _ => Err(Bad::Syntax),
        }
    }
}
