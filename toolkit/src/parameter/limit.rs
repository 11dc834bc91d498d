//! What an attribute demands of a value beyond its type: `range`, `length` and `pattern`.
//!
//! They stand in the schema and are checked on the typed value, so that exact input stays on its straight way.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZero;

use schemars::Schema;
use serde_json::Value;

use super::pattern::Pattern;

/// One end of a span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// A whole number.
    Int(i128),
    /// Any other number.
    Float(f64),
}

impl Bound {
    fn value(self) -> Value {
        match self {
            Bound::Int(number) => i64::try_from(number)
                .map(Value::from)
                .or_else(|_| u64::try_from(number).map(Value::from))
                // JSON has no other number so large.
                .unwrap_or_else(|_| Value::from(approximate(number))),
            Bound::Float(number) => number.into(),
        }
    }

    fn float(self) -> f64 {
        match self {
            Bound::Int(number) => approximate(number),
            Bound::Float(number) => number,
        }
    }
}

/// An end that is a whole number.
pub const fn int(number: i128) -> Option<Bound> {
    Some(Bound::Int(number))
}

/// An end that is any other number.
pub const fn float(number: f64) -> Option<Bound> {
    Some(Bound::Float(number))
}

#[expect(clippy::cast_precision_loss, reason = "a bound of a float is compared as a float")]
fn approximate(number: i128) -> f64 {
    number as f64
}

/// From one number to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least number, which is allowed.
    pub least: Option<Bound>,
    /// The greatest number.
    pub most: Option<Bound>,
    /// Whether the greatest number is just beyond the span.
    pub exclusive: bool,
}

impl Span {
    fn holds_int(&self, number: i128) -> bool {
        let least = self.least.is_none_or(|least| match least {
            Bound::Int(least) => number >= least,
            Bound::Float(least) => approximate(number) >= least,
        });
        let most = self.most.is_none_or(|most| match most {
            Bound::Int(most) => number < most || (number == most && !self.exclusive),
            Bound::Float(most) => self.is_below(approximate(number), most),
        });
        least && most
    }

    fn holds_float(&self, number: f64) -> bool {
        self.least.is_none_or(|least| number >= least.float())
            && self.most.is_none_or(|most| self.is_below(number, most.float()))
    }

    fn is_below(&self, number: f64, most: f64) -> bool {
        if self.exclusive { number < most } else { number <= most }
    }

    fn holds_length(&self, length: usize) -> bool {
        self.holds_int(i128::try_from(length).unwrap_or(i128::MAX))
    }

    /// The keywords that say it.
    pub(super) fn entries(
        &self,
        least: &'static str,
        most: &'static str,
        exclusive: &'static str,
    ) -> impl Iterator<Item = (&'static str, Value)> {
        let most = if self.exclusive { exclusive } else { most };
        let entry = |key, bound: Option<Bound>| bound.map(|bound| (key, bound.value()));
        entry(least, self.least).into_iter().chain(entry(most, self.most))
    }
}

/// The keywords that limit a length are named after what is counted.
pub(super) fn length_entries(span: &Span, schema: &mut Schema) {
    let has = |name: &str| match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(all)) => all.iter().any(|one| one == name),
        _ => false,
    };
    let (least, greatest) = match () {
        () if has("array") => ("minItems", "maxItems"),
        () if has("object") => ("minProperties", "maxProperties"),
        () => ("minLength", "maxLength"),
    };
    // A length is a whole number, so an end that does not belong to the span has a last one before it.
    let end = span.most.map(|most| match most {
        Bound::Int(number) if span.exclusive => Bound::Int(number.saturating_sub(1)),
        other => other,
    });
    let span = Span { least: span.least, most: end, exclusive: false };
    for (key, value) in span.entries(least, greatest, greatest) {
        schema.insert(key.to_owned(), value);
    }
}

