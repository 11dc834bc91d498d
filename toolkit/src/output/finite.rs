//! A serializer around another that refuses what JSON cannot say. `serde_json` writes `null` for a number that is none,
//! and a model reads that as a fact.

use serde::Serialize;
use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// A serializer, or a part of one, under a field of this name.
pub(super) struct Finite<S> {
    inner: S,
    field: &'static str,
}

impl<S> Finite<S> {
    pub(super) fn new(inner: S, field: &'static str) -> Self {
        Self { inner, field }
    }
}

/// A value on its way into a [`Finite`].
struct Checked<'a, T: ?Sized> {
    value: &'a T,
    field: &'static str,
}

impl<T: ?Sized + Serialize> Serialize for Checked<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Finite::new(serializer, self.field))
    }
}

impl<S: Serializer> Finite<S> {
    #[cold]
    fn refuse<T>(&self) -> Result<T, S::Error> {
        Err(S::Error::custom(if self.field.is_empty() {
            "a number is not finite".to_owned()
        } else {
            format!("`{}` is a number that is not finite", self.field)
        }))
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<S::Ok, S::Error> {
            self.inner.$method($($argument),*)
        }
    )*};
}

macro_rules! compound {
    ($($method:ident($($argument:ident: $type:ty),*) -> $compound:ident;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<Self::$compound, S::Error> {
            Ok(Finite::new(self.inner.$method($($argument),*)?, self.field))
        }
    )*};
}

impl<S: Serializer> Serializer for Finite<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Finite<S::SerializeSeq>;
    type SerializeTuple = Finite<S::SerializeTuple>;
    type SerializeTupleStruct = Finite<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Finite<S::SerializeTupleVariant>;
    type SerializeMap = Finite<S::SerializeMap>;
    type SerializeStruct = Finite<S::SerializeStruct>;
    type SerializeStructVariant = Finite<S::SerializeStructVariant>;

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.inner.serialize_f32(value) } else { self.refuse() }
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.inner.serialize_f64(value) } else { self.refuse() }
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Checked { value, field: self.field })
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(name, &Checked { value, field: self.field })
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_variant(name, index, variant, &Checked { value, field: variant })
    }

    forward! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    compound! {
        serialize_seq(length: Option<usize>) -> SerializeSeq;
        serialize_tuple(length: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, length: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> SerializeTupleVariant;
        serialize_map(length: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, length: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize) -> SerializeStructVariant;
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! items {
    ($($part:ident: $method:ident;)*) => {$(
        impl<S: $part> $part for Finite<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), S::Error> {
                self.inner.$method(&Checked { value, field: self.field })
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    )*};
}

items! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
}

macro_rules! fields {
    ($($part:ident)*) => {$(
        impl<S: $part> $part for Finite<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, field: &'static str, value: &T) -> Result<(), S::Error> {
                self.inner.serialize_field(field, &Checked { value, field })
            }

            fn skip_field(&mut self, field: &'static str) -> Result<(), S::Error> {
                self.inner.skip_field(field)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    )*};
}

fields!(SerializeStruct SerializeStructVariant);

impl<S: SerializeMap> SerializeMap for Finite<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), S::Error> {
        self.inner.serialize_key(&Checked { value: key, field: self.field }).map_err(|error| match self.field {
            "" => error,
            field => S::Error::custom(format_args!("`{field}`: {error}")),
        })
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_value(&Checked { value, field: self.field })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}
