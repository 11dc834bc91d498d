//! What `#[derive(Classify)]` calls: the error in a field, the wait in a field, and the list of known types.

mod inner;
mod wait;

use serde::Serialize;
use serde_json::Value;

pub use self::inner::{
    AsClassify, AsError, HoldsError, Inner, JudgeClassified, JudgeError, JudgeOther, JudgeReport, Judged, PeelAny,
    PeelClassified, PeelWrapper, Refused, Wrapper,
};
pub use self::wait::{Number, Wait, wait, wait_millis, wait_secs};
#[doc(inline)]
pub use crate::{__inner as inner, __known as known};

/// A field that can be a fact for the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a detail",
    label = "not `Serialize`",
    note = "add `#[derive(serde::Serialize)]` to `{Self}`"
)]
pub trait Detail {
    /// The fact. What JSON cannot hold, such as a map whose keys are not texts, is null.
    fn detail(&self) -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Detail for T {
    fn detail(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// The fact in a field.
pub fn detail<T: Detail>(field: &T) -> Value {
    field.detail()
}

/// Puts a type among the known ones, which the classifier finds inside other errors.
#[cfg(feature = "discover")]
#[doc(hidden)]
#[macro_export]
macro_rules! __known {
    ($ty:ty) => {
        $crate::__private::inventory::submit! {{
            #[allow(unused_imports, reason = "the trait counts only where the type itself has no answer")]
            use $crate::__private::EntryOfAny as _;
            <$crate::__private::Entry<$ty>>::KNOWN
        }}
    };
}

/// Without `discover` there is no list.
#[cfg(not(feature = "discover"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __known {
    ($ty:ty) => {};
}