/// A number, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`range` limits numbers, and `{Self}` is none",
    label = "has a `range`",
    note = "use `length` for texts and lists; a type of your own carries its limits itself, with `#[schemars(range(…))]`"
)]
pub trait Ranged {
    #[doc(hidden)]
    fn is_within(&self, span: &Span) -> bool;
}

macro_rules! ranged {
    (int $($int:ty)*; float $($float:ty)*) => {
        $(
            impl Ranged for $int {
                fn is_within(&self, span: &Span) -> bool {
                    // Only the upper half of `u128` does not fit, and no bound lies there.
                    span.holds_int(i128::try_from(*self).unwrap_or(i128::MAX))
                }
            }

            impl Ranged for NonZero<$int> {
                fn is_within(&self, span: &Span) -> bool {
                    self.get().is_within(span)
                }
            }
        )*
        $(
            impl Ranged for $float {
                fn is_within(&self, span: &Span) -> bool {
                    span.holds_float((*self).into())
                }
            }
        )*
    };
}

ranged!(int i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize; float f32 f64);

impl<T: Ranged> Ranged for Option<T> {
    fn is_within(&self, span: &Span) -> bool {
        self.as_ref().is_none_or(|value| value.is_within(span))
    }
}

/// A text, a list or a map, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`length` limits texts, lists and maps, and `{Self}` is none",
    label = "has a `length`",
    note = "use `range` for numbers; a type of your own carries its limits itself, with `#[schemars(length(…))]`"
)]
pub trait Lengthy {
    #[doc(hidden)]
    fn has_length_within(&self, span: &Span) -> bool;
}

impl Lengthy for String {
    /// In characters, as JSON Schema counts.
    fn has_length_within(&self, span: &Span) -> bool {
        span.holds_length(self.chars().count())
    }
}

macro_rules! lengthy {
    ($([$($generics:tt)*] $collection:ty;)*) => {$(
        impl<$($generics)*> Lengthy for $collection {
            fn has_length_within(&self, span: &Span) -> bool {
                span.holds_length(self.len())
            }
        }
    )*};
}

lengthy! {
    [T] Vec<T>;
    [T] VecDeque<T>;
    [T, S] HashSet<T, S>;
    [T] BTreeSet<T>;
    [K, V, S] HashMap<K, V, S>;
    [K, V] BTreeMap<K, V>;
    [] serde_json::Map<String, Value>;
}

impl<T: Lengthy> Lengthy for Option<T> {
    fn has_length_within(&self, span: &Span) -> bool {
        self.as_ref().is_none_or(|value| value.has_length_within(span))
    }
}

/// A text, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`pattern` limits texts, and `{Self}` is none",
    label = "has a `pattern`",
    note = "a type of your own carries its pattern itself, with `#[schemars(regex(…))]`"
)]
pub trait Textual {
    #[doc(hidden)]
    fn matches(&self, pattern: &Pattern) -> bool;
}

impl Textual for String {
    fn matches(&self, pattern: &Pattern) -> bool {
        pattern.is_match(self)
    }
}

impl<T: Textual> Textual for Option<T> {
    fn matches(&self, pattern: &Pattern) -> bool {
        self.as_ref().is_none_or(|value| value.matches(pattern))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Ranged as _, Span};

    #[test]
    fn a_span_holds_its_ends_and_nothing_beyond() {
        let closed = Span { least: Some(Bound::Int(1)), most: Some(Bound::Int(30)), exclusive: false };
        assert!([1_u8, 30].iter().all(|number| number.is_within(&closed)));
        assert!([0_u8, 31].iter().all(|number| !number.is_within(&closed)));
        let open = Span { exclusive: true, ..closed };
        assert!(29_i64.is_within(&open) && !30_i64.is_within(&open));
        assert!(29.999_f64.is_within(&open) && !30.0_f64.is_within(&open));
        assert!(!f64::NAN.is_within(&closed));
        assert!(!u128::MAX.is_within(&closed));
        assert!(None::<u8>.is_within(&closed) && !Some(0_u8).is_within(&closed));
    }
}
