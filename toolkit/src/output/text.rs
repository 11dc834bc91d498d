//! Writes a result: a value that is a string goes out as its words, every other one as JSON.

use serde::Serialize;
use serde::ser::Serializer;
use serde_json::Error;

use super::ToolOutput;
use super::finite::Finite;

type Json = serde_json::Serializer<Vec<u8>>;
type Inner<'a> = Finite<&'a mut Json>;

pub(super) fn write<T: Serialize>(value: &T) -> Result<ToolOutput, Error> {
    let (mut json, mut plain) = (None, None);
    value.serialize(Top { json: &mut json, plain: &mut plain })?;
    match plain {
        Some(output) => Ok(output),
        None => match String::from_utf8(json.map(Json::into_inner).unwrap_or_default()) {
            Ok(text) => Ok(ToolOutput::json_text(text)),
            Err(error) => Err(serde::ser::Error::custom(error)),
        },
    }
}

/// The outermost level of a value: catches the string and the unit, and leaves the rest to `serde_json`.
struct Top<'a> {
    /// Made where it is needed: words need none.
    json: &'a mut Option<Json>,
    plain: &'a mut Option<ToolOutput>,
}

impl<'a> Top<'a> {
    fn json(self) -> Inner<'a> {
        Finite::new(self.json.insert(Json::new(Vec::with_capacity(128))), "")
    }
}

macro_rules! as_json {
    ($($method:ident($($argument:ident: $type:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<$ok, Error> {
            self.json().$method($($argument),*)
        }
    )*};
}

impl<'a> Serializer for Top<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = <Inner<'a> as Serializer>::SerializeSeq;
    type SerializeTuple = <Inner<'a> as Serializer>::SerializeTuple;
    type SerializeTupleStruct = <Inner<'a> as Serializer>::SerializeTupleStruct;
    type SerializeTupleVariant = <Inner<'a> as Serializer>::SerializeTupleVariant;
    type SerializeMap = <Inner<'a> as Serializer>::SerializeMap;
    type SerializeStruct = <Inner<'a> as Serializer>::SerializeStruct;
    type SerializeStructVariant = <Inner<'a> as Serializer>::SerializeStructVariant;

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        *self.plain = Some(ToolOutput::text(text));
        Ok(())
    }

    /// A tool that returns nothing says nothing; what the model reads then is up to the result.
    fn serialize_unit(self) -> Result<(), Error> {
        *self.plain = Some(ToolOutput::nothing());
        Ok(())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.json().serialize_newtype_variant(name, index, variant, value)
    }

    as_json! {
        serialize_bool(value: bool) -> ();
        serialize_i8(value: i8) -> ();
        serialize_i16(value: i16) -> ();
        serialize_i32(value: i32) -> ();
        serialize_i64(value: i64) -> ();
        serialize_i128(value: i128) -> ();
        serialize_u8(value: u8) -> ();
        serialize_u16(value: u16) -> ();
        serialize_u32(value: u32) -> ();
        serialize_u64(value: u64) -> ();
        serialize_u128(value: u128) -> ();
        serialize_f32(value: f32) -> ();
        serialize_f64(value: f64) -> ();
        serialize_char(value: char) -> ();
        serialize_bytes(value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit_struct(name: &'static str) -> ();
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> ();
        serialize_seq(length: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(length: usize) -> Self::SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> Self::SerializeTupleVariant;
        serialize_map(length: Option<usize>) -> Self::SerializeMap;
        serialize_struct(name: &'static str, length: usize) -> Self::SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> Self::SerializeStructVariant;
    }
}
