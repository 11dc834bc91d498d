//! `delegate`: the error in a field, whatever it is wrapped in, and whether it is `Classify`.
//!
//! No bound can ask "is it `Classify`, or else an error", so method lookup asks: of several traits with one method,
//! it takes the one whose receiver needs the fewest dereferences and whose impl holds. `inner!` calls each method on
//! references to references, and the impls stand on ever fewer of them in the order in which they count.

use std::error::Error;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

#[cfg(all(feature = "anyhow", feature = "discover"))]
use crate::classify::Known;
use crate::classify::{Classification, Classify, ErrorClass};

/// The error in a field: `inner!(Type, reference)`, a [`Judged`].
#[doc(hidden)]
#[macro_export]
macro_rules! __inner {
    ($ty:ty, $field:expr) => {{
        use $crate::__private::{
            JudgeClassified as _, JudgeError as _, JudgeOther as _, JudgeReport as _, PeelAny as _,
            PeelClassified as _, PeelWrapper as _,
        };
        let inner = $crate::__private::Inner::of($field);
        // As deep as wrappers are nested in practice, such as `Option<Arc<Box<E>>>`, and one more.
        let inner = (&&&inner).__toolkit_peel();
        let inner = (&&&inner).__toolkit_peel();
        let inner = (&&&inner).__toolkit_peel();
        let inner = (&&&inner).__toolkit_peel();
        (&&&&inner).__toolkit_judge().of_field::<$ty>()
    }};
}

/// What a field holds so far; nothing where an `Option` on the way was empty.
#[derive(Debug)]
pub struct Inner<'a, T: ?Sized>(Option<&'a T>);

impl<T: ?Sized> Clone for Inner<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Inner<'_, T> {}

impl<'a, T: ?Sized> Inner<'a, T> {
    /// The field itself.
    pub fn of(field: &'a T) -> Self {
        Self(Some(field))
    }
}

/// What the classifier is to look at, or what has judged itself.
#[derive(Clone, Copy)]
pub enum Judged<'a> {
    /// It says itself what it means.
    Classified(&'a dyn Classify),
    /// The classifier judges it.
    Opaque(&'a (dyn Error + 'static)),
    /// There is none.
    Absent,
}

impl<'a> Judged<'a> {
    /// The verdict, without the inner `no_effect`: that is about one step, and an earlier one may have had an effect.
    pub fn verdict(self) -> Classification {
        match self {
            Judged::Classified(error) => Classification { no_effect: false, ..error.classify() },
            Judged::Opaque(_) | Judged::Absent => Classification::new(ErrorClass::Unknown),
        }
    }

    /// The verdict with the outer error's wait, where it has one.
    pub fn verdict_after(self, wait: Option<Duration>) -> Classification {
        let verdict = self.verdict();
        let inner = verdict.retry_after;
        verdict.retry_after(wait.or(inner))
    }

    /// The error that the classifier judges instead.
    pub fn delegate(self) -> Option<&'a (dyn Error + 'static)> {
        match self {
            Judged::Classified(error) => error.delegate(),
            Judged::Opaque(error) => Some(error),
            Judged::Absent => None,
        }
    }
}

/// The field holds no error, which [`Refused::of_field`] says where the user can read it.
#[derive(Clone, Copy, Debug)]
pub struct Refused;

impl Judged<'_> {
    /// Of whatever type the field is, it holds an error.
    #[must_use]
    pub fn of_field<T: ?Sized>(self) -> Self {
        self
    }
}

impl Refused {
    /// Never compiles. The bound stands here and not on a trait of the method lookup, where it would be part of the
    /// question and not of the message; and the type is the user's own, so that it is what gets underlined.
    pub fn of_field<T: ?Sized + HoldsError>(self) -> Judged<'static> {
        Judged::Absent
    }
}

/// Implemented for nothing: what holds an error never comes to be [`Refused`].
#[diagnostic::on_unimplemented(
    message = "cannot delegate to `{Self}`: it is not an error",
    label = "neither `Classify` nor `std::error::Error`",
    note = "derive `Classify` for it, or implement `std::error::Error`; or name a class instead of `delegate`"
)]
pub trait HoldsError {}

/// What has an error inside and is none by itself.
pub trait Wrapper {
    /// What is inside.
    type Inside: ?Sized;
    /// What is inside, if anything is.
    fn inside(&self) -> Option<&Self::Inside>;
}

macro_rules! pointer {
    ($($pointer:ty)*) => {$(
        impl<T: ?Sized> Wrapper for $pointer {
            type Inside = T;
            fn inside(&self) -> Option<&T> {
                Some(self)
            }
        }
    )*};
}

pointer!(Box<T> Rc<T> Arc<T> &T);

