//! The types that somebody registered: those that speak for themselves, and those that the host speaks for.

use std::any::{TypeId, type_name};
use std::error::Error;
use std::sync::Arc;

use super::chain::{may_hold, peel};
use super::{Classification, Classify};
#[cfg(all(feature = "anyhow", feature = "discover"))]
use crate::error::ToolError;

/// A type that is [`Classify`], so that its verdict is found inside anyhow, `Box` and `io::Error`.
#[derive(Clone, Copy)]
pub struct Known {
    pub(super) id: fn() -> TypeId,
    size: usize,
    cast: Cast,
    #[cfg(feature = "anyhow")]
    context: Option<ContextCast>,
}

type Cast = for<'e> fn(&'e (dyn Error + 'static)) -> Option<&'e dyn Classify>;

#[cfg(feature = "discover")]
inventory::collect!(Known);

impl Known {
    /// The entry of one type, which may be bound to its thread.
    pub const fn of<E: Classify>() -> Self {
        Self {
            id: TypeId::of::<E>,
            size: size_of::<E>(),
            cast: cast::<E>,
            #[cfg(feature = "anyhow")]
            context: None,
        }
    }

    /// The entry of one type that can be in a report, too.
    pub const fn sendable<E: Classify + Send + Sync>() -> Self {
        Self {
            #[cfg(feature = "anyhow")]
            context: Some(context::<E>),
            ..Self::of::<E>()
        }
    }

    /// The verdict of a link of this size, if it is one of this type.
    pub(super) fn find<'e>(&self, link: &'e (dyn Error + 'static), size: usize) -> Option<&'e dyn Classify> {
        if may_hold(size, self.size) { (self.cast)(link) } else { None }
    }

    /// What speaks for itself in a report and is linked in, the outermost.
    #[cfg(all(feature = "anyhow", feature = "discover"))]
    pub(crate) fn outermost_in(report: &anyhow::Error) -> Option<&dyn Classify> {
        let all = std::iter::once(Self::sendable::<ToolError>()).chain(inventory::iter::<Self>.into_iter().copied());
        all.filter_map(|known| known.context(report)).min_by_key(|(depth, _)| *depth).map(|(_, known)| known)
    }

    /// The outermost context of this type in a report, and the link that it is the text of.
    #[cfg(feature = "anyhow")]
    pub(super) fn context<'e>(&self, report: &'e anyhow::Error) -> Option<(usize, &'e dyn Classify)> {
        (self.context?)(report)
    }
}

fn cast<'e, E: Classify>(link: &'e (dyn Error + 'static)) -> Option<&'e dyn Classify> {
    peel::<E>(link).map(|error| error as &dyn Classify)
}

/// Which of the two entries a type has: [`Known::sendable`] where it can be sent, and [`Known::of`] where it cannot. The
/// derive asks `<Entry<T>>::KNOWN`, and what is written on the type itself wins over what a trait says of every type.
#[derive(Debug)]
pub struct Entry<E>(std::marker::PhantomData<E>);

impl<E: Classify + Send + Sync> Entry<E> {
    /// The entry.
    pub const KNOWN: Known = Known::sendable::<E>();
}

/// See [`Entry`].
pub trait EntryOfAny {
    /// The entry.
    const KNOWN: Known;
}

impl<E: Classify> EntryOfAny for Entry<E> {
    const KNOWN: Known = Known::of::<E>();
}

/// A type that the host judges.
#[derive(Clone)]
pub(super) struct Host {
    pub(super) id: TypeId,
    pub(super) name: &'static str,
    pub(super) twice: bool,
    size: usize,
    judge: Judge,
    #[cfg(feature = "anyhow")]
    context: ContextJudge,
}

type Judge = Arc<dyn Fn(&(dyn Error + 'static)) -> Option<Classification> + Send + Sync>;

impl Host {
    pub(super) fn new<E>(judge: impl Fn(&E) -> Classification + Send + Sync + 'static) -> Self
    where
        E: Error + Send + Sync + 'static,
    {
        let judge = Arc::new(judge);
        Self {
            id: TypeId::of::<E>(),
            name: type_name::<E>(),
            twice: false,
            size: size_of::<E>(),
            #[cfg(feature = "anyhow")]
            context: {
                let judge = judge.clone();
                Arc::new(move |report| in_report::<E>(report).map(|(depth, error)| (depth, judge(error))))
            },
            judge: Arc::new(move |link| peel::<E>(link).map(|error| judge(error))),
        }
    }

    /// The verdict on a link of this size, if it is one of this type.
    pub(super) fn judge(&self, link: &(dyn Error + 'static), size: usize) -> Option<Classification> {
        if may_hold(size, self.size) { (self.judge)(link) } else { None }
    }

    /// The verdict on the outermost context of this type in a report, and the link that it is the text of.
    #[cfg(feature = "anyhow")]
    pub(super) fn context(&self, report: &anyhow::Error) -> Option<(usize, Classification)> {
        (self.context)(report)
    }
}

#[cfg(feature = "anyhow")]
type ContextCast = for<'e> fn(&'e anyhow::Error) -> Option<(usize, &'e dyn Classify)>;

#[cfg(feature = "anyhow")]
type ContextJudge = Arc<dyn Fn(&anyhow::Error) -> Option<(usize, Classification)> + Send + Sync>;

#[cfg(feature = "anyhow")]
fn context<E: Classify + Send + Sync>(report: &anyhow::Error) -> Option<(usize, &dyn Classify)> {
    in_report::<E>(report).map(|(depth, error)| (depth, error as &dyn Classify))
}

/// The outermost `E` of a report, and its place in the chain.
///
/// A context is in no link's `source()`, but it lies inside the link that has its text; so its address tells the place.
#[cfg(feature = "anyhow")]
fn in_report<E: Error + Send + Sync + 'static>(report: &anyhow::Error) -> Option<(usize, &E)> {
    let error = report.downcast_ref::<E>()?;
    let address = std::ptr::from_ref(error).addr();
    let holds = |link: &(dyn Error + 'static)| {
        let start = std::ptr::from_ref(link).addr();
        (start..=start + size_of_val(link)).contains(&address)
    };
    // A link may lie inside the one before it, and then the last is the one.
    let depth = report.chain().enumerate().filter(|(_, link)| holds(*link)).map(|(depth, _)| depth).last();
    Some((depth?, error))
}
