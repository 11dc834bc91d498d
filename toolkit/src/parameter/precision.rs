//! Numbers where `serde_json` keeps them as they are written.
//!
//! Any crate of a program may turn that on, and then it is on for all. A fraction is shown as a map with one private key
//! to whoever asks for a value of any type, and what buffers values, such as a tagged enum, takes it for an object.

use std::fmt;
use std::iter;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer as _, MapAccess, Visitor};

const NUMBER: &str = "$serde_json::private::Number";

/// Whether a fraction is shown as a map in this program.
pub(super) fn fractions_are_maps() -> bool {
    struct Seen(bool);

    impl<'de> Deserialize<'de> for Seen {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_any(Self(false))
        }
    }

    impl<'de> Visitor<'de> for Seen {
        type Value = Self;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }

        fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
            Ok(Self(false))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self, A::Error> {
            while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self(true))
        }
    }

    static ARE_MAPS: LazyLock<bool> = LazyLock::new(|| serde_json::from_str("0.5").is_ok_and(|Seen(seen)| seen));
    *ARE_MAPS
}

/// Shows a fraction as the number that it is, and a map as it stands. A number that no `f64` holds stays as it is written.
pub(super) fn visit<'de, V: Visitor<'de>, A: MapAccess<'de>>(visitor: V, mut entries: A) -> Result<V::Value, A::Error> {
    let first = entries.next_key::<String>()?;
    if first.as_deref() != Some(NUMBER) {
        return visitor.visit_map(Again { first, entries });
    }
    let written: String = entries.next_value()?;
    let is_fraction = written.contains(['.', 'e', 'E']);
    match written.parse::<f64>() {
        Ok(number) if is_fraction && number.is_finite() => visitor.visit_f64(number),
        _ => visitor.visit_map(MapDeserializer::new(iter::once((NUMBER, written)))),
    }
}

/// The entries of a map whose first key was looked at.
struct Again<A> {
    first: Option<String>,
    entries: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Again<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        match self.first.take() {
            Some(key) => seed.deserialize(key.into_deserializer()).map(Some),
            None => self.entries.next_key_seed(seed),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.entries.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.entries.size_hint().map(|rest| rest + usize::from(self.first.is_some()))
    }
}
