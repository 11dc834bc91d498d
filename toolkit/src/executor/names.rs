//! The tool that a call means, and what is said of one that is not there. What a caller may not see is not there.

use super::Inner;
use super::admit::Refused;
use super::call::renaming;
use super::contain::contain;
use crate::arguments::{self, RepairMode, nearest, shorten};
use crate::call::Repair;
use crate::classify::ErrorClass;
use crate::context::usual_roles;
use crate::feedback::Situation;
use crate::permission::{Permission, PermissionRequest};
use crate::retry::StopReason;
use crate::run::RunState;
use crate::tool::{Category, ToolSpec};

/// How many names that are nobody's a run may call before it is told to stop.
const MOST_INVENTED: u32 = 3;

impl Inner {
    /// The tool of this name, or the one that is meant by another spelling of it.
    pub(super) fn locate(&self, written: &str, roles: &[String]) -> Option<(usize, &ToolSpec, Option<Box<Repair>>)> {
        if let Some((place, spec)) = self.registry.find(written) {
            return Some((place, spec, None));
        }
        let (place, spec) = self.meant(written, roles)?;
        Some((place, spec, Some(Box::new(renaming(written, spec.name())))))
    }

    /// Whether a call by this name runs beside no other of its turn.
    pub(super) fn runs_alone(&self, written: &str, roles: &[String]) -> bool {
        self.has_sequential && self.locate(written, roles).is_some_and(|(_, spec, _)| spec.sequential())
    }

    /// One that cannot be undone is called by its exact name.
    #[cold]
    fn meant(&self, written: &str, roles: &[String]) -> Option<(usize, &ToolSpec)> {
        if self.repair == RepairMode::Off {
            return None;
        }
        let sees = |spec: &ToolSpec| self.rule(spec, roles) != Permission::Hide;
        arguments::meant(&self.registry, written, sees).filter(|(_, spec)| spec.category() != Category::Dangerous)
    }

    /// What holds for these roles before anybody looks at arguments.
    fn rule(&self, spec: &ToolSpec, roles: &[String]) -> Permission {
        if !spec.is_for(roles) {
            return Permission::Hide;
        }
        let Some(permissions) = &self.permissions else { return Permission::Allow };
        let request = PermissionRequest { spec, roles, arguments: None };
        contain(|| permissions.decide(&request)).unwrap_or_else(|_| Permission::Deny { why: String::new() })
    }

    /// Whether the tool is of any use to these roles. One that is denied without a look at the arguments is of no more
    /// than a hidden one.
    pub(super) fn is_open(&self, spec: &ToolSpec, roles: &[String]) -> bool {
        matches!(self.rule(spec, roles), Permission::Allow | Permission::Ask { .. })
    }

    /// The answer to a name that is nobody's. A run that goes on inventing names is no longer told any.
    pub(super) fn unknown_tool(&self, run: Option<&RunState>, written: &str) -> Refused {
        let shown = shorten(written, 64);
        let refused =
            |message, situation| Refused::new(ErrorClass::NotFound, message, StopReason::UnknownTool, situation);
        let invented = run.map_or(1, RunState::note_invented);
        if invented > MOST_INVENTED {
            let message = self.language.pick(
                || format!("there is no tool `{shown}`; {MOST_INVENTED} names of tools that do not exist were called before it"),
                || format!("没有名为 `{shown}` 的工具；此前已调用过 {MOST_INVENTED} 个不存在的工具名称"),
            );
            return refused(message, Situation::Inventing);
        }
        let roles = run.map_or_else(|| usual_roles(), RunState::roles);
        let open = |spec: &&ToolSpec| self.is_open(spec, roles);
        let names: Vec<&str> = self.registry.iter().filter(open).map(ToolSpec::name).collect();
        let near = nearest(written, names.iter().copied());
        let all: Vec<String> = names.iter().take(30).map(|name| format!("`{name}`")).collect();
        let message = self.language.pick(
            || {
                let near = near.map_or_else(|| ".".to_owned(), |near| format!("; did you mean `{near}`?"));
                format!("there is no tool `{shown}`{near} The tools are: {}", all.join(", "))
            },
            || {
                let near = near.map_or_else(|| "。".to_owned(), |near| format!("；您是不是想用 `{near}`？"));
                format!("没有名为 `{shown}` 的工具{near}可用的工具有：{}", all.join("、"))
            },
        );
        refused(message, Situation::UnknownTool)
    }
}
