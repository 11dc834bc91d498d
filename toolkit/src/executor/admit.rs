//! What stands before the first attempt: the name, the permission, the arguments, the question to a person. Whatever
//! is refused here has done nothing.

#![expect(clippy::result_large_err, reason = "a refusal is put in a box where it leaves this module")]

use std::cell::LazyCell;
use std::time::Instant;

use serde_json::Value;

use super::contain::contain;
use super::{Inner, log};
use crate::arguments::{self, Reading, Refusal, Repaired, Secrets, secret_names, without_secrets};
use crate::call::{Options, Outcome, Parts, Repair, ToolResult};
use crate::classify::ErrorClass;
use crate::confirmation::Confirmation;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::feedback::{Feedback, Situation};
use crate::output::ToolFuture;
use crate::parameter::Bad;
use crate::permission;
use crate::permission::{Permission, PermissionRequest};
use crate::retry::StopReason;
use crate::run::Repeated;
use crate::tool::{Category, ToolSpec};

/// A call that may run.
pub(super) struct Admitted<'a> {
    /// The first attempt, which nobody has polled.
    pub(super) attempt: ToolFuture<'a>,
    /// The arguments as they were repaired, where they had to be.
    pub(super) mended: Option<Box<Repaired>>,
    /// Whether somebody has answered for it who knew that it may have taken effect already, or need not know.
    settled: bool,
}

/// A call that is refused.
pub(super) struct Refused {
    error: ToolError,
    stop: StopReason,
    situation: Situation,
    refusal: Refusal,
    /// What a person has to answer first.
    question: Option<Confirmation>,
    /// What was repaired in the arguments before it was refused.
    pub(super) repairs: Vec<Repair>,
}

/// The call as it came.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    /// Its arguments.
    pub(super) text: &'a str,
    pub(super) options: Option<&'a Options>,
}

/// What a person has said about the call, and when it is.
#[derive(Clone, Copy)]
pub(super) struct Answer {
    /// Somebody has approved it in place; whether that one was told that it may have taken effect already.
    pub(super) approved: Option<bool>,
    pub(super) now: Instant,
}

impl Refused {
    pub(super) fn question(&self) -> Option<&Confirmation> {
        self.question.as_ref()
    }

    pub(super) fn new(class: ErrorClass, message: String, stop: StopReason, situation: Situation) -> Self {
        Self {
            error: ToolError::new(class, message).no_effect(),
            stop,
            situation,
            refusal: Refusal::default(),
            question: None,
            repairs: Vec::new(),
        }
    }
}