impl<T> Wrapper for Option<T> {
    type Inside = T;
    fn inside(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// First: what is `Classify` is not taken apart.
pub trait PeelClassified {
    /// The next step.
    type Next;
    #[doc(hidden)]
    fn __toolkit_peel(&self) -> Self::Next;
}

impl<'a, T: ?Sized + AsClassify> PeelClassified for &&Inner<'a, T> {
    type Next = Inner<'a, T>;
    fn __toolkit_peel(&self) -> Inner<'a, T> {
        ***self
    }
}

/// Second: a wrapper is opened.
pub trait PeelWrapper {
    /// The next step.
    type Next;
    #[doc(hidden)]
    fn __toolkit_peel(&self) -> Self::Next;
}

impl<'a, T: ?Sized + Wrapper> PeelWrapper for &Inner<'a, T> {
    type Next = Inner<'a, T::Inside>;
    fn __toolkit_peel(&self) -> Inner<'a, T::Inside> {
        Inner(self.0.and_then(Wrapper::inside))
    }
}

/// Last: anything else stays as it is.
pub trait PeelAny {
    /// The next step.
    type Next;
    #[doc(hidden)]
    fn __toolkit_peel(&self) -> Self::Next;
}

impl<'a, T: ?Sized> PeelAny for Inner<'a, T> {
    type Next = Inner<'a, T>;
    fn __toolkit_peel(&self) -> Inner<'a, T> {
        *self
    }
}

/// First: it is `Classify`.
pub trait JudgeClassified<'a> {
    #[doc(hidden)]
    fn __toolkit_judge(&self) -> Judged<'a>;
}

impl<'a, T: ?Sized + AsClassify> JudgeClassified<'a> for &&&Inner<'a, T> {
    fn __toolkit_judge(&self) -> Judged<'a> {
        self.0.map_or(Judged::Absent, |error| Judged::Classified(error.as_classify()))
    }
}

/// Second: it is an error.
pub trait JudgeError<'a> {
    #[doc(hidden)]
    fn __toolkit_judge(&self) -> Judged<'a>;
}

impl<'a, T: ?Sized + AsError> JudgeError<'a> for &&Inner<'a, T> {
    fn __toolkit_judge(&self) -> Judged<'a> {
        self.0.map_or(Judged::Absent, |error| Judged::Opaque(error.as_error()))
    }
}

/// Third: it is a report, such as `anyhow::Error`, which holds an error and is none, lest `?` be ambiguous.
pub trait JudgeReport<'a> {
    #[doc(hidden)]
    fn __toolkit_judge(&self) -> Judged<'a>;
}

impl<'a, T: AsRef<dyn Error + 'static> + 'static> JudgeReport<'a> for &Inner<'a, T> {
    fn __toolkit_judge(&self) -> Judged<'a> {
        let Some(report) = self.0 else { return Judged::Absent };
        match known_in(report) {
            Some(known) => Judged::Classified(known),
            None => Judged::Opaque(report.as_ref()),
        }
    }
}

/// What was given to a report as a context, which is in no chain, so that the classifier would not see it.
#[cfg(all(feature = "anyhow", feature = "discover"))]
fn known_in<T: 'static>(report: &T) -> Option<&dyn Classify> {
    (report as &dyn std::any::Any).downcast_ref().and_then(Known::outermost_in)
}

#[cfg(not(all(feature = "anyhow", feature = "discover")))]
fn known_in<T>(_: &T) -> Option<&dyn Classify> {
    None
}

/// Last: it is no error.
pub trait JudgeOther {
    #[doc(hidden)]
    fn __toolkit_judge(&self) -> Refused;
}

impl<T: ?Sized> JudgeOther for Inner<'_, T> {
    fn __toolkit_judge(&self) -> Refused {
        Refused
    }
}

/// `Classify`, or a trait object of it.
pub trait AsClassify {
    /// As an object.
    fn as_classify(&self) -> &dyn Classify;
}

impl<T: Classify> AsClassify for T {
    fn as_classify(&self) -> &dyn Classify {
        self
    }
}

/// An error, or a trait object of one.
pub trait AsError {
    /// As an object.
    fn as_error(&self) -> &(dyn Error + 'static);
}

impl<T: Error + 'static> AsError for T {
    fn as_error(&self) -> &(dyn Error + 'static) {
        self
    }
}

macro_rules! objects {
    ($($marker:ident)*) => {
        impl AsClassify for dyn Classify $(+ $marker)* {
            fn as_classify(&self) -> &dyn Classify {
                self
            }
        }

        impl AsError for dyn Error $(+ $marker)* {
            fn as_error(&self) -> &(dyn Error + 'static) {
                self
            }
        }
    };
}

objects!();
objects!(Send);
objects!(Sync);
objects!(Send Sync);
