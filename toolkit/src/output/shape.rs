//! The schema of a result, where its type has one.

use std::marker::PhantomData;

use schemars::{Schema, SchemaGenerator};

/// Finds out whether what a tool returns says what it looks like.
pub struct Returns<R>(PhantomData<fn(R)>);

impl<R> Returns<R> {
    /// A probe for this return type.
    #[expect(clippy::new_without_default, reason = "named by expansions alone")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// What makes the schema of a result, where there is one.
pub type Shape = Option<fn(&mut SchemaGenerator) -> Schema>;

/// The schema of a result, by the same kind of look-up as [`tags`](super::tags).
pub mod shapes {
    use schemars::{JsonSchema, SchemaGenerator};

    use super::{Returns, Shape};

    macro_rules! shapes {
        ($($(#[$doc:meta])* $by:ident: [$($generics:tt)*] $probe:ty => $shape:expr;)*) => {$(
            $(#[$doc])*
            #[doc(hidden)]
            pub trait $by {
                fn __shape(&self) -> Shape {
                    $shape
                }
            }

            impl<$($generics)*> $by for $probe {}
        )*};
    }

    /// The value of a `Result`.
    #[doc(hidden)]
    pub trait OfResult {
        fn __shape(&self) -> Shape;
    }

    impl<T: JsonSchema, E> OfResult for &&&Returns<Result<T, E>> {
        fn __shape(&self) -> Shape {
            Some(SchemaGenerator::subschema_for::<T>)
        }
    }

    /// The value itself.
    #[doc(hidden)]
    pub trait OfValue {
        fn __shape(&self) -> Shape;
    }

    impl<T: JsonSchema> OfValue for &Returns<T> {
        fn __shape(&self) -> Shape {
            Some(SchemaGenerator::subschema_for::<T>)
        }
    }

    shapes! {
        /// A `Result` whose value has no schema.
        OfOpaqueResult: [T, E] &&Returns<Result<T, E>> => None;
        /// Any other value without a schema.
        OfAnything: [R] Returns<R> => None;
    }
}
