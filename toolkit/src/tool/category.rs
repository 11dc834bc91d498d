//! What a tool may do to the world.

use std::fmt;
use std::str::FromStr;

/// What a tool may do to the world. It decides who may call it and whether a failure may be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Looks something up; changes nothing.
    Read,
    /// Computes from its arguments alone.
    Compute,
    /// Changes something that can be changed back.
    Write,
    /// Tells somebody something: a mail, a message, a post.
    Communicate,
    /// Cannot be taken back: deletes, pays, cancels. Asks a person first unless the host says otherwise.
    Dangerous,
}

impl Category {
    /// Every category, the harmless ones first.
    pub const ALL: [Category; 5] =
        [Category::Read, Category::Compute, Category::Write, Category::Communicate, Category::Dangerous];

    /// The name in `snake_case`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Category::Read => "read",
            Category::Compute => "compute",
            Category::Write => "write",
            Category::Communicate => "communicate",
            Category::Dangerous => "dangerous",
        }
    }

    /// Whether a tool of this category may be run twice with one effect, where it does not say so itself.
    pub const fn is_idempotent(self) -> bool {
        matches!(self, Category::Read | Category::Compute)
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Category {
    type Err = crate::BuildError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Category::ALL.into_iter().find(|category| category.as_str() == text).ok_or_else(|| {
            format!(
                "`{text}` is not a category; the categories are `read`, `compute`, `write`, `communicate`, `dangerous`"
            )
            .into()
        })
    }
}
