//! Where a value stands, written out only for a message.

use std::fmt;

/// The way from the arguments to a value.
#[derive(Clone, Copy)]
pub(super) enum Path<'p> {
    /// The arguments themselves.
    Root,
    /// A key of an object.
    Key(&'p Path<'p>, &'p str),
    /// A place in a list.
    At(&'p Path<'p>, usize),
}

impl Path<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Path::Root => true,
            Path::Key(parent, name) => name.is_empty() && parent.is_empty(),
            Path::At(..) => false,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Key(parent, name) => {
                parent.fmt(f)?;
                f.write_str(if parent.is_empty() { "" } else { "." })?;
                f.write_str(name)
            }
            Path::At(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
