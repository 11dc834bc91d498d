//! A deserializer around that of `serde_json` that lets a derive read only what a person would read the same way.
//!
//! Derives are generous: they read a struct from an array by position, pass over unknown keys, and take the last of two
//! entries of a map. None of that is what a model meant for certain. Where serde buffers a value (tagged and untagged
//! enums, flattened fields, values of any type), nothing in it can be seen from here, so that is noted, and the value is
//! checked beside its schema.

mod object;

use std::cell::Cell;
use std::fmt;
use std::hash::BuildHasher as _;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

use self::object::{Keyed, Named};
use super::precision;

/// What was seen while a value was read.
#[derive(Default)]
pub(super) struct Notes {
    /// Something that the schema has to judge.
    unsure: Cell<bool>,
    /// A key that the type does not know.
    ignored: Cell<bool>,
    /// The hash of the last key of a map.
    key: Cell<u64>,
    /// The names of the variants of the enum in hand.
    variants: Cell<&'static [&'static str]>,
}

impl Notes {
    pub(super) fn is_unsure(&self) -> bool {
        self.unsure.get()
    }

    pub(super) fn has_ignored(&self) -> bool {
        self.ignored.get()
    }

    fn unsure(&self) {
        self.unsure.set(true);
    }
}

/// What the type asked for.
#[derive(Clone, Copy, PartialEq)]
enum Asked {
    /// Anything: serde buffers it.
    Any,
    /// A key of the model's own.
    Key,
    /// An enum, and the name of one of its variants.
    Enum,
    Variant,
    /// A number of 32 bits.
    Single,
    Other,
}

/// A value on its way through.
pub(super) struct Guard<'n, T> {
    inner: T,
    notes: &'n Notes,
    asked: Asked,
}

impl<'n, T> Guard<'n, T> {
    pub(super) fn new(inner: T, notes: &'n Notes) -> Self {
        Self { inner, notes, asked: Asked::Other }
    }

    fn around<U>(&self, inner: U) -> Guard<'n, U> {
        Guard { inner, notes: self.notes, asked: Asked::Other }
    }

    fn asked<U>(&self, inner: U, asked: Asked) -> Guard<'n, U> {
        Guard { inner, notes: self.notes, asked }
    }
}

impl<T> Guard<'_, T> {
    /// A text that is the key of a map, or the name of a variant. An enum that takes any name for one of its variants
    /// takes more than its schema says.
    fn see(&self, text: &str) {
        match self.asked {
            Asked::Key => self.notes.key.set(hash(text)),
            Asked::Variant if !self.notes.variants.get().contains(&text) => self.notes.ignored.set(true),
            _ => {}
        }
    }
}

fn hash(key: impl std::hash::Hash) -> u64 {
    foldhash::fast::FixedState::with_seed(0).hash_one(key)
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*) as $asked:ident;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let asked = if matches!(self.asked, Asked::Key | Asked::Variant) { self.asked } else { Asked::$asked };
            let visitor = self.asked(visitor, asked);
            self.inner.$method($($argument,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Guard<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any() as Any;
        deserialize_bool() as Other;
        deserialize_i8() as Other;
        deserialize_i16() as Other;
        deserialize_i32() as Other;
        deserialize_i64() as Other;
        deserialize_i128() as Other;
        deserialize_u8() as Other;
        deserialize_u16() as Other;
        deserialize_u32() as Other;
        deserialize_u64() as Other;
        deserialize_u128() as Other;
        deserialize_f32() as Single;
        deserialize_f64() as Other;
        deserialize_char() as Other;
        deserialize_str() as Other;
        deserialize_string() as Other;
        deserialize_bytes() as Other;
        deserialize_byte_buf() as Other;
        deserialize_option() as Other;
        deserialize_unit() as Other;
        deserialize_unit_struct(name: &'static str) as Other;
        deserialize_newtype_struct(name: &'static str) as Other;
        deserialize_seq() as Other;
        deserialize_tuple(length: usize) as Other;
        deserialize_tuple_struct(name: &'static str, length: usize) as Other;
        deserialize_identifier() as Other;
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.notes.variants.set(variants);
        let visitor = self.asked(visitor, Asked::Enum);
        self.inner.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = Named(self.around(visitor));
        self.inner.deserialize_struct(name, fields, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = Keyed(self.around(visitor));
        self.inner.deserialize_map(visitor)
    }

    /// Where a derive passes over the value of a key that it does not know.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.notes.ignored.set(true);
        self.inner.deserialize_ignored_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident($type:ty);)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            if self.asked == Asked::Key {
                self.notes.key.set(hash(&value));
            }
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Guard<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visit! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_i128(i128);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_u128(u128);
        visit_char(char);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.see(value);
        self.inner.visit_str(value)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.see(value);
        self.inner.visit_borrowed_str(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        // A derive would make infinity of it.
        if self.asked == Asked::Single && value.abs() > f64::from(f32::MAX) {
            return Err(E::invalid_value(Unexpected::Float(value), &"a number that 32 bits can hold"));
        }
        self.inner.visit_f64(value)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.around(value);
        self.inner.visit_some(value)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<V::Value, D::Error> {
        let value = self.around(value);
        self.inner.visit_newtype_struct(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        if self.asked == Asked::Any {
            self.notes.unsure();
        }
        let items = self.around(items);
        self.inner.visit_seq(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<V::Value, A::Error> {
        if self.asked == Asked::Any {
            self.notes.unsure();
        }
        let entries = self.around(entries);
        if self.asked == Asked::Any && precision::fractions_are_maps() {
            return precision::visit(self.inner, entries);
        }
        self.inner.visit_map(entries)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        let variant = self.around(variant);
        self.inner.visit_enum(variant)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Guard<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<S::Value, D::Error> {
        let value = self.asked(value, self.asked);
        self.inner.deserialize(value)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Guard<'_, A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let seed = self.around(seed);
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, 'n, A: EnumAccess<'de>> EnumAccess<'de> for Guard<'n, A> {
    type Error = A::Error;
    type Variant = Guard<'n, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let seed = Guard { inner: seed, notes: self.notes, asked: Asked::Variant };
        let (value, variant) = self.inner.variant_seed(seed)?;
        Ok((value, Guard::new(variant, self.notes)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Guard<'_, A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        let seed = self.around(seed);
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.around(visitor);
        self.inner.tuple_variant(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = Named(self.around(visitor));
        self.inner.struct_variant(fields, visitor)
    }
}
