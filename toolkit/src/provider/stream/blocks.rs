//! Pieces that are numbered by the provider, each filled by several events.

use serde_json::{Map, Value};

use super::json_or_text;

/// A block of a reply: a text, a call, a thought.
pub(super) struct Block {
    number: u64,
    pub(super) fields: Map<String, Value>,
    /// The fragments of a call's arguments.
    pub(super) input: String,
    /// Nothing more belongs to it.
    pub(super) closed: bool,
}

impl Block {
    /// The arguments that the fragments make. Without fragments, what the start of the block said, or none.
    pub(super) fn arguments(&self, said: Option<&Value>) -> Value {
        if self.input.trim().is_empty() {
            return said.filter(|said| !said.is_null()).cloned().unwrap_or_else(|| Map::new().into());
        }
        json_or_text(&self.input)
    }
}

/// The blocks of a reply.
///
/// A number is a name and no place: a number that leaves a gap makes no empty blocks. A number that is used again, as some
/// gateways do, begins another block, and what follows belongs to the later one.
#[derive(Default)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// Begins a block. Without a number it comes after all others.
    pub(super) fn open(&mut self, number: Option<u64>, fields: Map<String, Value>) -> &mut Block {
        let next = || self.0.last().map_or(0, |last| last.number.saturating_add(1));
        let number = number.unwrap_or_else(next);
        // What is numbered in order stays as it came; a late block moves forward to its place.
        let place = self.0.iter().rposition(|block| block.number <= number).map_or(0, |before| before + 1);
        self.0.insert(place, Block { number, fields, input: String::new(), closed: false });
        &mut self.0[place]
    }

    /// The block of this number; without a number, the last one.
    pub(super) fn find(&mut self, number: Option<u64>) -> Option<&mut Block> {
        match number {
            Some(number) => self.0.iter_mut().rev().find(|block| block.number == number),
            None => self.0.last_mut(),
        }
    }

    /// The block of this number, begun with `fields` where it is not there yet.
    pub(super) fn find_or_open(
        &mut self,
        number: Option<u64>,
        fields: impl FnOnce() -> Map<String, Value>,
    ) -> &mut Block {
        let place = match number {
            Some(number) => self.0.iter().rposition(|block| block.number == number),
            None => self.0.len().checked_sub(1),
        };
        match place {
            Some(place) => &mut self.0[place],
            None => self.open(number, fields()),
        }
    }

    /// In the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Block> {
        self.0.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = Block> {
        self.0.into_iter()
    }
}