impl Inner {
    /// Lets a call through to its first attempt, or says why not. On the way the types of the arguments and the host's
    /// rules are asked, whose panics end here.
    pub(super) fn admit<'a>(
        &self,
        cx: &'a ToolContext,
        spec: &ToolSpec,
        wanted: Wanted<'_>,
        answer: Answer,
    ) -> Result<Admitted<'a>, Box<Refused>> {
        contain(|| self.admit_or_panic(cx, spec, wanted, answer).map_err(Box::new)).unwrap_or_else(|panicked| {
            log::panicked(cx, &panicked, &Secrets::of(spec, wanted.text));
            Err(Self::unreadable(&Bad::Panicked).into())
        })
    }

    fn admit_or_panic<'a>(
        &self,
        cx: &'a ToolContext,
        spec: &ToolSpec,
        Wanted { name, text, options }: Wanted<'_>,
        Answer { approved, now }: Answer,
    ) -> Result<Admitted<'a>, Refused> {
        if cx.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(self.out_of_time());
        }
        if !spec.is_for(cx.roles()) {
            return Err(self.unknown_tool(cx.run(), name));
        }
        // Nobody is asked about the tools that everybody may call.
        let asked = self.permissions.is_some() || spec.category() == Category::Dangerous;
        if asked {
            match self.decide(cx, spec, None) {
                Permission::Deny { why } => return Err(self.denied(&why)),
                Permission::Hide => return Err(self.unknown_tool(cx.run(), name)),
                Permission::Allow | Permission::Ask { .. } => {}
            }
        }
        if options.is_some_and(|options| options.cut_off) {
            return Err(self.cut_off());
        }
        let exact = if spec.demands_more() { Err(Bad::Unsure) } else { (spec.start())(cx, text) };
        let admitted = match exact {
            Ok(attempt) => Admitted { attempt, mended: None, settled: false },
            Err(bad) => self.mend(cx, spec, text, &bad)?,
        };
        let text = admitted.mended.as_ref().map_or(text, |mended| &mended.text);
        let repeated = Self::repetition(cx, text);
        let in_doubt = repeated == Some(Repeated::InDoubt);
        // An answer is used up by the first question that it answers, and by no call that is not asked.
        let confirmed = LazyCell::new(|| {
            approved.is_some_and(|told| told || !in_doubt)
                || options.is_some_and(|options| {
                    let token = options.confirmation.as_deref();
                    let answered = |token: &str| {
                        let tool = cx.tool_place().unwrap_or_default();
                        self.open.answer(token, tool, &arguments::canonical(text), in_doubt, now)
                    };
                    options.confirmed || token.is_some_and(answered)
                })
        });
        if asked {
            // A rule must see what the tool sees, or it would be passed by: what only one of them can read is refused.
            let Ok(arguments) = serde_json::from_str(text) else {
                return Err(self.wrong_arguments(arguments::unclear(spec, self.language)));
            };
            match self.decide(cx, spec, Some(&arguments)) {
                Permission::Allow => {}
                // A person's word answers the question. It does not lift a prohibition.
                Permission::Ask { .. } if *confirmed => {}
                Permission::Ask { why } => {
                    let why = if in_doubt { self.also_in_doubt(&why) } else { why };
                    let question = self.question(cx, text, arguments, why.clone(), in_doubt, now);
                    return Err(Refused { question: Some(question), ..self.asks(&why) });
                }
                Permission::Deny { why } => return Err(self.denied(&why)),
                Permission::Hide => return Err(self.unknown_tool(cx.run(), name)),
            }
        }
        match repeated {
            None => {}
            Some(Repeated::TooOften(times)) => return Err(self.repeated(times)),
            Some(Repeated::InDoubt) if *confirmed => {}
            Some(Repeated::InDoubt) => return Err(self.in_doubt(cx, text, now)),
        }
        let settled = in_doubt || options.is_some_and(|options| options.confirmed);
        Ok(Admitted { settled, ..admitted })
    }

    /// How often this very call was made before, where that is reason enough not to make it.
    fn repetition(cx: &ToolContext, text: &str) -> Option<Repeated> {
        let guard = cx.repeat_guard().filter(|guard| guard.is_used())?;
        guard.check(cx.tool_place().unwrap_or_default(), &arguments::canonical(text))
    }

    /// The refusal of a call of which another one like it has come to an end that nobody knows, while it waited.
    pub(super) fn came_into_doubt(
        &self,
        cx: &ToolContext,
        admitted: &Admitted<'_>,
        text: &str,
        now: Instant,
    ) -> Option<Refused> {
        let text = admitted.mended.as_ref().map_or(text, |mended| &mended.text);
        let in_doubt = !admitted.settled && Self::repetition(cx, text) == Some(Repeated::InDoubt);
        in_doubt.then(|| self.in_doubt(cx, text, now))
    }

    /// A question to a person about this very call.
    fn question(
        &self,
        cx: &ToolContext,
        text: &str,
        arguments: Value,
        why: String,
        tells_doubt: bool,
        now: Instant,
    ) -> Confirmation {
        let token = self.open.ask(cx.tool_place().unwrap_or_default(), arguments::canonical(text), tells_doubt, now);
        Confirmation { token, tool: cx.tool().to_owned(), arguments, why }
    }

    fn repeated(&self, times: u32) -> Refused {
        let message = self.language.pick(
            || format!("this very call has failed {times} times already"),
            || format!("完全相同的调用已失败 {times} 次"),
        );
        Refused::new(ErrorClass::Conflict, message, StopReason::Repeated, Situation::Repeated)
    }

    fn in_doubt(&self, cx: &ToolContext, text: &str, now: Instant) -> Refused {
        let why = self.language.pick(
            || "this very call may have taken effect already; a person has to confirm that it is made again",
            || "完全相同的调用可能已经生效；须由人确认才能再次执行",
        );
        let arguments = serde_json::from_str(text).unwrap_or_default();
        let question = self.question(cx, text, arguments, why.to_owned(), true, now);
        let (stop, situation) = (StopReason::Repeated, Situation::MayHaveHappened);
        Refused { question: Some(question), ..Refused::new(ErrorClass::Conflict, why.to_owned(), stop, situation) }
    }

    /// Why a person is asked who would be asked anyway.
    fn also_in_doubt(&self, why: &str) -> String {
        self.language.pick(
            || format!("{why}; and this very call may have taken effect already"),
            || format!("{why}；并且完全相同的调用可能已经生效"),
        )
    }

    /// Reads the arguments and makes an attempt. Reading may run code of the tool's types, which may panic.
    pub(super) fn start<'a>(spec: &ToolSpec, cx: &'a ToolContext, text: &str) -> Result<ToolFuture<'a>, Bad> {
        let start = spec.start();
        contain(|| start(cx, text)).unwrap_or_else(|panicked| {
            log::panicked(cx, &panicked, &Secrets::of(spec, text));
            Err(Bad::Panicked)
        })
    }

    /// The careful way, for arguments that are not exact.
    #[cold]
    fn mend<'a>(&self, cx: &'a ToolContext, spec: &ToolSpec, text: &str, bad: &Bad) -> Result<Admitted<'a>, Refused> {
        if let Bad::State(_) | Bad::Panicked = bad {
            return Err(Self::unreadable(bad));
        }
        let reading = Reading::of(spec, self.repair, self.language);
        cx.set_arguments_checked();
        let mended = arguments::mend(spec, text, bad, reading, |text| Self::start(spec, cx, text).err())
            .map_err(|refusal| self.wrong_arguments(refusal))?;
        match Self::start(spec, cx, &mended.text) {
            Ok(attempt) => {
                let mended = (mended.text != text).then(|| Box::new(mended));
                Ok(Admitted { attempt, mended, settled: false })
            }
            Err(bad @ (Bad::State(_) | Bad::Panicked)) => Err(Self::unreadable(&bad)),
            Err(bad) => Err(self.wrong_arguments(arguments::refused(spec, mended, &bad, self.language))),
        }
    }

    /// What the host's rules say. Rules that panic allow nothing.
    fn decide(&self, cx: &ToolContext, spec: &ToolSpec, arguments: Option<&Value>) -> Permission {
        let Some(rules) = &self.permissions else {
            // What `ByCategory` says, in the model's language.
            let why = self.language.pick(|| permission::IRREVOCABLE, || "此工具的操作无法撤销").to_owned();
            return match spec.category() {
                Category::Dangerous => Permission::Ask { why },
                Category::Read | Category::Compute | Category::Write | Category::Communicate => Permission::Allow,
            };
        };
        let request = PermissionRequest { spec, roles: cx.roles(), arguments };
        contain(|| rules.decide(&request)).unwrap_or_else(|panicked| {
            let secrets = arguments.map_or_else(Secrets::default, |all| Secrets::of(spec, &all.to_string()));
            log::panicked(cx, &panicked, &secrets);
            let why = self.language.pick(|| "the permission could not be decided", || "无法判定权限");
            Permission::Deny { why: why.to_owned() }
        })
    }

    fn denied(&self, why: &str) -> Refused {
        let message = self.language.pick(|| format!("not permitted: {why}"), || format!("没有权限：{why}"));
        let stop = StopReason::PermissionDenied;
        Refused::new(ErrorClass::PermissionDenied, message, stop, Situation::Denied)
    }

    fn asks(&self, why: &str) -> Refused {
        let message = self.language.pick(|| format!("a person has to confirm: {why}"), || format!("须由人确认：{why}"));
        let stop = StopReason::NeedsConfirmation;
        Refused::new(ErrorClass::PermissionDenied, message, stop, Situation::Asks)
    }

    pub(super) fn out_of_time(&self) -> Refused {
        let message = self.language.pick(|| "no time is left for this call", || "此调用已没有剩余时间");
        let stop = StopReason::Deadline;
        Refused::new(ErrorClass::Timeout, message.to_owned(), stop, Situation::OutOfTime)
    }

    fn cut_off(&self) -> Refused {
        let message = self
            .language
            .pick(|| "the arguments are cut off: the reply reached its length limit", || "达到输出上限，参数不完整");
        let stop = StopReason::InvalidArguments;
        Refused::new(ErrorClass::InvalidArgument, message.to_owned(), stop, Situation::CutOff)
    }

    fn wrong_arguments(&self, refusal: Refusal) -> Refused {
        if refusal.cut_off {
            return self.cut_off();
        }
        let message = self.language.pick(|| "the arguments are not right", || "参数不正确").to_owned();
        let (stop, situation) = (StopReason::InvalidArguments, Situation::WrongArguments);
        Refused { refusal, ..Refused::new(ErrorClass::InvalidArgument, message, stop, situation) }
    }

    /// A fault on this side, found while the arguments were read.
    fn unreadable(bad: &Bad) -> Refused {
        let text = match bad {
            Bad::State(name) => format!("no state of type `{name}` was given to the executor"),
            _ => "a type of the arguments panicked while it was read".to_owned(),
        };
        let stop = StopReason::Permanent;
        let refused = Refused::new(ErrorClass::Internal, text, stop, Situation::Broken);
        Refused { error: refused.error.hidden(), ..refused }
    }

    /// The result of a call that was refused. `text` are its arguments.
    pub(super) fn refuse(&self, spec: Option<&ToolSpec>, mut parts: Parts, text: &str, refused: Refused) -> ToolResult {
        let Refused { error, stop, situation, refusal, question, repairs } = refused;
        parts.repairs.extend(repairs);
        let error = log::refused(&parts, error, stop).out_of_a_call();
        // The schema is made at its first use, by code of the argument types; most refusals have no need of it.
        let shown = |name| Some((name, spec?.shown_schema(name)?));
        let expected = contain(|| refusal.expected.iter().map(String::as_str).filter_map(shown).collect());
        // What is wrong with arguments is told by the problems, value by value.
        let arguments = (stop != StopReason::InvalidArguments).then(|| {
            // A call that misses its tool by a letter may hold what was meant to be secret there. The names are the same
            // for every call, so that a hidden tool is answered for as one that is not there.
            let names: Vec<&str> = self.registry.iter().flat_map(secret_names).collect();
            without_secrets(&names, text)
        });
        let feedback = Feedback {
            outcome: Some(Outcome::NotExecuted),
            problems: &refusal.problems,
            expected: expected.unwrap_or_default(),
            arguments: arguments.as_deref(),
            open: self.show_internal_errors,
            ..Feedback::new(&parts.name, &error, situation)
        };
        let message = feedback.render(self.language);
        ToolResult::failed(parts, Outcome::NotExecuted, stop, Some(error), message).asking(question)
    }
}
