//! `retry_after`: how long a field says to wait.

use std::time::Duration;

/// A field that says by its type how long it is.
#[diagnostic::on_unimplemented(
    message = "`retry_after` cannot tell how long `{Self}` is",
    label = "not a `Duration`",
    note = "use `Duration` or `Option<Duration>`; or give a number its unit: `retry_after(secs) = …` or `retry_after(millis) = …`"
)]
pub trait Wait {
    /// The length, where there is one.
    fn wait(&self) -> Option<Duration>;
}

#[diagnostic::do_not_recommend]
impl Wait for Duration {
    fn wait(&self) -> Option<Duration> {
        Some(*self)
    }
}

#[diagnostic::do_not_recommend]
impl Wait for Option<Duration> {
    fn wait(&self) -> Option<Duration> {
        *self
    }
}

/// A field whose unit the attribute gives.
///
/// Less than nothing, not a number and infinity are no hint at all; what no `Duration` can hold is the longest one.
#[diagnostic::on_unimplemented(
    message = "`retry_after` with a unit takes a number, and `{Self}` is none",
    label = "not an integer, a float, or an `Option` of one",
    note = "a `Duration` carries its own unit: write `retry_after = …` without `(secs)` or `(millis)`"
)]
pub trait Number {
    /// So many seconds.
    fn secs(&self) -> Option<Duration>;
    /// So many milliseconds.
    fn millis(&self) -> Option<Duration>;
}

macro_rules! integer {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Number for $ty {
            fn secs(&self) -> Option<Duration> {
                u128::try_from(*self).ok().map(|secs| whole(secs, 0))
            }
            fn millis(&self) -> Option<Duration> {
                let millis = u128::try_from(*self).ok()?;
                Some(whole(millis / 1000, (millis % 1000) as u32))
            }
        }
        optional!($ty);
    )*};
}

macro_rules! float {
    ($($ty:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Number for $ty {
            fn secs(&self) -> Option<Duration> {
                fraction(f64::from(*self))
            }
            fn millis(&self) -> Option<Duration> {
                fraction(f64::from(*self) / 1000.0)
            }
        }
        optional!($ty);
    )*};
}

// Not one impl for every `Option<T: Number>`: a wrong `Option<…>` is to be named as it stands.
macro_rules! optional {
    ($ty:ty) => {
        #[diagnostic::do_not_recommend]
        impl Number for Option<$ty> {
            fn secs(&self) -> Option<Duration> {
                self.as_ref().and_then(Number::secs)
            }
            fn millis(&self) -> Option<Duration> {
                self.as_ref().and_then(Number::millis)
            }
        }
    };
}

integer!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
float!(f32 f64);

fn whole(secs: u128, millis: u32) -> Duration {
    u64::try_from(secs).map_or(Duration::MAX, |secs| Duration::new(secs, millis * 1_000_000))
}

fn fraction(secs: f64) -> Option<Duration> {
    if !secs.is_finite() || secs < 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(secs).unwrap_or(Duration::MAX))
}

/// The wait in a field that needs no unit.
pub fn wait<T: Wait>(field: &T) -> Option<Duration> {
    field.wait()
}

/// The wait in a field of seconds.
pub fn wait_secs<T: Number>(field: &T) -> Option<Duration> {
    field.secs()
}

/// The wait in a field of milliseconds.
pub fn wait_millis<T: Number>(field: &T) -> Option<Duration> {
    field.millis()
}
