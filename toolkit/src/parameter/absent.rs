//! What a type makes of an argument that is not there. That way optional parameters are known by their type, under any
//! name that it has.

use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};

/// The value of an absent argument: `None`, where the type is an `Option`.
pub(super) fn value<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent { inside: false }).ok()
}

/// The value of `null` for an `Option<Option<T>>`, which tells it apart from an absent one: `Some(None)`.
pub(super) fn null<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent { inside: true }).ok()
}

/// Has a value for an `Option` alone; or, `inside` of one that is there, for a second one.
struct Absent {
    inside: bool,
}

impl<'de> Deserializer<'de> for Absent {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom("absent"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        if self.inside { visitor.visit_some(Absent { inside: false }) } else { visitor.visit_none() }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
