//! Who may call what: decided before a tool runs, by its category or by the host's own rules.

use serde_json::Value;

use crate::tool::{Category, ToolSpec};

/// What is to happen with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It runs.
    Allow,
    /// A person is asked first.
    Ask {
        /// Why; the model and the person read it.
        why: String,
    },
    /// It does not run.
    Deny {
        /// Why; the model reads it.
        why: String,
    },
    /// As if there were no such tool.
    Hide,
}

/// A call that waits for a permission.
#[derive(Debug)]
pub struct PermissionRequest<'a> {
    pub(crate) spec: &'a ToolSpec,
    pub(crate) roles: &'a [String],
    pub(crate) arguments: Option<&'a Value>,
}

impl PermissionRequest<'_> {
    /// The tool.
    pub fn tool(&self) -> &ToolSpec {
        self.spec
    }

    /// The roles of the caller.
    pub fn roles(&self) -> &[String] {
        self.roles
    }

    /// The arguments, once they have been found to be right. `None` before that.
    pub fn arguments(&self) -> Option<&Value> {
        self.arguments
    }
}

/// The host's rules. Asked twice about a call: before its arguments are read, when only [`Permission::Deny`] and
/// [`Permission::Hide`] count, and with the arguments when they are right. A call that is already confirmed passes
/// where a person would be asked, and nowhere else. Rules that panic allow nothing.
pub trait Permissions: Send + Sync {
    /// What is to happen with this call.
    fn decide(&self, request: &PermissionRequest<'_>) -> Permission;
}

impl<F: Fn(&PermissionRequest<'_>) -> Permission + Send + Sync> Permissions for F {
    fn decide(&self, request: &PermissionRequest<'_>) -> Permission {
        self(request)
    }
}

/// Why a dangerous tool asks.
pub(crate) const IRREVOCABLE: &str = "what this tool does cannot be taken back";

/// The rules where the host gives none: a dangerous tool asks first, every other one runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByCategory;

impl Permissions for ByCategory {
    fn decide(&self, request: &PermissionRequest<'_>) -> Permission {
        match request.tool().category() {
            Category::Dangerous => Permission::Ask { why: IRREVOCABLE.to_owned() },
            Category::Read | Category::Compute | Category::Write | Category::Communicate => Permission::Allow,
        }
    }
}
