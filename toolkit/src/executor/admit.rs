//! What stands before the first attempt: the name, the permission, the arguments, the question to a person. Whatever
//! is refused here has done nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use serde_json::{Map, Value};

use super::{Inner, log};
use crate::arguments::{self, Reading, Refusal, Repaired, nearest, shorten};
use crate::call::{Options, Outcome, Parts, ToolResult};
use crate::classify::ErrorClass;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::feedback::{Feedback, Situation};
use crate::output::ToolFuture;
use crate::parameter::Bad;
use crate::permission::{ByCategory, Permission, PermissionRequest, Permissions};
use crate::retry::StopReason;
use crate::tool::{Category, ToolSpec};

/// A call that may run.
pub(super) struct Admitted<'a> {
    /// The first attempt, which nobody has polled.
    pub(super) attempt: ToolFuture<'a>,
    /// The arguments as they were repaired, where they had to be.
    pub(super) mended: Option<Repaired>,
}

/// A call that is refused.
pub(super) struct Refused {
    error: ToolError,
    stop: StopReason,
    situation: Situation,
    refusal: Refusal,
}

impl Refused {
    fn new(class: ErrorClass, message: String, stop: StopReason, situation: Situation) -> Self {
        Self { error: ToolError::new(class, message).no_effect(), stop, situation, refusal: Refusal::default() }
    }
}

