//! Objects on their way through the guard: named fields and maps.

use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, Visitor};

use super::{Asked, Guard};

/// Reads named fields, for which neither a position nor anything else stands. A visitor of its own, and [`Keyed`] another,
/// so that the code of a derive is compiled once: [`Guard`] could hand it entries of three kinds, and an array.
pub(super) struct Named<'n, V>(pub(super) Guard<'n, V>);

impl<'de, V: Visitor<'de>> Visitor<'de> for Named<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        let entries = self.0.around(entries);
        self.0.inner.visit_map(entries)
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Guard<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.around(seed);
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// Reads keys of the model's own.
pub(super) struct Keyed<'n, V>(pub(super) Guard<'n, V>);

impl<'de, V: Visitor<'de>> Visitor<'de> for Keyed<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        let entries = Entries { guard: self.0.around(entries), keys: Vec::new() };
        self.0.inner.visit_map(entries)
    }
}

/// The entries of a map, with what is needed to see a key come back.
struct Entries<'n, A> {
    guard: Guard<'n, A>,
    keys: Vec<u64>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let seed = self.guard.asked(seed, Asked::Key);
        let key = self.guard.inner.next_key_seed(seed)?;
        if key.is_some() {
            let hash = self.guard.notes.key.get();
            // Two keys of one hash only lead to a closer look.
            if self.keys.contains(&hash) {
                self.guard.notes.unsure();
            }
            self.keys.push(hash);
        }
        Ok(key)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.guard.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.guard.size_hint()
    }
}