impl Inner {
    pub(super) fn admit<'a>(
        &self,
        cx: &'a ToolContext,
        spec: &ToolSpec,
        text: &str,
        options: Option<&Options>,
        now: Instant,
    ) -> Result<Admitted<'a>, Box<Refused>> {
        if cx.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(self.out_of_time());
        }
        let confirmed = options.is_some_and(|options| options.confirmed);
        // Nobody is asked about the tools that everybody may call.
        let asked = self.permissions.is_some() || spec.category() == Category::Dangerous;
        if asked {
            match self.decide(cx, spec, None) {
                Permission::Deny { why } => return Err(self.denied(&why)),
                Permission::Hide => return Err(Box::new(self.unknown_tool(Some(cx.roles()), spec.name()))),
                Permission::Allow | Permission::Ask { .. } => {}
            }
        }
        if options.is_some_and(|options| options.cut_off) {
            return Err(self.cut_off());
        }
        let exact = if spec.demands_more() { Err(Bad::Unsure) } else { self.start(spec, cx, text) };
        let admitted = match exact {
            Ok(attempt) => Admitted { attempt, mended: None },
            Err(bad) => self.mend(cx, spec, text, &bad)?,
        };
        if asked && !confirmed {
            let text = admitted.mended.as_ref().map_or(text, |mended| &mended.text);
            let arguments = serde_json::from_str(text).unwrap_or_default();
            match self.decide(cx, spec, Some(&arguments)) {
                Permission::Allow => {}
                Permission::Ask { why } => return Err(self.asks(&why)),
                Permission::Deny { why } => return Err(self.denied(&why)),
                Permission::Hide => return Err(Box::new(self.unknown_tool(Some(cx.roles()), spec.name()))),
            }
        }
        Ok(admitted)
    }

    /// Reads the arguments and makes an attempt. Reading may run code of the tool's types, which may panic.
    pub(super) fn start<'a>(&self, spec: &ToolSpec, cx: &'a ToolContext, text: &str) -> Result<ToolFuture<'a>, Bad> {
        let start = spec.start();
        catch_unwind(AssertUnwindSafe(|| start(cx, text))).unwrap_or_else(|payload| {
            log::panicked(cx, payload.as_ref());
            Err(Bad::Panicked)
        })
    }

    /// The careful way, for arguments that are not exact.
    #[cold]
    fn mend<'a>(
        &self,
        cx: &'a ToolContext,
        spec: &ToolSpec,
        text: &str,
        bad: &Bad,
    ) -> Result<Admitted<'a>, Box<Refused>> {
        if let Bad::State(_) | Bad::Panicked = bad {
            return Err(self.unreadable(bad));
        }
        let reading = Reading::of(spec, self.repair, self.language);
        let mended = arguments::mend(spec, text, reading).map_err(|refusal| self.wrong_arguments(refusal))?;
        cx.set_arguments_checked();
        match self.start(spec, cx, &mended.text) {
            Ok(attempt) => Ok(Admitted { attempt, mended: (mended.text != text).then_some(mended) }),
            Err(bad @ (Bad::State(_) | Bad::Panicked)) => Err(self.unreadable(&bad)),
            Err(bad) => Err(self.wrong_arguments(arguments::refused(spec, mended, &bad, self.language))),
        }
    }

    /// What the host's rules say. Rules that panic allow nothing.
    fn decide(&self, cx: &ToolContext, spec: &ToolSpec, arguments: Option<&Value>) -> Permission {
        let rules: &dyn Permissions = self.permissions.as_deref().unwrap_or(&ByCategory);
        let request = PermissionRequest { spec, roles: cx.roles(), arguments };
        catch_unwind(AssertUnwindSafe(|| rules.decide(&request))).unwrap_or_else(|payload| {
            log::panicked(cx, payload.as_ref());
            let why = self.language.pick(|| "the permission could not be decided", || "无法判定权限");
            Permission::Deny { why: why.to_owned() }
        })
    }

    pub(super) fn unknown_tool(&self, roles: Option<&[String]>, name: &str) -> Refused {
        let roles = roles.unwrap_or_default();
        let visible = |spec: &&ToolSpec| match &self.permissions {
            None => true,
            Some(rules) => {
                let request = PermissionRequest { spec, roles, arguments: None };
                let decided = catch_unwind(AssertUnwindSafe(|| rules.decide(&request)));
                matches!(decided, Ok(Permission::Allow | Permission::Ask { .. }))
            }
        };
        let names: Vec<&str> = self.registry.iter().filter(visible).map(ToolSpec::name).collect();
        let written = shorten(name, 64);
        let near = nearest(name, names.iter().copied());
        let all: Vec<String> = names.iter().take(30).map(|name| format!("`{name}`")).collect();
        let message = self.language.pick(
            || {
                let near = near.map_or_else(|| ".".to_owned(), |near| format!("; did you mean `{near}`?"));
                format!("there is no tool `{written}`{near} The tools are: {}", all.join(", "))
            },
            || {
                let near = near.map_or_else(|| "。".to_owned(), |near| format!("；您是不是想用 `{near}`？"));
                format!("没有名为 `{written}` 的工具{near}可用的工具有：{}", all.join("、"))
            },
        );
        Refused::new(ErrorClass::NotFound, message, StopReason::UnknownTool, Situation::UnknownTool)
    }

    fn denied(&self, why: &str) -> Box<Refused> {
        let message = self.language.pick(|| format!("not permitted: {why}"), || format!("没有权限：{why}"));
        let stop = StopReason::PermissionDenied;
        Box::new(Refused::new(ErrorClass::PermissionDenied, message, stop, Situation::Denied))
    }

    fn asks(&self, why: &str) -> Box<Refused> {
        let message = self.language.pick(|| format!("a person has to confirm: {why}"), || format!("须由人确认：{why}"));
        let stop = StopReason::NeedsConfirmation;
        Box::new(Refused::new(ErrorClass::PermissionDenied, message, stop, Situation::Asks))
    }

    fn out_of_time(&self) -> Box<Refused> {
        let message = self.language.pick(|| "no time is left for this call", || "此调用已没有剩余时间");
        let stop = StopReason::Deadline;
        Box::new(Refused::new(ErrorClass::Timeout, message.to_owned(), stop, Situation::OutOfTime))
    }

    fn cut_off(&self) -> Box<Refused> {
        let message = self
            .language
            .pick(|| "the arguments are cut off: the reply reached its length limit", || "达到输出上限，参数不完整");
        let stop = StopReason::InvalidArguments;
        Box::new(Refused::new(ErrorClass::InvalidArgument, message.to_owned(), stop, Situation::CutOff))
    }

    fn wrong_arguments(&self, refusal: Refusal) -> Box<Refused> {
        if refusal.cut_off {
            return self.cut_off();
        }
        let message = self.language.pick(|| "the arguments are not right", || "参数不正确").to_owned();
        let (stop, situation) = (StopReason::InvalidArguments, Situation::WrongArguments);
        Box::new(Refused { refusal, ..Refused::new(ErrorClass::InvalidArgument, message, stop, situation) })
    }

    /// A fault on this side, found while the arguments were read.
    fn unreadable(&self, bad: &Bad) -> Box<Refused> {
        let text = match bad {
            Bad::State(name) => format!("no state of type `{name}` was given to the executor"),
            _ => "a type of the arguments panicked while it was read".to_owned(),
        };
        let stop = StopReason::Permanent;
        let refused = Refused::new(ErrorClass::Internal, text, stop, Situation::Broken);
        Box::new(Refused { error: refused.error.hidden(), ..refused })
    }

    /// The result of a call that was refused.
    pub(super) fn refuse(&self, spec: Option<&ToolSpec>, parts: Parts, refused: Refused) -> ToolResult {
        let Refused { error, stop, situation, refusal } = refused;
        let mut expected = Map::new();
        if let Some(properties) = spec.and_then(|spec| spec.input_schema()["properties"].as_object()) {
            for name in &refusal.expected {
                if let Some(schema) = properties.get(name) {
                    expected.insert(name.clone(), schema.clone());
                }
            }
        }
        let feedback = Feedback {
            outcome: Some(Outcome::NotExecuted),
            problems: &refusal.problems,
            expected,
            open: self.show_internal_errors,
            ..Feedback::new(&parts.name, &error, situation)
        };
        let message = feedback.render(self.language);
        log::refused(&parts, stop);
        ToolResult::failed(parts, Outcome::NotExecuted, stop, Some(error), message)
    }
}
